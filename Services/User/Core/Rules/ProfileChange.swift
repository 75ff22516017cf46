import AuthAPI
import InternalAPI

/// A change that users make of their own profile. Nothing else of a user can be assigned.
struct ProfileChange: Sendable, Equatable {
    enum Name: Sendable, Equatable {
        case kept
        case removed
        case set(DisplayName)
    }

    let name: Name
    /// Attributes that are missing keep their values.
    let attributes: UserAttributes
    /// `nil` keeps the metadata.
    let metadata: MetadataChange?

    /// Reads a request.
    ///
    /// - Parameter attributes: the attributes of the request that users may set.
    /// - Throws: `InvalidInput` for its name.
    init(
        name typed: String?, removesName: Bool = false, attributes: UserAttributes, metadata: MetadataChange? = nil
    ) throws(InvalidInput) {
        self.metadata = metadata
        if let typed {
            guard !removesName, let name = DisplayName(typed) else { throw .name }
            self.name = .set(name)
        } else {
            name = removesName ? .removed : .kept
        }
        self.attributes = attributes
    }

    /// The user after the change, and the names of the changed members.
    ///
    /// - Throws: `InvalidInput` for metadata that becomes too long; `StorageError` for stored metadata that is damaged.
    func applied(to user: User, now: Int64) throws -> (user: User, changed: [String]) {
        var changed: [String] = []
        var after = user
        let nameAfter: String? =
            switch name {
            case .kept: user.name
            case .removed: nil
            case .set(let name): name.text
            }
        if nameAfter != user.name {
            after.name = nameAfter
            changed.append("name")
        }
        changed += after.attributes.set(attributes)
        if let metadata { changed += try after.change(metadata) }
        if !changed.isEmpty { after.updatedAt = now }
        return (after, changed)
    }
}
