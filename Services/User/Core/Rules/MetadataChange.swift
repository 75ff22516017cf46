import InternalAPI
import Storage
import StrictJSON

/// A change of one of a user's metadata objects by a JSON merge patch (RFC 7396).
struct MetadataChange: Sendable, Equatable {
    /// The object that changes.
    enum Part: String, Sendable {
        case app, own
    }

    let part: Part
    /// An object, or `null`, which empties the metadata's object.
    let patch: JSONValue

    /// Reads a patch.
    ///
    /// - Throws: `InvalidInput` for anything but `null` or one strict JSON object, for one that is too long or too deep, and for a
    ///   zero character, at which a database or a C library would end a text.
    init(_ text: String, of part: Part) throws(InvalidInput) {
        self.part = part
        do throws(StrictJSONError) {
            let limits = StrictJSON.Limits(bytesMax: MetadataObject.patchBytesMax, depthMax: MetadataObject.depthMax)
            patch = try StrictJSON.parse(Array(text.utf8), limits: limits)
        } catch {
            throw .metadata
        }
        guard patch == .null || patch.objectValue != nil, !patch.hasZeroCharacter else { throw .metadata }
    }

    /// The metadata after the change.
    ///
    /// - Throws: `InvalidInput` for an object that is too long, or too deep; `StorageError` for a stored one that is damaged.
    func applied(to metadata: UserMetadata) throws -> UserMetadata {
        var after = metadata
        switch part {
        case .app: after.app = try applied(to: metadata.app)
        case .own: after.own = try applied(to: metadata.own)
        }
        return after
    }

    private func applied(to object: MetadataObject) throws -> MetadataObject {
        let merged = try object.stored().merged(with: patch)
        guard let after = MetadataObject(merged.objectValue ?? .empty) else { throw InvalidInput.metadata }
        return after
    }
}

extension User {
    /// Changes the metadata, and returns the name of the changed object, if it has changed.
    mutating func change(_ change: MetadataChange) throws -> [String] {
        let changed = try change.applied(to: metadata)
        guard changed != metadata else { return [] }
        metadata = changed
        return ["metadata.\(change.part.rawValue)"]
    }
}

extension MetadataObject {
    /// The stored object.
    ///
    /// - Throws: `StorageError` if it is damaged.
    func stored() throws(StorageError) -> JSONValue {
        do throws(StrictJSONError) { return try value() } catch {
            throw StorageError(.corrupt, "a user's metadata does not parse: \(error)")
        }
    }
}

extension JSONValue {
    /// Whether a name or a string in the value has the character U+0000.
    fileprivate var hasZeroCharacter: Bool {
        switch self {
        case .string(let string): string.utf8.contains(0)
        case .array(let array): array.contains(where: \.hasZeroCharacter)
        case .object(let object): object.members.contains { $0.name.utf8.contains(0) || $0.value.hasZeroCharacter }
        case .null, .bool, .integer, .double: false
        }
    }
}
