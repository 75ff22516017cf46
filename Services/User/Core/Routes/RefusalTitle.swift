import FoundationEssentials
import InternalAPI

/// What user-service says with its refusals, for whoever reads them.
enum RefusalTitle {
    static let invalidToken = "The access token is not good"
    static let inactive = "The account is deactivated"
    static let reauthenticationRequired = "The account has a password: send it, or sign in again first"
    static let invalidName = "A name has 1 to \(DisplayName.charactersMax) characters and no control characters"
    static let invalidAttribute = "An attribute's value is not of the type that the policy says"
    static let invalidChange =
        "A role of 1 to 64 of A-Z a-z 0-9 . _ - is needed, whether the user is active, or an "
        + "attribute that the policy declares, with a value of its type"
    static let invalidKey =
        "Neither a user's id, a whole address or phone number with + and calling code, nor a provider's name, a colon and a "
        + "subject: there is no search for parts"
    static let invalidPage =
        "A page has 1 to \(UserPage.usersMax) users, and its cursor is the one that the page before ends with"
    static func invited(_ invitation: InvitationSummary) -> String {
        let end = Date(timeIntervalSince1970: Double(invitation.expiresAt)).formatted(.iso8601)
        return "No user yet: invited with the role \(invitation.role) until \(end)"
    }
    static let invalidNumberChange =
        "1 to \(RenumberRequest.changesMax) changes are needed, each from a prefix to another one, both with + and digits"
    static let noAdministrator = "Only administrators see users"
    static let reviewersHaveNoRole = "An account made by review access can have no role"
    static let unknownUser = "There is no such user"
    static let removalIsDue = "The day of the removal has come: the user cannot be restored any more"
    static let notInvited = "Only who was invited becomes a user"
    static let weakPassword = "The password is too short, too long, too common, or the address itself"
    static let addressTaken = "The address is a user's already, or an administrator's with another password"
    static let noPasswords = "The policy has no passwords"
    static let alreadyUser = "Whom it names is a user already"
    static let invalidInvitation =
        "An invitation needs an e-mail address, or a phone number with + and calling code, and a role of 1 to 64 of "
        + "A-Z a-z 0-9 . _ -"
    static let invalidAddress = "The e-mail address is not valid"
    static let deletionScheduled = "The account waits for its deletion"
}
