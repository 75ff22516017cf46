import InternalAPI
import Testing

@testable import FakesCore
@testable import UserCore
@testable import UserTables

/// Apple's notifications about accounts.
@Suite struct AppleEventTests {
    private let fixture: AppleFixture
    private var users: UserFixture { fixture.users }

    init() throws { fixture = try AppleFixture() }

    private static let revoked = AppleEventWish(type: "consent-revoked", subject: AppleFixture.subject)

    /// A user whose code was exchanged a minute ago.
    private func signedIn() async throws -> UserID {
        let user = try fixture.user(try await fixture.signIn())
        await fixture.deliver()
        users.clock.advance(seconds: 60)
        return user
    }

    private func revocations() async throws -> [RevokeUserRequest] {
        await users.worker(.token).round()
        return users.tokenService.revocations
    }

    private func events() async throws -> [String] {
        try await users.texts("SELECT event FROM audit WHERE event <> 'user.created' ORDER BY number")
    }

    @Test func `consent that ended keeps the identity, forgets the token and ends sessions that began with Apple`()
        async throws
    {
        let user = try await signedIn()
        #expect(try await fixture.notify(Self.revoked) == .noted)
        let id = user.text(prefix: UserFixture.prefix)
        #expect(
            try await revocations()
                == [RevokeUserRequest(userID: id, epoch: 2, reason: .provider, method: "apple")])
        #expect(try await users.texts("SELECT kind || ' ' || value FROM identities") == ["apple 000123.fake"])
        #expect(try await users.count("apple_tokens") == 0)
        #expect(try await events() == ["identity.consent_revoked"])
        await fixture.deliver(forSeconds: 3_600, step: 300)
        #expect(fixture.server.ledger.tokens.map(\.revocations) == [0])
        users.clock.advance(seconds: 1)
        #expect(try fixture.user(try await fixture.signIn()) == user)
    }

    @Test func `a token from before the end of consent signs in no more, and a repeat of its call neither`()
        async throws
    {
        let early = try fixture.identities.token().identityToken
        let used = try fixture.identities.token().identityToken
        users.clock.advance(seconds: 2)
        _ = try await fixture.signIn(call: "call-1", token: used)
        users.clock.advance(seconds: 1)
        #expect(try await fixture.notify(Self.revoked) == .noted)
        for (token, call) in [(early, "call-2"), (used, "call-1")] {
            await #expect(throws: (any Error).self) { try await fixture.signIn(call: call, token: token) }
        }
        users.clock.advance(seconds: 1)
        _ = try await fixture.signIn()
    }

    @Test func `a code whose sign-in was before the end of consent leaves no token`() async throws {
        _ = try await fixture.signIn()
        users.clock.advance(seconds: 1)
        #expect(try await fixture.notify(Self.revoked) == .noted)
        await fixture.deliver()
        #expect(fixture.server.ledger.tokens.count == 1)
        #expect(try await users.count("apple_tokens") == 0)
    }

    @Test(arguments: ["account-deleted", "account-delete"])
    func `an account that has another identity loses Apple's`(_ type: String) async throws {
        let user = try await signedIn()
        try await users.store.put([.assignIdentity(.phone("+15551234567"), to: user)], now: users.clock.seconds)
        #expect(try await fixture.notify(AppleEventWish(type: type, subject: AppleFixture.subject)) == .noted)
        #expect(try await users.texts("SELECT kind FROM identities") == ["phone"])
        #expect(try await revocations().map(\.method) == ["apple"])
        #expect(try await users.store.user(user)?.deletion == nil)
        #expect(try await users.count("apple_tokens") == 0)
        #expect(try await events() == ["identity.unlinked"])
        #expect(try await users.texts("SELECT kind FROM decisions") == ["identity_lost"])
    }

    @Test(arguments: ["account-deleted", "account-delete"])
    func `an account that has nothing else is scheduled for deletion`(_ type: String) async throws {
        let user = try await signedIn()
        #expect(try await fixture.notify(AppleEventWish(type: type, subject: AppleFixture.subject)) == .noted)
        #expect(try await users.store.user(user)?.deletion?.dueAt == users.clock.seconds + 30 * 86_400)
        users.clock.advance(seconds: OutboxLimits.ownAttemptSeconds)
        #expect(try await revocations().map(\.reason) == [.deleted])
        #expect(try await events() == ["user.deletion_requested"])
        #expect(try await users.count("apple_tokens") == 0)
    }

    @Test(arguments: ["email-disabled", "email-enabled"])
    func `events about mail are audited and change nothing`(_ type: String) async throws {
        let user = try await signedIn()
        let before = try await users.store.user(user)
        #expect(try await fixture.notify(AppleEventWish(type: type, subject: AppleFixture.subject)) == .noted)
        #expect(try await users.store.user(user) == before)
        #expect(
            try await users.texts("SELECT detail FROM audit WHERE event = 'identity.relay_changed'") == [type])
        #expect(try await users.count("apple_tokens") == 1)
        #expect(try await users.count("outbox") == 0)
    }

    @Test func `events of unknown types and about unknown subjects are accepted and do nothing`() async throws {
        _ = try await signedIn()
        let before = try await users.count("first_answers")
        for wish in [
            AppleEventWish(type: "consent-revoked", subject: "000999.other"),
            AppleEventWish(type: "account-moved", subject: AppleFixture.subject),
        ] { #expect(try await fixture.notify(wish) == .noted) }
        #expect(try await events().isEmpty)
        #expect(try await users.count("first_answers") == before)
        #expect(try await users.count("apple_tokens") == 1)
    }

    @Test func `a notification takes effect once, in two processes at once too`() async throws {
        _ = try await signedIn()
        let now = users.clock.seconds
        let payload = try fixture.identities.mint.token(try Self.revoked.asToken(now: now), now: now).identityToken
        let replica = Users(database: try users.openReplica())
        try await withThrowingTaskGroup(of: AppleNotificationAnswer.Result.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await fixture.notify(payload: payload, over: number.isMultiple(of: 2) ? replica : nil)
                }
            }
            for try await result in group { #expect(result == .noted) }
        }
        #expect(try await events() == ["identity.consent_revoked"])
        users.clock.advance(seconds: 3_600)
        #expect(try await fixture.notify(payload: payload) == .noted)
        #expect(try await revocations().count == 1)
    }

    @Test func `an event that is older than the last sign-in does nothing`() async throws {
        let user = try await signedIn()
        for type in ["consent-revoked", "account-deleted", "email-disabled"] {
            let wish = AppleEventWish(type: type, subject: AppleFixture.subject, secondsAgo: 121)
            #expect(try await fixture.notify(wish) == .noted)
        }
        #expect(try await events().isEmpty)
        #expect(try await users.store.user(user)?.epoch == 1)
        // The sign-in may have been before the event, by a clock that is a minute ahead of Apple's.
        let wish = AppleEventWish(type: "consent-revoked", subject: AppleFixture.subject, secondsAgo: 120)
        #expect(try await fixture.notify(wish) == .noted)
        #expect(try await events() == ["identity.consent_revoked"])
    }

    @Test func `events may be an object, and the time in seconds`() async throws {
        _ = try await signedIn()
        var wish = Self.revoked
        wish.isObject = true
        let object = #"{"type":"consent-revoked","sub":"000123.fake","event_time":\#(users.clock.seconds)}"#
        wish.token = TokenWish(claims: ["events": object], without: ["exp"])
        #expect(try await fixture.notify(wish) == .noted)
        #expect(try await events() == ["identity.consent_revoked"])
    }

    @Test func `a notification may have no kid, nulls, and times with a fraction`() async throws {
        _ = try await signedIn()
        var wish = Self.revoked
        wish.isObject = true
        let time = "\(users.clock.seconds).75"
        let object = #"{"type":"consent-revoked","sub":"000123.fake","event_time":\#(time),"email":null}"#
        wish.token = TokenWish(claims: ["events": object, "exp": "null", "iat": time], fault: .noKeyID)
        #expect(try await fixture.notify(wish) == .noted)
        #expect(try await events() == ["identity.consent_revoked"])
    }

    /// Notifications that are wrong in one thing each.
    private static let wrong: [(TokenWish, IdentityTokenRejection)] = [
        (TokenWish(fault: .foreignKey), .badSignature), (TokenWish(fault: .spoiledSignature), .badSignature),
        (TokenWish(fault: .changedPayload), .badSignature), (TokenWish(fault: .noSignature), .badSignature),
        (TokenWish(fault: .unknownKey), .unknownKey), (TokenWish(claims: ["exp": "1.7e9"]), .expired),
        (TokenWish(fault: .algorithmNone), .wrongAlgorithm), (TokenWish(algorithm: "ES256"), .wrongAlgorithm),
        (TokenWish(fault: .publicKeyAsSecret), .wrongAlgorithm), (TokenWish(fault: .critical), .critical),
        (TokenWish(fault: .twoSignatures), .malformed), (TokenWish(fault: .duplicateClaim), .malformed),
        (TokenWish(audience: "com.other"), .wrongAudience), (TokenWish(without: ["aud"]), .missingClaim),
        (TokenWish(claims: ["iss": "\"https://evil.example\""]), .wrongIssuer),
        (TokenWish(ageSeconds: 100, lifetimeSeconds: 50), .expired),
        (TokenWish(ageSeconds: 86_401, lifetimeSeconds: 200_000), .tooOld),
        (TokenWish(ageSeconds: -3_600), .notYetValid), (TokenWish(without: ["iat"]), .missingClaim),
        (TokenWish(without: ["jti"]), .missingClaim), (TokenWish(without: ["events"]), .missingClaim),
        (TokenWish(claims: ["events": "\"{\""]), .malformed), (TokenWish(claims: ["events": "[]"]), .invalidClaim),
        (TokenWish(claims: ["events": #""{\"type\":\"consent-revoked\"}""#]), .missingClaim),
    ]

    @Test func `forged notifications are refused and audited, and change nothing`() async throws {
        let user = try await signedIn()
        let before = try await users.store.user(user)
        for (token, rejection) in Self.wrong {
            var wish = Self.revoked
            wish.token = token
            #expect(try await fixture.notify(wish) == .forged, "\(rejection) \(token)")
            let details = try await users.texts("SELECT detail FROM audit WHERE event = 'identity.token_refused'")
            #expect(details.contains("apple notification \(rejection.rawValue)"), "\(rejection): \(details)")
        }
        for payload in ["", "a.b.c", "{}"] { #expect(try await fixture.notify(payload: payload) == .forged) }
        let identityToken = try fixture.identities.token().identityToken
        #expect(try await fixture.notify(payload: identityToken) == .forged)
        #expect(try await users.store.user(user) == before)
        #expect(try await users.count("apple_tokens") == 1)
    }

    @Test func `a notification signs nobody in`() async throws {
        let now = users.clock.seconds
        var wish = try Self.revoked.asToken(now: now)
        wish.without = []
        let text = try fixture.identities.mint.token(wish, now: now).identityToken
        #expect(try await fixture.identities.prove()(text, nil, "c").result == .refused)
    }

    @Test func `without Apple's keys there is no outcome`() async throws {
        fixture.identities.exchange.become(nil)
        await #expect(throws: ProviderKeys.Unavailable.self) { try await fixture.notify(Self.revoked) }
    }
}
