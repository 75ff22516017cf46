import FoundationEssentials
import InternalAPI

/// The titles of user-service's refusals, for the person who reads the response.
enum RefusalTitle {
    static let invalidToken = "The access token is not valid"
    static let inactive = "The account is deactivated"
    static let reauthenticationRequired = "The account has a password: send it, or sign in again first"
    static func invited(_ invitation: InvitationSummary) -> String {
        let end = Date(timeIntervalSince1970: Double(invitation.expiresAt)).formatted(.iso8601)
        return "There is no such user yet, but an invitation with the role \(invitation.role) until \(end)"
    }
    static let noAdministrator = "Only administrators see users"
    static let reviewersHaveNoRole =
        "An account made by review access can have no role, no other phone number and no email address"
    static func taken(_ kind: ProvedIdentity.Kind, by user: String) -> String {
        let value = kind == .phone ? "phone number" : "email address"
        return "The user \(user) has this \(value). Delete that account first, or use another \(value)"
    }
    static let noMail =
        "The policy sends no mail that could verify an email address. It needs the section email or passwords"
    static let unknownUser = "There is no such user"
    static let removalIsDue = "The removal is due: the user cannot be restored any more"
    static let notInvited = "Only invited people can become users"
    static let weakPassword = "The password is too short, too long, too common, or the address itself"
    static let addressTaken = "A user has this address already, or an administrator with another password"
    static let noPasswords = "The policy has no passwords"
    static let alreadyUser = "This person already has an account"
    static let deletionScheduled = "The account waits for its deletion"
}
