internal import HTTPTypes
internal import InternalAPI
internal import ServiceKit

/// The problems that user-service answers with.
enum UserProblem {
    static let invalidToken = ServiceProblem(
        .unauthorized, code: InternalCode.invalidToken, "The access token is not good")
    static let inactive = ServiceProblem(
        .forbidden, code: InternalCode.accountInactive, "The account is deactivated")
    static let invalidName = ServiceProblem(
        .badRequest, code: InternalCode.invalidRequest,
        "A name has 1 to \(DisplayName.charactersMax) characters and no control characters")
    static let invalidChange = ServiceProblem(
        .badRequest, code: InternalCode.invalidRequest,
        "A role of 1 to 64 of A-Z a-z 0-9 . _ - is needed, or whether the user is active")
    static let invalidKey = ServiceProblem(
        .badRequest, code: InternalCode.invalidRequest,
        "Neither a user's id nor a whole phone number, with + and calling code: there is no search for parts")
    static let invalidPage = ServiceProblem(
        .badRequest, code: InternalCode.invalidRequest,
        "A page has 1 to \(UserContract.pageMax) users, and its cursor is the one that the page before ends with")
    static let unknownUser = ServiceProblem(.notFound, code: InternalCode.notFound, "There is no such user")
    static let removalIsDue = ServiceProblem(
        .conflict, code: "removal_due", "The day of the removal has come: the user cannot be restored any more")
    static let deletionScheduled = ServiceProblem(
        .conflict, code: "deletion_scheduled", "The account waits for its deletion")
}
