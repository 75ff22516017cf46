import AccessTokens
import CoreMetrics
import InternalAPI
import Policies
import ServiceCalls
import ServiceKit
import StrictJSON
import Synchronization

/// Presents refresh tokens to the Supabase Auth server from which the app moves (`dialects[].previous`).
///
/// The server keeps the session until the first refresh here. Until then it accepts the same token again, so that a call which was
/// cut off at any point can be repeated.
final class PreviousSessions: Sendable {
    /// The method of the sessions here, in the audit and in metrics.
    static let method = "supabase"
    /// How long the exchange may take.
    private static let callLimit: Duration = .seconds(3)
    /// How long each of the two calls may take that end a session, for which the client's first refresh waits.
    private static let endLimit: Duration = .milliseconds(1_500)
    /// The most calls at once; the others are refused, so that a server that hangs holds up nothing else.
    private static let callsMax = 32
    private static let apiKeyBytesMax = 2_048

    private let server: PreviousServer?
    private let exchange: any ProviderExchange
    private let store: any UserStore
    private let grants: SessionGrants
    private let secondFactor: SecondFactorRule?
    /// Counts refused tokens, so that one network's guesses do not use up what the old server grants this deployment.
    private let refusals: FailureLimit
    /// Unix time in seconds.
    private let now: @Sendable () -> Int64
    private let running = Mutex(0)

    /// - Parameter exchange: follows no redirect and reads no more than `PreviousAnswer.bytesMax` bytes.
    init(
        policy: Policy, exchange: any ProviderExchange, store: any UserStore, grants: SessionGrants,
        secondFactor: SecondFactorRule?, refusals: FailureLimit, now: @escaping @Sendable () -> Int64
    ) {
        server = policy.dialects.lazy.compactMap(\.previous).first
        (self.exchange, self.store, self.grants) = (exchange, store, grants)
        (self.secondFactor, self.refusals, self.now) = (secondFactor, refusals, now)
    }

    /// Presents a token, and returns a grant for the user whose session it is.
    ///
    /// - Throws: `StorageError`.
    func prove(_ request: PreviousSessionRequest) async throws -> PreviousSessionAnswer {
        let now = now()
        guard let server, now < server.until, let token = PreviousToken(request.refreshToken) else {
            return PreviousSessionAnswer(.off)
        }
        if let wait = refusals.retryAfterSeconds(address: request.address, now: now) {
            Self.count("limited")
            return PreviousSessionAnswer(.rateLimited, retryAfterSeconds: wait)
        }
        switch await present(token.text, apiKey: request.apiKey, within: Self.callLimit) {
        case .unavailable(let cause):
            Self.count(cause)
            return PreviousSessionAnswer(.unavailable)
        case .refused:
            Self.count("refused")
            refusals.countFailure(address: request.address, now: now)
            return PreviousSessionAnswer(.refused)
        case .session(let user, _, let next): return try await grant(token, next: next, to: user, now)
        }
    }

    /// Ends a session at the old server, as far as it responds within about 3 s. Its access token may have expired, so the session
    /// is refreshed first.
    func end(_ request: PreviousSessionRequest) async {
        let presented = await present(request.refreshToken, apiKey: request.apiKey, within: Self.endLimit)
        guard case .session(_, let accessToken, _) = presented else { return Self.count("not ended") }
        let answer = await send(
            "/logout?scope=local", Array("{}".utf8), ["Authorization": "Bearer \(accessToken)"], request.apiKey,
            within: Self.endLimit)
        Self.count(answer?.status == 204 ? "ended" : "not ended")
    }

    private func grant(
        _ token: PreviousToken, next: String, to uuid: String, _ now: Int64
    ) async throws -> PreviousSessionAnswer {
        guard let text = SupabaseID.userID(uuid, prefix: grants.userIDPrefix),
            let id = UserID(text: text, prefix: grants.userIDPrefix)
        else {
            Self.count("malformed")
            return PreviousSessionAnswer(.unavailable)
        }
        let facts = try await store.facts(UserQuestion(.account(id), askedAt: now, readsSecondFactor: true))
        guard let user = facts.holder else {
            Self.count("not imported")
            return PreviousSessionAnswer(.unavailable)
        }
        guard user.isActive, user.deletion == nil else { return PreviousSessionAnswer(.inactive) }
        guard secondFactor?.isNeeded(by: user, facts.secondFactor, now: now) != true else {
            return PreviousSessionAnswer(.secondFactorRequired)
        }
        Self.count("exchanged")
        return PreviousSessionAnswer(.proved, grant: try grants.grant(token, next: next, to: user, now: now))
    }

    private func present(_ token: String, apiKey: String?, within limit: Duration) async -> PreviousAnswer {
        var body = JSONWriter()
        body.member("refresh_token", token)
        let path = "/token?grant_type=refresh_token"
        guard let answer = await send(path, body.finished(), [:], apiKey, within: limit) else {
            return .unavailable("no response")
        }
        return PreviousAnswer(answer)
    }

    /// Sends a request, or returns `nil` if no complete response arrives in time or too many calls are running. The error is not
    /// logged, since it could contain a part of the request.
    private func send(
        _ path: String, _ body: [UInt8], _ headers: [String: String], _ apiKey: String?, within limit: Duration
    ) async -> ProviderAnswer? {
        guard let url = server?.url?.text, enter() else { return nil }
        defer { running.withLock { $0 -= 1 } }
        var headers = headers.merging(["X-Supabase-Api-Version": "2024-01-01"]) { own, _ in own }
        if let apiKey, apiKey.utf8.count <= Self.apiKeyBytesMax, apiKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            headers["apikey"] = apiKey
        }
        do {
            return try await exchange.send(
                ProviderRequest(url: url + path, headers: headers, body: body), within: limit)
        } catch { return nil }
    }

    private func enter() -> Bool {
        running.withLock { count in
            guard count < Self.callsMax else { return false }
            count += 1
            return true
        }
    }

    private static func count(_ result: String) {
        Counter(label: "auth_previous_sessions_total", dimensions: [("result", result)]).increment()
    }
}

extension SessionGrants {
    /// Returns the only grant of a token of the old server.
    ///
    /// - Parameter next: the session's refresh token there, which ends it later.
    fileprivate func grant(_ token: PreviousToken, next: String, to user: User, now: Int64) throws -> String {
        var claims = try user.claims(attributes)
        claims.previous = next
        return try Grant(
            id: token.grantID, userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, claims: claims,
            method: PreviousSessions.method, isNewUser: false, expiresAt: now + Self.lifetimeSeconds
        ).sealed(with: keys)
    }
}
