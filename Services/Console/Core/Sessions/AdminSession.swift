import AuthAPI
import CryptoPrimitives
import ServiceCalls

/// The session of an administrator in one browser: their tokens, and a task that waits for a proof of who they are.
actor AdminSession {
    private struct Tokens {
        let access: String
        let refresh: String
        let expiresAt: ContinuousClock.Instant
        /// The key of the refresh, and of each repeat of it: the API may have made it although it said otherwise.
        let refreshKey = Base64URL.encode(SecureRandom.bytes(16))

        init(_ reply: TokenReply, at now: ContinuousClock.Instant) {
            (access, refresh) = (reply.accessToken, reply.refreshToken)
            expiresAt = now + .seconds(max(0, reply.expiresIn))
        }
    }

    /// How long before its expiry an access token is replaced.
    private static let leeway: Duration = .seconds(20)

    /// The text that each form of the session contains, and no page of another site knows.
    nonisolated let guardText = Base64URL.encode(SecureRandom.bytes(16))
    private let calls: GatewayCalls
    private var tokens: Tokens
    private var isOver = false
    private var renewal: Task<Result<Void, APIFailure>, Never>?
    private var waitingTask: WaitingTask?
    private var lastAnswer: (task: WaitingTask, body: [UInt8])?

    init(_ tokens: TokenReply, calls: GatewayCalls, now: ContinuousClock.Instant = .now) {
        (self.calls, self.tokens) = (calls, Tokens(tokens, at: now))
    }

    /// Sends a call with the session's access token, which is replaced before if it is about to expire, and after a refusal.
    ///
    /// - Returns: the body of the response.
    func send(_ call: APICall, for browser: Browser) async throws(APIFailure) -> [UInt8] {
        if tokens.expiresAt - Self.leeway <= .now { try await renew(tokens.access, for: browser) }
        let access = tokens.access
        do {
            return try await GatewayCalls.accepted(calls.send(call, for: browser, token: access))
        } catch .signedOut {
            try await renew(access, for: browser)
            return try await GatewayCalls.accepted(calls.send(call, for: browser, token: tokens.access))
        }
    }

    /// Sends a call, and decodes the response.
    func read<Answer: Decodable>(
        _ path: String, as type: Answer.Type = Answer.self, for browser: Browser
    ) async throws(APIFailure) -> Answer {
        guard let answer = GatewayCalls.decoded(type, try await send(.get(path), for: browser)) else {
            throw .unavailable
        }
        return answer
    }

    // MARK: - The proof

    /// Keeps a task until the administrator has shown who they are.
    func keep(_ task: WaitingTask) { waitingTask = task }

    var waiting: WaitingTask? { waitingTask }

    /// Shows who the administrator is, by a code. Then the task no longer waits.
    func prove(code: String, for task: WaitingTask, _ browser: Browser) async throws(APIFailure) {
        _ = try await send(.post("/auth/reauthenticate", ReauthenticationBody(code: code)), for: browser)
        try await renew(tokens.access, for: browser)
        if waitingTask == task { waitingTask = nil }
    }

    // MARK: - The last change

    /// Keeps the API's answer to a change until the next one, since the page that shows it comes after a redirect.
    func keep(_ body: [UInt8], of task: WaitingTask) { lastAnswer = (task, body) }

    /// Returns the answer to the last change, or `nil` if that was another one.
    func answer(to act: AdminAct, of subject: String) -> [UInt8]? {
        lastAnswer.flatMap { $0.task.act == act && $0.task.subject == subject ? $0.body : nil }
    }

    // MARK: - The end

    /// Ends the session at the API. Whether that succeeds or not, the session sends nothing more.
    func end(for browser: Browser) async {
        isOver = true
        let call = APICall.post("/auth/logout", LogoutBody(refreshToken: tokens.refresh))
        do { _ = try await calls.send(call, for: browser) } catch {}
    }

    // MARK: - Refreshing

    /// Replaces the tokens, unless that has happened since `access` was read. Callers at the same time share one refresh, which a
    /// caller that goes away does not cancel: the new token would be lost.
    private func renew(_ access: String, for browser: Browser) async throws(APIFailure) {
        guard !isOver else { throw .signedOut }
        guard access == tokens.access else { return }
        let running = renewal ?? Task { await self.refresh(for: browser) }
        renewal = running
        try await running.value.get()
    }

    private func refresh(for browser: Browser) async -> Result<Void, APIFailure> {
        defer { renewal = nil }
        let call = APICall.post(
            "/auth/refresh", RefreshBody(refreshToken: tokens.refresh),
            headers: ["Idempotency-Key": tokens.refreshKey])
        do throws(APIFailure) {
            let answer: ProviderAnswer
            do throws(APIFailure) { answer = try await calls.send(call, for: browser) } catch {
                // The refresh may have happened: the repeat with the same key gets the same token.
                answer = try await calls.send(call, for: browser)
            }
            guard let reply = GatewayCalls.decoded(TokenReply.self, try GatewayCalls.accepted(answer)) else {
                throw .unavailable
            }
            tokens = Tokens(reply, at: .now)
            return .success(())
        } catch {
            if error == .signedOut { isOver = true }
            return .failure(error)
        }
    }
}
