import InternalAPI
import Policies

/// Errors in requests to user-service, in words for the person who reads the response.
extension InvalidInput {
    static let name = InvalidInput(
        "A name has 1 to \(DisplayName.charactersMax) characters and no control characters", member: "name")
    static let address = InvalidInput("The email address is not valid", member: "email")
    static let shortNonce = InvalidInput(
        "A nonce has at least \(IdentityTokenRule.nonceLengthMin) characters", member: "nonce")
    static let change = InvalidInput(
        "Give at least one of: a role (1 to 64 of A-Z a-z 0-9 . _ -), the active state, an attribute, a name, a phone "
            + "number, an email address, metadata")
    static let metadata = InvalidInput(
        "Metadata is a JSON merge patch: one object, after the merge at most \(MetadataObject.bytesMax) bytes and "
            + "\(MetadataObject.depthMax) levels deep, without zero characters", member: "metadata")
    static let phone = InvalidInput("This is not a whole phone number with + and calling code", member: "phone")
    static let invitation = InvalidInput(
        "An invitation needs an email address, or a phone number with + and calling code, and a role of 1 to 64 of "
            + "A-Z a-z 0-9 . _ -")
    static let key = InvalidInput(
        "This is not a user's id, a whole email address, a phone number with + and calling code, or PROVIDER:SUBJECT. "
            + "There is no search for parts")
    static let numberChange = InvalidInput(
        "Use 1 to \(RenumberRequest.changesMax) changes, each from one prefix to another, both with + and digits"
    )

    static let subjectChange = InvalidInput(
        "Use 1 to \(ResubjectRequest.changesMax) changes, each from one subject to another, both with 1 to 256 visible ASCII "
            + "characters", member: "changes")
    static let unknownProvider = InvalidInput("The policy has no provider of this name", member: "provider")

    static func attribute(_ name: String) -> InvalidInput {
        InvalidInput("An attribute's value is not of the type that the policy says", member: name)
    }

    /// An attribute that the policy does not declare.
    static func undeclared(_ name: String, declared: [String]) -> InvalidInput {
        InvalidInput(
            "The policy declares no attribute \"\(name)\""
                + (declared.isEmpty ? ", and no other one" : "; it declares \(declared.joined(separator: ", "))"),
            member: "attributes")
    }

    /// A value that the operator wrote, and that is not of its attribute's type.
    static func written(_ name: String, _ kind: AttributePolicy.Kind) -> InvalidInput {
        let rule =
            switch kind {
            case .boolean: "a boolean: use true or false"
            case .integer: "an integer: use digits, with a - before them if need be"
            case .string: "a string of at most 256 characters without control characters"
            }
        return InvalidInput("The attribute \(name) is \(rule)", member: "attributes")
    }

    static let auditPage = InvalidInput("A page has 1 to \(AuditPage.recordsMax) records", member: "limit")

    static let exportCursor = InvalidInput(
        "The cursor is not of this export, or an hour old. Begin again without it", member: "cursor")

    static func page(_ member: String) -> InvalidInput {
        InvalidInput(
            "A page has 1 to \(UserPage.usersMax) users, and its cursor is the one of the last line of the page before",
            member: member)
    }
}
