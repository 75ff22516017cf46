import AuthAPI
import InternalAPI
import Policies

/// The native dialect's mapping of attributes: each that the policy declares is a member of the user object under its own name.
struct NativeAttributes: Sendable {
    let declared: [AttributePolicy]

    private static let name = JSONShape.Member(name: "name", shape: .nullable(.string), isRequired: false)
    /// The shape of a change: `name`, and attributes.
    static let change = JSONShape.object(name: "UserChange", [name], hasAttributes: true)
    /// The shape of a change that has the user's own metadata too.
    static let changeWithMetadata = JSONShape.object(
        name: "UserChange", [name, MetadataPatch.shape(of: "own")], hasAttributes: true)

    /// Returns the profile of a user that clients see.
    func profile(_ user: UserDetails) -> UserProfile {
        var shown = UserAttributes()
        for attribute in declared { shown[attribute.name] = user.attributes[attribute.name] }
        return UserProfile(
            id: user.id, phoneNumber: user.phoneNumber, email: user.email, name: user.name, attributes: shown,
            role: user.role, createdAt: user.createdAt)
    }

    /// Reads the members of `PATCH /users/me`: those of `update`, and a patch of the metadata that users write.
    func updateWithMetadata(_ members: KeyedDecodingContainer<MemberName>) throws -> UpdateUserRequest {
        var update = try update(members)
        update.ownPatch = try MetadataPatch.text(of: "own", in: members)
        return update
    }

    /// Reads the members that all dialects with these attributes have: `name`, and the attributes that users set themselves. A `name` of null is removed;
    /// an attribute of null keeps its value.
    func update(_ members: KeyedDecodingContainer<MemberName>) throws -> UpdateUserRequest {
        let name = MemberName("name")
        var update = UpdateUserRequest(
            name: try members.decodeIfPresent(String.self, forKey: name),
            removesName: try members.contains(name) && members.decodeNil(forKey: name) ? true : nil)
        for attribute in declared where attribute.setBy == .user {
            let member = MemberName(attribute.name)
            guard let value = try members.decodeIfPresent(AttributeValue.self, forKey: member) else { continue }
            guard attribute.admits(value) else {
                throw DecodingError.typeMismatch(
                    AttributeValue.self,
                    .init(codingPath: [member], debugDescription: "none of the attribute's values stands here"))
            }
            update.attributes[attribute.name] = value
        }
        return update
    }
}
