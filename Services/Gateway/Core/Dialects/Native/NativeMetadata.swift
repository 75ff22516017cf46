import AuthAPI
import InternalAPI
import StrictJSON

/// A user with their metadata, as `/users/me` shows them. A user without metadata has the members that they had before there was any.
struct ShownProfile: Codable, Sendable {
    private static let phoneVerifiedAt = MemberName("phoneVerifiedAt")

    let user: UserProfile
    let metadata: UserMetadata?
    let phoneVerifiedAt: Int64?

    init(_ details: UserDetails, _ attributes: NativeAttributes) {
        (user, metadata) = (attributes.profile(details), details.metadata)
        phoneVerifiedAt = details.phoneVerifiedAt
    }

    init(from decoder: any Decoder) throws {
        user = try UserProfile(from: decoder)
        let members = try decoder.container(keyedBy: MemberName.self)
        metadata = try members.decodeIfPresent(UserMetadata.self, forKey: MetadataPatch.member)
        phoneVerifiedAt = try members.decodeIfPresent(Int64.self, forKey: Self.phoneVerifiedAt)
    }

    func encode(to encoder: any Encoder) throws {
        try user.encode(to: encoder)
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeIfPresent(metadata, forKey: MetadataPatch.member)
        try members.encodeIfPresent(phoneVerifiedAt, forKey: Self.phoneVerifiedAt)
    }
}

/// The member `metadata` of a change: a JSON merge patch (RFC 7396) of the one object that the caller may write.
enum MetadataPatch {
    static let member = MemberName("metadata")

    /// Returns the patch of an object as JSON, or `nil` if the body has none.
    ///
    /// - Parameter part: the object's name. A patch of the other one is refused, since it would be lost without a word.
    static func text(of part: String, in members: KeyedDecodingContainer<MemberName>) throws -> String? {
        guard members.contains(member) else { return nil }
        guard case .object(let metadata) = try members.decode(JSONValue.self, forKey: member),
            metadata.members.allSatisfy({ $0.name == part })
        else {
            throw DecodingError.typeMismatch(
                UserMetadata.self,
                .init(codingPath: [member], debugDescription: "an object with the one member \(part) stands here"))
        }
        guard let patch = metadata[part]?.canonical else { return nil }
        // With the escapes of a string, a longer patch could be too long for a call.
        guard patch.count <= MetadataObject.patchBytesMax else {
            throw DecodingError.dataCorrupted(.init(codingPath: [member], debugDescription: "the patch is too long"))
        }
        return String(decoding: patch, as: UTF8.self)
    }

    /// The shape of the member.
    static func shape(of part: String) -> JSONShape.Member {
        let object = JSONShape.nullable(.object(name: "MetadataObject", []))
        return .init(
            name: member.stringValue,
            shape: .object(
                name: part == "app" ? "AppMetadataPatch" : "OwnMetadataPatch",
                [.init(name: part, shape: object, isRequired: false)]),
            isRequired: false)
    }
}

extension UserMetadata: ShapeStating {
    static var shape: JSONShape {
        .object(
            name: "Metadata",
            [
                .init(name: "app", shape: .object(name: "MetadataObject", [])),
                .init(name: "own", shape: .object(name: "MetadataObject", [])),
            ])
    }
    static var sample: UserMetadata? { UserMetadata() }
}

extension ShownProfile: ShapeStating {
    static var shape: JSONShape {
        .object(
            name: "OwnUser",
            UserProfile.shape.members + [
                .init(name: MetadataPatch.member.stringValue, shape: UserMetadata.shape, isRequired: false),
                .init(name: phoneVerifiedAt.stringValue, shape: .integer, isRequired: false),
            ], hasAttributes: true)
    }
}
