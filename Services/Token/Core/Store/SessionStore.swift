package import InternalAPI
package import Storage

/// The sessions and everything that must change together with them.
///
/// Every change is atomic, includes its audit record and is durable before the call returns. Faults are `StorageError`s, and then
/// nothing was changed.
package protocol SessionStore: Sendable {
    /// Returns once all that has been read is durable. A response that finds a change made already rests on a read; a failover can
    /// undo what was read but not yet acknowledged.
    func confirm() async throws

    /// Reserves a row number for a session to be opened; no number is ever used twice.
    func reserveLocator() async throws -> Int64

    /// Uses a grant to open a session, unless the grant is used or older than the user's epoch or rights, or a session of its actor
    /// has ended.
    ///
    /// A grant of a higher epoch raises the user's. The session that the page had before is revoked, and so are sessions beyond the
    /// user's limit, those used longest ago first, a few with each sign-in.
    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningOutcome

    /// Returns the session that a grant has opened, as it is durably, or `nil` if it has opened none.
    func session(openedBy grantID: String) async throws -> OpenedSession?

    /// Returns the current session of a row.
    func session(at locator: Int64) async throws -> SessionRecord?

    /// Returns the current session of a `sid`.
    func session(named id: SessionID) async throws -> SessionRecord?

    /// Returns the session of a row as it is durably. A response that a session is revoked or does not exist rests on this read: a
    /// server that another one has replaced does not know later sessions, and its reads succeed.
    func durableSession(at locator: Int64) async throws -> SessionRecord?

    /// Returns the session of a `sid` as it is durably.
    func durableSession(named id: SessionID) async throws -> SessionRecord?

    /// Returns the version below which a session's access tokens are refused, as it is durably; 0 if no change has refused any.
    func durableFloor(of id: SessionID) async throws -> Int64

    /// Returns a user's sessions that can still be refreshed, newest first, as they are durably.
    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord]

    /// Returns a user's sessions, also ended ones, newest first, whose row numbers are below `before`.
    func allSessions(ofUser userID: String, before: Int64?, limit: Int) async throws -> [SessionRecord]

    /// Returns how many sessions of each user can still be refreshed, in the order of `userIDs`.
    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int]

    /// Returns the time of the newest sign-in or refresh of a user, also of sessions that have expired and were removed.
    func newestUse(ofUser userID: String) async throws -> NewestUse

    /// The number of all sessions that can be refreshed. All are read, so this is for a gauge.
    func liveCount(now: Int64) async throws -> Int

    /// Carries out a decision on a session, if the session is unchanged since it was `seen` (`SessionRecord.isUnchanged`).
    func apply(_ change: SessionChange, to seen: SessionRecord, now: Int64) async throws -> Applied

    /// Raises the time at which the session's user last showed who they are, and adds what they showed, with a record of the method.
    ///
    /// - Parameter time: when they did, in Unix seconds.
    func noteAuthentication(
        of id: SessionID, _ statement: Reauthentication, at time: Int64, now: Int64
    ) async throws -> NotedAuthentication

    /// Revokes a session; a revoked one stays as it is.
    ///
    /// - Returns: the revocation that Redis may not know yet.
    func end(_ id: SessionID, reason: RevocationReason, now: Int64) async throws -> Revocation?

    /// Raises the user's epoch and revokes all sessions of lower ones.
    ///
    /// - Parameter spared: sessions of the user that stay live, if they are live. Their epoch is raised too, so that a repeat spares
    ///   them even if it states none.
    /// - Returns: the user's revocations that Redis may not know yet.
    func endAll(
        ofUser userID: String, below epoch: Int64, sparing spared: SparedSessions, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]

    /// Revokes all of a user's sessions but one. Grants that are on their way stay valid.
    ///
    /// - Returns: the user's revocations that Redis may not know yet.
    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]

    /// Revokes all sessions in which a user acts as others. The reason is the operator's, since nothing of the others has changed.
    ///
    /// - Returns: those of their revocations that Redis may not know yet.
    func endActing(by actorID: String, now: Int64) async throws -> [Revocation]

    /// Revokes them on request of the holder of one of them, if that session is unchanged since it was `seen`.
    ///
    /// - Parameter sparesOwn: whether the holder's own session stays live.
    func endAll(
        by seen: SessionRecord, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> Applied

    /// Returns the version of a user's rights, and the user's live sessions.
    func rights(ofUser userID: String) async throws -> UserRights

    /// Gives a user's live sessions new claims, if the rights and sessions are as in `rights`.
    func apply(_ change: RightsChange, on rights: UserRights, now: Int64) async throws -> Applied

    /// Removes the rows of a removed user's revoked sessions, at most `limit`, but not of those whose revocation Redis may not
    /// know.
    ///
    /// - Returns: how many rows were removed.
    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int

    /// Notes when a removed user's epoch may be forgotten, once, with the record of the removal.
    ///
    /// - Parameter forgottenAt: Unix time in seconds.
    func forgetEpoch(ofUser userID: String, at forgottenAt: Int64, now: Int64) async throws
}

/// The session that a grant has opened.
package enum OpenedSession: Sendable, Equatable {
    case session(SessionRecord)
    /// The session has expired, and its row is gone.
    case gone
}

/// The outcome of noting a statement in a session.
package enum NotedAuthentication: Sendable, Equatable {
    case noted
    /// The statement was noted before, or says nothing new.
    case unchanged
    /// The user's rights have changed since the proof was judged.
    case stale
    /// There is no such session, or it is revoked.
    case noSession
}

/// The sessions that stay live when a user's epoch is raised.
package enum SparedSessions: Sendable, Equatable {
    case nothing
    case one(SessionID)
    /// Sessions that began with another method. Only those of the epoch before the new one are spared: the others are sessions that an
    /// earlier raise revokes, whose message has not arrived yet.
    case otherMethods(than: String)
}

/// The facts on which a user's access tokens depend.
package struct UserRights: Sendable, Equatable {
    /// The highest version received; 0 if there was no change.
    package let version: Int64
    /// The sessions that are not revoked.
    package let sessions: [SessionRecord]

    package init(version: Int64, sessions: [SessionRecord]) {
        self.version = version
        self.sessions = sessions
    }
}

/// A new version of a user's rights.
package struct RightsChange: Sendable, Equatable {
    package let userID: String
    package let version: Int64
    /// Whether the sessions' earlier access tokens stay valid.
    package let keepsTokens: Bool
    /// Whether the sessions fall to the factors with which they began.
    package let lowersFactors: Bool
    /// The new claims of the sessions whose claims are older, by their ids.
    package let sealedClaims: [SessionID: [UInt8]]

    package init(
        userID: String, version: Int64, keepsTokens: Bool = false, lowersFactors: Bool = false,
        sealedClaims: [SessionID: [UInt8]]
    ) {
        self.lowersFactors = lowersFactors
        self.userID = userID
        self.version = version
        self.keepsTokens = keepsTokens
        self.sealedClaims = sealedClaims
    }
}

extension SessionStore {
    /// Revokes a session, and if it is a user's own, those in which the user acts as others.
    ///
    /// - Returns: those of their revocations that Redis may not know yet.
    package func endWithActing(
        _ session: SessionRecord, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        let own = try await end(session.id, reason: reason, now: now)
        let acting = session.actorID == nil ? try await endActing(by: session.userID, now: now) : []
        return [own].compactMap(\.self) + acting
    }
}

extension SessionStore {
    /// Returns at once, for storage in which only durable changes can be read.
    package func confirm() async throws {}

    package func durableSession(at locator: Int64) async throws -> SessionRecord? { try await session(at: locator) }

    package func durableSession(named id: SessionID) async throws -> SessionRecord? { try await session(named: id) }
}
