internal import CryptoPrimitives
internal import InternalAPI

/// Sessions and everything that must change together with them, on disk before any call returns.
///
/// Every method is one transaction and holds its audit record.
protocol SessionStore: Sendable {
    /// Spends a grant for a session.
    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningResult

    /// The session of a row, as it is now.
    func session(at locator: Int64) async throws -> SessionRecord?

    /// The session of a `sid`, as it is now.
    func session(named id: SessionID) async throws -> SessionRecord?

    /// A user's sessions that can still be refreshed, newest first.
    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord]

    /// How many sessions of each user can still be refreshed, in the order of `userIDs`.
    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int]

    /// Lets `judge` decide on a session and does what it says.
    ///
    /// - Parameters:
    ///   - seen: the session as it was read before. A rotation of it is stored on the condition that the row is still such;
    ///     otherwise the row decides, as it is in the transaction.
    ///   - judge: pure.
    /// - Returns: the decision and the row after it, in which the last access token may expire later than is said here.
    func rotate(
        _ seen: SessionRecord, now: Int64, judge: @escaping @Sendable (SessionRecord?) -> RotationVerdict
    ) async throws -> (RotationVerdict, SessionRecord?)

    /// Ends the session of a refresh token or of a `sid`; an ended one stays as it is.
    ///
    /// - Returns: the revocation that Redis may not know yet.
    func end(_ target: SessionTarget, reason: RevocationReason, now: Int64) async throws -> Revocation?

    /// Raises the user's epoch and ends all sessions of lower ones.
    ///
    /// - Returns: the user's revocations that Redis may not know yet.
    func endAll(
        ofUser userID: String, below epoch: Int64, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]

    /// Ends one session of a user; an ended one stays as it is.
    ///
    /// - Returns: the revocation that Redis may not know yet; nil when the user has no such session.
    func end(
        _ id: SessionID, ofUser userID: String, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]?

    /// Ends all of a user's sessions but one; grants that are on their way stay good.
    ///
    /// - Returns: the user's revocations that Redis may not know yet.
    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]

    /// Ends the sessions that the holder of a token means; a refresh token has to be the newest of a session that lives.
    ///
    /// - Parameter sparesOwn: the token's own session lives on.
    /// - Returns: the user's revocations that Redis may not know yet, also for a repeat; nil when the token may end no
    ///   other session.
    func endAll(
        by target: SessionTarget, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]?

    /// Gives a user's live sessions new claims, once for each version; a lower one changes nothing.
    ///
    /// - Parameter reseal: the claims as they are to be; nil when they are already; runs inside the transaction.
    /// - Returns: the user's floors that Redis may not know yet.
    func changeRights(
        ofUser userID: String, version: Int64, now: Int64,
        reseal: @escaping @Sendable (SessionRecord) throws -> [UInt8]?
    ) async throws -> [VersionFloor]

    /// Removes the rows of a removed user's ended sessions, at most `limit`, but not of those whose end Redis may not know.
    ///
    /// - Returns: how many went.
    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int

    /// Notes when a removed user's epoch may be forgotten, once, with the record of his removal.
    ///
    /// - Parameter forgottenAt: Unix time in seconds.
    func forgetEpoch(ofUser userID: String, at forgottenAt: Int64, now: Int64) async throws

    /// Floors that Redis may not know yet, oldest first.
    func unpublishedFloors(limit: Int) async throws -> [VersionFloor]

    /// Floors that still matter, in order of `sid`, behind `after`.
    func liveFloors(after: SessionID?, limit: Int, now: Int64) async throws -> [VersionFloor]

    /// Notes that Redis knows these floors, unless they have risen meanwhile.
    func markPublished(_ floors: [VersionFloor]) async throws

    /// How many revocations and floors Redis may not know yet.
    func unpublishedCount() async throws -> Int64

    /// Revocations that Redis may not know yet, oldest first.
    func unpublished(limit: Int) async throws -> [Revocation]

    /// Revocations that still matter, in order of `sid`, behind `after`.
    func live(after: SessionID?, limit: Int, now: Int64) async throws -> [Revocation]

    /// Notes that Redis knows.
    func markPublished(_ sessions: [SessionID]) async throws
}

/// A decision with what the token that goes out with it needs.
struct RotationVerdict: Sendable, Equatable {
    let decision: RotationDecision
    /// When the access token expires that the answer carries; 0 without one.
    let accessExpiresAt: Int64
}

/// The session that a logout means.
enum SessionTarget: Sendable, Equatable {
    case token(RefreshToken)
    case session(SessionID)

    /// Whether it is no spent refresh token.
    func isNewest(of session: SessionRecord) -> Bool {
        switch self {
        case .token(let token): constantTimeEqual(token.hash, session.currentHash)
        case .session: true
        }
    }
}
