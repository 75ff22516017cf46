package import InternalAPI
package import Storage

/// Sessions and everything that must change together with them.
///
/// Every change is atomic, holds its audit record and is durable before the call returns. Faults are `StorageError`s, and
/// then nothing was changed.
package protocol SessionStore: Sendable {
    /// A row number for a session that is to be opened; no number is ever given twice.
    func reserveLocator() async throws -> Int64

    /// Spends a grant for a session, unless it is spent or older than the user's epoch or rights.
    ///
    /// A grant of a higher epoch raises the user's. Sessions beyond the user's number end, those used longest ago, a few
    /// with each sign-in.
    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningOutcome

    /// The session of a row, as it is now.
    func session(at locator: Int64) async throws -> SessionRecord?

    /// The session of a `sid`, as it is now.
    func session(named id: SessionID) async throws -> SessionRecord?

    /// A user's sessions that can still be refreshed, newest first.
    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord]

    /// How many sessions of each user can still be refreshed, in the order of `userIDs`.
    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int]

    /// Does what was decided on a session, if it is unchanged since it was `seen` (`SessionRecord.isUnchanged`).
    func apply(_ change: SessionChange, to seen: SessionRecord, now: Int64) async throws -> Applied

    /// Ends a session; an ended one stays as it is.
    ///
    /// - Returns: the revocation that Redis may not know yet.
    func end(_ id: SessionID, reason: RevocationReason, now: Int64) async throws -> Revocation?

    /// Raises the user's epoch and ends all sessions of lower ones.
    ///
    /// - Parameter spared: a session of his that lives on, if it lives; its epoch is raised with his, so that a repeat spares
    ///   it even when it names none.
    /// - Returns: the user's revocations that Redis may not know yet.
    func endAll(
        ofUser userID: String, below epoch: Int64, sparing spared: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]

    /// Ends all of a user's sessions but one; grants that are on their way stay good.
    ///
    /// - Returns: the user's revocations that Redis may not know yet.
    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]

    /// The same at the word of the holder of one of them, if that is unchanged since it was `seen`.
    ///
    /// - Parameter sparesOwn: the holder's own session lives on.
    func endAll(
        by seen: SessionRecord, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> Applied

    /// The version of a user's rights, and his sessions that live.
    func rights(ofUser userID: String) async throws -> UserRights

    /// Gives a user's live sessions new claims, if his rights and sessions are as in `rights`.
    func apply(_ change: RightsChange, on rights: UserRights, now: Int64) async throws -> Applied

    /// Removes the rows of a removed user's ended sessions, at most `limit`, but not of those whose end Redis may not know.
    ///
    /// - Returns: how many went.
    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int

    /// Notes when a removed user's epoch may be forgotten, once, with the record of his removal.
    ///
    /// - Parameter forgottenAt: Unix time in seconds.
    func forgetEpoch(ofUser userID: String, at forgottenAt: Int64, now: Int64) async throws
}

/// What a user's access tokens rest on.
package struct UserRights: Sendable, Equatable {
    /// The highest version that has been told; 0 while there was no change.
    package let version: Int64
    /// Those that have not ended.
    package let sessions: [SessionRecord]

    package init(version: Int64, sessions: [SessionRecord]) {
        self.version = version
        self.sessions = sessions
    }
}

/// A new version of a user's rights.
package struct RightsChange: Sendable, Equatable {
    package let userID: String
    /// Higher than all that were told before.
    package let version: Int64
    /// Of the sessions whose claims are older, by their names.
    package let sealedClaims: [SessionID: [UInt8]]

    package init(userID: String, version: Int64, sealedClaims: [SessionID: [UInt8]]) {
        self.userID = userID
        self.version = version
        self.sealedClaims = sealedClaims
    }
}
