package import StrictJSON

/// The free JSON objects of a user.
package struct UserMetadata: Codable, Sendable, Equatable {
    /// The object that administrators and the operator write.
    package var app: MetadataObject
    /// The object that the user writes.
    package var own: MetadataObject

    package init(app: MetadataObject = .empty, own: MetadataObject = .empty) { (self.app, self.own) = (app, own) }

    package var isEmpty: Bool { app.isEmpty && own.isEmpty }

    /// The metadata, or `nil` if both objects are empty.
    package var orNil: UserMetadata? { isEmpty ? nil : self }
}

/// A JSON object as its canonical text, which is parsed only where a part of it is needed; in JSON the object itself.
package struct MetadataObject: Sendable, Equatable {
    package static let empty = MetadataObject(stored: "{}")
    /// The most bytes of the canonical text.
    package static let bytesMax = 4_096
    /// The most bytes of a merge patch: it may remove everything and add as much again.
    package static let patchBytesMax = 2 * bytesMax
    /// The nesting depth of arrays and objects, this one included.
    package static let depthMax = 8

    package let text: String

    /// - Parameter stored: a canonical text.
    package init(stored: String) { text = stored }

    /// Returns the object, or `nil` if it has more than `bytesMax` bytes.
    package init?(_ object: JSONObject) {
        let canonical = JSONValue.object(object).canonical
        guard canonical.count <= Self.bytesMax else { return nil }
        text = String(decoding: canonical, as: UTF8.self)
    }

    package var isEmpty: Bool { text == "{}" }

    /// Parses the text.
    ///
    /// - Throws: `StrictJSONError` for a text that is damaged.
    package func value() throws(StrictJSONError) -> JSONValue {
        let limits = StrictJSON.Limits(bytesMax: Self.bytesMax, depthMax: Self.depthMax)
        return try StrictJSON.parse(Array(text.utf8), limits: limits)
    }
}

extension MetadataObject: Codable {
    package init(from decoder: any Decoder) throws {
        text = String(decoding: try JSONValue(from: decoder).canonical, as: UTF8.self)
    }

    package func encode(to encoder: any Encoder) throws { try value().encode(to: encoder) }
}
