import AccessTokens
import CryptoPrimitives
import InternalAPI
import ServiceCalls
import Synchronization
import Testing

@testable import FakesCore
@testable import UserCore
@testable import UserTables

/// Users who sign in with Apple, and Apple's server, which can be away.
struct AppleFixture: Sendable {
    static let subject = "000123.fake"

    let identities: IdentityFixture
    let server: AppleServerFake
    let exchange: AppleExchange
    private let secret: AppleClientSecret

    var users: UserFixture { identities.users }

    init() throws {
        identities = try IdentityFixture()
        let key = try SigningKey.generate(keyID: "KEY1234567", algorithm: .ES256)
        secret = AppleClientSecret(teamID: "TEAM123456", key: key)
        server = AppleServerFake(
            mint: identities.mint, client: .init(teamID: "TEAM123456", key: key.verificationKey),
            now: identities.users.clock.unix)
        exchange = AppleExchange(server)
    }

    var courier: OutboxCourier {
        var courier = users.courier
        courier.apple = AppleServer(
            url: "https://apple.example", secret: secret, exchange: exchange, now: users.clock.unix)
        return courier
    }

    /// Delivers what is due in Apple's lane.
    func deliver(holder: String = "a") async {
        await OutboxWorker(
            lane: .apple, store: users.outbox, courier: courier, holder: holder, now: users.clock.unix,
            logger: users.logger
        ).round()
    }

    /// Delivers for a time, looking every `step` seconds as the clock moves.
    func deliver(forSeconds seconds: Int64, step: Int64 = 60) async {
        for _ in 0..<seconds / step {
            users.clock.advance(seconds: step)
            await deliver()
        }
    }

    /// Signs in with a token of Apple's and a code.
    ///
    /// - Parameter code: the code; the default is one that Apple issues for the token.
    func signIn(
        _ subject: String = subject, call: String = UUIDText.random(), audience: String = IdentityFixture.audience,
        code: String? = nil, token: String? = nil
    ) async throws -> ResolveAnswer {
        let wish = TokenWish(subject: subject, audience: audience)
        let policy = IdentityFixture.policy()
        let prove = try users.proveIdentityToken(["apple": try identities.provider(policy)], exchangesCodes: true)
        let request = IdentityTokenRequest(
            provider: "apple", token: try token ?? identities.token(wish).identityToken, nonce: nil, callID: call,
            authorizationCode: code ?? server.code(for: subject, clientID: audience))
        let proof = try #require(try await prove(request, requestID: "r-1").proof)
        return try await users.resolver()(proof, name: "Betty Testcase").answered
    }

    func user(_ answer: ResolveAnswer) throws -> UserID {
        try #require(UserID(text: answer.user.id, prefix: UserFixture.prefix))
    }

    /// Removes a user as if their grace period were over.
    func remove(_ answer: ResolveAnswer) async throws {
        let user = SignedInUser(id: try user(answer), sessionID: "s")
        _ = try await users.deletion(graceDays: 0)(user, requestID: nil)
        await users.removal().round()
        #expect(try await users.store.user(user.id) == nil)
    }

    /// Presents a notification.
    func notify(
        _ wish: AppleEventWish, over database: Users? = nil
    ) async throws
        -> AppleNotificationAnswer.Result
    {
        let now = users.clock.seconds
        let payload = try identities.mint.token(try wish.asToken(now: now), now: now).identityToken
        return try await notify(payload: payload, over: database)
    }

    func notify(payload: String, over store: Users? = nil) async throws -> AppleNotificationAnswer.Result {
        let store = store ?? users.store
        let note = NoteAppleEvent(
            provider: try identities.provider(), store: store, delete: users.deletion(),
            tags: CallTags(ring: users.storageKeys),
            audit: RefusedTokenAudit(store: store, now: users.clock.unix, logger: users.logger), now: users.clock.unix)
        return try await note(AppleNotification(payload: payload), requestID: "r-2").result
    }
}

/// Carries calls to a fake of Apple's server, and counts them.
final class AppleExchange: ProviderExchange {
    struct Away: Error {}

    private let server: AppleServerFake
    private let state = Mutex((answer: ProviderAnswer?.none, isAway: false, bodies: [String]()))

    init(_ server: AppleServerFake) { self.server = server }

    /// The bodies of the calls that were answered or not.
    var bodies: [String] { state.withLock(\.bodies) }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    /// - Parameter answer: the response to the next calls, or `nil` for those of the fake.
    func become(_ answer: ProviderAnswer?) { state.withLock { $0.answer = answer } }

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        let body = String(decoding: request.body, as: UTF8.self)
        let (answer, isAway) = state.withLock { state in
            state.bodies.append(body)
            return (state.answer, state.isAway)
        }
        if isAway { throw Away() }
        if let answer { return answer }
        let path = request.url.dropFirst("https://apple.example".count)
        let (status, text) = try server.answer(String(path), body)
        return ProviderAnswer(status: status, body: Array(text.utf8))
    }
}
