import AuthAPI
import InternalAPI

/// Lists live sessions, newest first, of the bearer, or of any user for the operator; or counts them.
struct ListSessions: Sendable {
    /// The greatest number of sessions that are listed. A user with more can revoke the others with `EndOtherSessions`.
    static let countMax = 200

    let bearers: BearerSessions
    let store: any SessionStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameter accessToken: identifies the user and the current session.
    func callAsFunction(accessToken: String) async throws -> OperationOutcome<SessionList, BearerRefusal> {
        let now = now()
        return try await bearers.admit(accessToken, now: now) { session in
            .answer(try await list(ofUser: session.userID, current: session.id, now))
        }
    }

    func callAsFunction(userID: String) async throws -> SessionList {
        try await list(ofUser: userID, current: nil, now())
    }

    /// Returns how many live sessions each of some users has.
    ///
    /// - Throws: `InvalidInput` if there are more users than a page contains.
    func counts(_ request: SessionCountsRequest) async throws -> SessionCounts {
        guard request.userIDs.count <= UserPage.usersMax else { throw InvalidInput("too many users") }
        return SessionCounts(counts: try await store.liveCounts(ofUsers: request.userIDs, now: now()))
    }

    /// Returns the user of a session, or `nil` unless the session is live.
    func owner(of sessionID: String) async throws -> String? {
        guard let id = SessionID(text: sessionID), let session = try await store.durableSession(named: id),
            session.revokedFor == nil, session.refreshExpiresAt > now()
        else { return nil }
        return session.userID
    }

    private func list(ofUser userID: String, current: SessionID?, _ now: Int64) async throws -> SessionList {
        let sessions = try await store.sessions(ofUser: userID, limit: Self.countMax, now: now)
        return SessionList(sessions: sessions.map { SessionSummary($0, isCurrent: $0.id == current) })
    }
}

extension SessionSummary {
    init(_ session: SessionRecord, isCurrent: Bool) {
        self.init(
            id: session.id.text, deviceName: session.device, createdAt: session.createdAt,
            lastUsedAt: session.lastUsedAt, address: session.network, current: isCurrent,
            web: session.pageHash == nil ? nil : true, acting: session.actorID == nil ? nil : true)
    }
}
