import AuthAPI
import InternalAPI

/// Lists a user's sessions, and revokes them or one of them, on request of an administrator. The user may sign in again.
///
/// The record of the request is durable before token-service is called, whose own records say what ended.
struct EndUserSessions: Sendable {
    typealias Outcome = OperationOutcome<EndSessionsAnswer, AdminChangeRefusal>

    var store: any UserStore
    let tokenService: ServiceClient
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `ServiceUnavailable` if token-service does not respond; `StorageError`.
    func callAsFunction(_ request: EndUserSessionsRequest, requestID: String?) async throws -> Outcome {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .refused(.noSuchUser) }
        if let session = request.sessionID {
            let live = try await tokenService.call(
                TokenOperations.liveSession, LiveSessionRequest(sessionID: session), requestID: requestID)
            guard case .answer(let live) = live, live.userID == request.userID else { return .refused(.notFound) }
        }
        let detail = request.sessionID.map { "session \($0)" } ?? "all"
        guard try await record(.sessionsEnded, of: id, detail, requestID) else { return .refused(.noSuchUser) }
        let ended = try await tokenService.call(
            TokenOperations.endSessions,
            EndSessionsRequest(
                userID: request.sessionID == nil ? request.userID : nil, sessionID: request.sessionID,
                administrator: RequestOrigin.ofAdministrator?.method),
            requestID: requestID)
        guard case .answer(let answer) = ended else { return .refused(.notFound) }
        return .answer(answer)
    }

    /// Lists the user's live sessions, newest first.
    func list(
        _ request: UserSessionsRequest, requestID: String?
    ) async throws -> OperationOutcome<SessionList, AdminReadRefusal> {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix),
            try await record(.lookedUp, of: id, "sessions", requestID)
        else { return .refused(.noSuchUser) }
        let named = UserSessionsRequest(
            userID: request.userID, administrator: RequestOrigin.ofAdministrator?.method)
        let list = try await tokenService.call(TokenOperations.userSessions, named, requestID: requestID)
        guard case .answer(let sessions) = list else { return .refused(.noSuchUser) }
        return .answer(sessions)
    }

    /// - Returns: `false` if there is no such user.
    private func record(
        _ event: AuditEntry.Event, of id: UserID, _ detail: String, _ requestID: String?
    ) async throws -> Bool {
        let origin = RequestOrigin.byOperator(requestID)
        return try await store.decide(UserQuestion(.user(id), askedAt: now())) { facts, _ in
            guard let user = facts.holder else { return Verdict(false) }
            return Verdict(true, [.audit(AuditEntry(event, user, origin, detail: detail))])
        }
    }
}
