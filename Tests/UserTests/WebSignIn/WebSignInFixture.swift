import CryptoPrimitives
import InternalAPI
import Policies
import RedisClient
import ServiceCalls
import ServiceKit
import StrictJSON
import Synchronization
import TestSupport

@testable import FakesCore
@testable import UserCore

/// Sign-ins in a browser with Apple and with an OpenID Connect provider, over a Redis of their own.
struct WebSignInFixture: Sendable {
    static let verifier = String(repeating: "v", count: 43)
    static let redirect = "com.example.app:/signed-in"
    static let web = "https://app.example.com/in?from=latchkey"
    static let origin = "https://auth.example.com"

    let identities: IdentityFixture
    let redis: RedisClient
    let server: RedisServer
    let endpoint = TokenEndpoint()
    let isFull = Flag()
    /// Fixed, as a process has them.
    private let begin: BeginWebSignIn
    private let finish: FinishWebSignIn
    let redeem: RedeemSignInCode
    let prove: ProveIdentityToken

    init(_ server: RedisServer, _ redis: RedisClient) throws {
        (self.server, self.redis) = (server, redis)
        identities = try IdentityFixture()
        let users = identities.users
        let (apple, acme) = (IdentityFixture.policy(), IdentityFixture.policy(name: "acme"))
        let providers = [
            "apple": WebProvider(
                provider: try identities.provider(apple), clientID: "com.howru.web",
                authorizeURL: "https://appleid.apple.com/auth/authorize", exchange: nil),
            "acme": WebProvider(
                provider: try identities.provider(acme), clientID: "web-1",
                authorizeURL: "https://acme.example/authorize",
                exchange: CodeExchange(
                    provider: "acme", clientID: "web-1", secret: Secret("s3cret"),
                    tokenURL: "https://acme.example/token",
                    exchange: endpoint)),
        ]
        let web = WebSignIn(
            providers: providers, redirects: [Self.redirect, Self.web], seal: WebSignInSeal(ring: users.storageKeys),
            notes: WebSignInNotes(redis: redis, hasRoom: { [isFull] in !isFull.isSet }))
        prove = try users.proveIdentityToken([:])
        begin = BeginWebSignIn(web: web, now: users.clock.unix)
        finish = FinishWebSignIn(web: web, prove: prove)
        redeem = RedeemSignInCode(web: web, prove: prove)
    }

    var clock: TestClock { identities.users.clock }

    static func callback(_ provider: String, at origin: String = origin) -> String {
        origin + (provider == "apple" ? "/auth/apple/callback" : "/auth/oidc/\(provider)/callback")
    }

    // MARK: - Steps

    /// Begins a sign-in, and returns the members of the provider's URL, with the URL itself under an empty name.
    func begin(
        _ provider: String, verifier: String = verifier, redirect: String = redirect, owner: FlowOwner? = nil
    ) throws -> [String: String] {
        let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
        let start = WebSignInStart(
            provider: provider, challenge: challenge, redirect: redirect, callbackURL: Self.callback(provider))
        return try Self.members(try begin(start, of: owner))
    }

    func begin(_ start: WebSignInStart, of owner: FlowOwner? = nil) throws -> WebSignInAnswer {
        try begin.callAsFunction(start, of: owner)
    }

    static func members(_ answer: WebSignInAnswer) throws -> [String: String] {
        guard let location = answer.location else { throw UserFixture.Unexpected() }
        let parts = location.split(separator: "?", maxSplits: 1)
        let fields = FormText.decode(String(parts.last ?? ""), countMax: 16) ?? []
        return Dictionary(fields + [("", location)]) { first, _ in first }
    }

    /// Returns the token that a provider would sign for a request.
    func token(_ asked: [String: String], subject: String = "000123.a") throws -> String {
        try identities.token(
            TokenWish(
                subject: subject, audience: asked["client_id"], claims: ["nonce": "\"\(asked["nonce"] ?? "")\""])
        ).identityToken
    }

    func finish(_ answer: WebSignInReturn) async throws -> WebSignInAnswer {
        try await finish(answer, requestID: "r-1", logger: identities.users.logger)
    }

    /// Finishes a sign-in as the provider does, and returns the code.
    func code(
        _ provider: String, subject: String = "000123.a", person: String? = nil, owner: FlowOwner? = nil
    ) async throws -> String {
        let asked = try begin(provider, owner: owner)
        let token = try token(asked, subject: subject)
        endpoint.issue(token)
        let answer = try await finish(Self.returned(provider, asked, token: token, person: person))
        guard let code = try Self.members(answer)["code"] else { throw UserFixture.Unexpected() }
        return code
    }

    static func returned(
        _ provider: String, _ asked: [String: String], token: String? = nil, code: String? = "c-1",
        error: String? = nil,
        issuer: String? = nil, person: String? = nil, address: String = "192.0.2.1", call: String = "call-1"
    ) -> WebSignInReturn {
        WebSignInReturn(
            provider: provider, callbackURL: callback(provider), state: asked["state"] ?? "", code: code,
            identityToken: provider == "apple" ? token : nil, error: error, issuer: issuer, person: person,
            address: address, callID: call)
    }

    func redeem(
        _ provider: String, _ code: String, verifier: String = verifier, call: String = "call-2",
        owner: FlowOwner? = nil
    ) async throws -> IdentityTokenAnswer {
        try await redeem(SignInCodeRequest(provider: provider, code: code, verifier: verifier, callID: call), of: owner)
    }

    /// The number of keys in Redis.
    func noteCount() async throws -> Int64? { try await redis.send(["DBSIZE"]).integerValue }
}

/// The token endpoint of a provider, which a test commands.
final class TokenEndpoint: ProviderExchange {
    struct Away: Error {}

    private struct State {
        var answer: ProviderAnswer?
        var fault: any Error = Away()
        var requests: [ProviderRequest] = []
        /// Ends the requests that wait; `nil` if requests are answered at once.
        var gate: AsyncStream<Void>?
    }

    private let state = Mutex(State())

    /// The forms that were received.
    var forms: [[String: String]] {
        state.withLock { state in
            state.requests.map { request in
                let fields = FormText.decode(String(decoding: request.body, as: UTF8.self), countMax: 16) ?? []
                return Dictionary(fields) { first, _ in first }
            }
        }
    }

    var requests: [ProviderRequest] { state.withLock(\.requests) }

    func issue(_ token: String) { become(200, #"{"access_token":"a","token_type":"Bearer","id_token":"\#(token)"}"#) }

    func become(_ status: Int, _ body: String) {
        state.withLock { $0.answer = ProviderAnswer(status: status, body: Array(body.utf8)) }
    }

    /// Makes further requests fail.
    func vanish(_ fault: any Error = Away()) { state.withLock { ($0.answer, $0.fault) = (nil, fault) } }

    /// Makes further requests wait until the returned continuation finishes.
    func hang() -> AsyncStream<Void>.Continuation {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        state.withLock { $0.gate = stream }
        return continuation
    }

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        let (answer, fault, gate) = state.withLock { state in
            state.requests.append(request)
            return (state.answer, state.fault, state.gate)
        }
        if let gate { for await _ in gate {} }
        guard let answer else { throw fault }
        return answer
    }
}

/// Runs `body` with sign-ins in a browser.
func withWebSignIns<Result>(_ body: (WebSignInFixture) async throws -> Result) async throws -> Result {
    try await withRedis(functions: [GuessFunctions.library.source(loadedAt: 0)]) { server, redis in
        try await body(try WebSignInFixture(server, redis))
    }
}
