internal import InternalAPI
internal import Policies

/// Users and everything that must change together with them, on disk before any call returns.
///
/// Every method is one transaction and holds its audit record.
protocol UserStore: Sendable {
    /// Finds, makes, restores or refuses the user of a proved identity; the same attestation gives the same answer.
    func signIn(_ attempt: SignInAttempt, by rule: SignInRule, now: Int64) async throws -> SignInOutcome

    func user(_ id: UserID) async throws -> User?

    /// Changes the profile of a user who may use it.
    ///
    /// - Returns: the user afterwards, whatever his state; nil for none.
    func update(_ id: UserID, _ change: ProfileChange, origin: RequestOrigin, now: Int64) async throws -> User?

    /// Changes a user's rights and queues what token-service is to be told of it.
    ///
    /// - Parameter messages: what it is to be told, from the user before and after.
    /// - Returns: messages about the user that token-service may not have confirmed yet; nil when there is no such user.
    func changeRights(
        of id: UserID, _ change: RightsChange, origin: RequestOrigin, now: Int64,
        messages: @escaping @Sendable (User, User) throws -> [OutboxMessage]
    ) async throws -> [OutboxItem]?

    /// Schedules the deletion, raises the epoch and queues the revocation of all sessions; once scheduled it stays so.
    ///
    /// - Parameter message: what token-service is to be told of the user with the raised epoch.
    /// - Returns: when the data are removed, and messages about the user that token-service may not have confirmed yet; nil
    ///   when there is no such user.
    func scheduleDeletion(
        of id: UserID, graceDays: Int, origin: RequestOrigin, now: Int64,
        message: @escaping @Sendable (User) throws -> OutboxMessage
    ) async throws -> (dueAt: Int64, pending: [OutboxItem])?

    /// Takes a scheduled deletion back before its hour.
    func restore(_ id: UserID, origin: RequestOrigin, now: Int64) async throws -> RestoreOutcome
}

/// What came of a restoration.
enum RestoreOutcome: Sendable, Equatable {
    /// Or nothing was scheduled.
    case restored
    /// The promise to remove the data is kept from its hour on.
    case tooLate
    case unknown
}

/// A proved identity, and the user that it makes if nobody holds it.
struct SignInAttempt: Sendable {
    let proofID: String
    /// Unix time in seconds until which the attestation can come again.
    let proofExpiresAt: Int64
    let identity: ProvedIdentity
    let origin: RequestOrigin
    let newcomer: Newcomer
}

/// What a new user begins with.
struct Newcomer: Sendable {
    let id: UserID
    let pseudonym: Pseudonym
    let name: DisplayName?
}

/// What a sign-in attempt came to.
enum SignInOutcome: Sendable, Equatable {
    /// - isRepeat: the attestation came before, and nothing was changed now.
    case admitted(User, Resolution, isRepeat: Bool)
    case refused(SignInRefusal)
}
