import FoundationEssentials
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore

/// Proofs that the bearer of an access token is its user.
@Suite(.timeLimit(.minutes(5)), .accounts) struct ReauthenticationTests {
    private let accounts: AccountFixture
    private let identities: IdentityFixture
    private var users: UserFixture { accounts.users }

    init() throws {
        accounts = try AccountFixture.ofTest
        identities = try IdentityFixture()
    }

    private func useCase() throws -> Reauthenticate {
        let act = accounts.parts.act
        let (otp, seal) = (ServiceClient(service: "otp", transport: users.otpService), users.storageKeys)
        return Reauthenticate(
            act: act, lock: ProofLock(redis: accounts.redis, tags: GuessTags(ring: seal), hasRoom: { true }),
            codes: ReauthenticationCodes(
                act: act, otpService: otp, attestationKeys: users.attestationKeys, userIDPrefix: UserFixture.prefix),
            hasher: accounts.parts.hasher,
            tokens: OwnIdentityTokens(
                prove: try users.proveIdentityToken(["apple": try identities.provider()]), store: users.store,
                givenUp: users.givenUp, withinSeconds: 300),
            statementKeys: users.grantKeys, userIDPrefix: UserFixture.prefix)
    }

    private func send(
        _ user: SignedInUser, code: String? = nil, channel: String? = nil, password: String? = nil,
        token: String? = nil, provider: String? = nil, call: String = AccountFixture.newCall()
    ) async throws -> ReauthenticateAnswer {
        let request = ReauthenticateRequest(
            code: code, channel: channel, password: password, provider: token.map { _ in provider ?? "apple" },
            token: token, address: AccountFixture.client, callID: call)
        let outcome = try await patiently { try await useCase()(user, request, requestID: "r-1") }
        guard case .answer(let answer) = outcome else { throw UserFixture.Unexpected() }
        return answer
    }

    private func statement(_ answer: ReauthenticateAnswer) throws -> Reauthentication {
        #expect(answer.result == .authenticated)
        return try Reauthentication.open(
            try #require(answer.statement), with: users.grantKeys, now: users.clock.seconds)
    }

    private func attestation(
        _ user: SignedInUser, of identity: VerifiedIdentity, purpose: Purpose = .reauthentication,
        userID: String? = nil, method: String = "sms"
    ) throws -> String {
        let now = users.clock.seconds
        return try Attestation(
            proofID: AccountFixture.newCall(), method: method, identity: identity, purpose: purpose,
            userID: userID ?? user.id.text(prefix: UserFixture.prefix), expiresAt: now + 60, challengedAt: now
        ).sealed(with: users.attestationKeys)
    }

    // MARK: - Passwords and the lock

    @Test func `the password is a proof for this session, from now on`() async throws {
        let user = try await accounts.user()
        let statement = try statement(try await send(user, password: AccountFixture.password))
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(statement.userID == id && statement.sessionID == user.sessionID && statement.method == "password")
        #expect(statement.at == users.clock.seconds && statement.expiresAt == users.clock.seconds + 60)
        let rights = try #require(try await users.store.facts(UserQuestion(.user(user.id), askedAt: 0)).holder).version
        #expect(statement.factors == .pwd && statement.id == nil && statement.version == rights)
    }

    @Test func `after five wrong proofs each further one waits twice as long, and no sign-in does`() async throws {
        let user = try await accounts.user()
        for _ in 0..<5 { #expect(try await send(user, password: AccountFixture.other).result == .refused) }
        for wait: Int64 in [30, 60, 120] {
            // The right one has to wait too, and does not prolong the wait.
            for password in [AccountFixture.other, AccountFixture.password] {
                let answer = try await send(user, password: password)
                #expect(answer.result == .rateLimited && answer.retryAfterSeconds == wait)
            }
            users.clock.advance(seconds: wait)
            #expect(try await send(user, password: AccountFixture.other).result == .refused)
        }
        #expect(try await accounts.signIn() != nil)
        let audit = try await users.auditEvents().filter { $0 == "user.reauthentication_refused" }
        #expect(audit.count == 8)
        // The longest wait, after which a right proof forgets the wrong ones.
        for _ in 0..<6 {
            users.clock.advance(seconds: 3_600)
            #expect(try await send(user, password: AccountFixture.other).result == .refused)
        }
        #expect(try await send(user, password: AccountFixture.password).retryAfterSeconds == 3_600)
        users.clock.advance(seconds: 3_600)
        _ = try statement(try await send(user, password: AccountFixture.password))
        for _ in 0..<5 { #expect(try await send(user, password: AccountFixture.other).result == .refused) }
        #expect(try await send(user, password: AccountFixture.password).retryAfterSeconds == 30)
    }

    @Test func `another user's wrong proofs count for that user`() async throws {
        let (user, other) = (try await accounts.user(), try await users.signedIn("+15551234567"))
        for _ in 0..<5 { _ = try await send(user, password: AccountFixture.other) }
        #expect(try await send(user, password: AccountFixture.password).result == .rateLimited)
        #expect(try await send(other, password: AccountFixture.password).result == .noPassword)
    }

    @Test func `without Redis nothing is judged`() async throws {
        let user = try await accounts.user()
        try await accounts.server.stop()
        await #expect(throws: GuessLimitsFailure.self) {
            try await send(user, password: AccountFixture.password)
        }
    }

    @Test func `there is one proof in a request`() async throws {
        let user = try await accounts.user()
        await #expect(throws: InvalidInput.self) { try await send(user) }
        await #expect(throws: InvalidInput.self) {
            try await send(user, code: "123456", password: AccountFixture.password)
        }
    }

    @Test func `a user who is deactivated or scheduled for deletion cannot`() async throws {
        let user = try await accounts.user()
        _ = try await accounts.delete(user)
        await #expect(throws: UserFixture.Unexpected.self) {
            try await send(user, password: AccountFixture.password)
        }
    }

    // MARK: - Codes

    @Test func `a code goes to the user's own number, or address, and is verified there`() async throws {
        let user = try await users.signedIn("+15551234567")
        let codes = try useCase().codes
        func request(_ user: SignedInUser, _ channel: String?) async throws -> OTPRequestResult {
            let request = ReauthenticationCodeRequest(
                channel: channel, locales: ["de"], address: AccountFixture.client, callID: AccountFixture.newCall())
            guard case .answer(let answer) = try await codes.request(user, request, requestID: nil) else {
                throw UserFixture.Unexpected()
            }
            return answer.result
        }
        #expect(try await request(user, nil) == .sent)
        #expect(try await request(user, "email") == .unsupportedChannel)
        let sent = try JSONDecoder().decode(OTPRequest.self, from: Data(try #require(users.otpService.codes.last).body))
        #expect(sent.phone == "+15551234567" && sent.purpose == .reauthentication)
        #expect(sent.userID == user.id.text(prefix: UserFixture.prefix))
        let mailed = try await accounts.user()
        #expect(try await request(mailed, nil) == .sent)
        #expect(try await request(mailed, "sms") == .unsupportedChannel)
        #expect(users.otpService.codes.last?.path == OTPOperations.requestMail.path)
        users.otpService.setVerdict(
            OTPVerifyAnswer(.approved, attestation: try attestation(user, of: .phone("+15551234567"))))
        let shown = try statement(try await send(user, code: "123456"))
        #expect(shown.method == "code" && shown.factors == .sms)
    }

    @Test func `an attestation of another person, purpose, user or of reviewers is no proof`() async throws {
        let user = try await users.signedIn("+15551234567")
        let other = try await users.signedIn("+15551234568")
        let own = VerifiedIdentity.phone("+15551234567")
        for text in [
            try attestation(user, of: .phone("+15551234568")), try attestation(user, of: own, purpose: .signIn),
            try attestation(user, of: own, purpose: .identity), try attestation(other, of: own), "",
            try attestation(user, of: own, method: Attestation.reviewMethod),
        ] {
            users.otpService.setVerdict(OTPVerifyAnswer(.approved, attestation: text))
            let fresh = try useCase()
            try await fresh.lock.forgetAll(of: user.id)
            #expect(try await send(user, code: "123456").result == .refused)
        }
    }

    @Test func `without otp-service nothing counts`() async throws {
        let user = try await users.signedIn("+15551234567")
        users.otpService.setAway(true)
        for _ in 0..<6 {
            await #expect(throws: ServiceUnavailable.self) { try await send(user, code: "123456") }
        }
        users.otpService.setAway(false)
        #expect(try await send(user, code: "123456").result == .refused)
    }

    @Test func `the repeat of a wrong code does not count, as at a sign-in`() async throws {
        let user = try await users.signedIn("+15551234567")
        func result(_ code: String, _ call: String) async throws -> ReauthenticateAnswer.Result {
            try await send(user, code: code, call: call).result
        }
        for _ in 0..<9 { #expect(try await result("123456", "call-1") == .refused) }
        // A call that was not judged counts once it is.
        users.otpService.setAway(true)
        for _ in 0..<2 { await #expect(throws: ServiceUnavailable.self) { try await result("123456", "call-2") } }
        users.otpService.setAway(false)
        // Another code is another guess, whatever its call.
        for (code, call) in [("123456", "2"), ("123456", "3"), ("654321", "1"), ("000000", "4")] {
            #expect(try await result(code, "call-" + call) == .refused)
        }
        #expect(try await result("123456", "call-5") == .rateLimited)
        #expect(try await result("123456", "call-1") == .refused)
        let audit = try await users.auditEvents().filter { $0 == "user.reauthentication_refused" }
        #expect(audit.count == 5)
        users.clock.advance(seconds: ProofLock.callSeconds)
        #expect(try await result("123456", "call-1") == .refused)
        #expect(try await result("123456", "call-6") == .rateLimited)
    }

    // MARK: - Identity tokens

    /// A user with an account at Apple.
    private func appleUser(_ subject: String) async throws -> SignedInUser {
        let prove = try users.proveIdentityToken(["apple": try identities.provider()])
        let request = IdentityTokenRequest(
            provider: "apple", token: try token(subject), nonce: nil, callID: AccountFixture.newCall())
        let proof = try await prove(request, requestID: nil).proof
        return try users.signedIn(try await accounts.resolve(proof).answered)
    }

    private func token(_ subject: String) throws -> String {
        try identities.mint.token(TokenWish(subject: subject), now: users.clock.seconds).identityToken
    }

    @Test func `the user's own token is a proof from its issue on, once`() async throws {
        let user = try await appleUser("000123.a")
        let token = try token("000123.a")
        users.clock.advance(seconds: 100)
        let answer = try await send(user, token: token, call: "call-1")
        #expect(try statement(answer).at == users.clock.seconds - 100)
        #expect(try statement(answer).factors == .fed)
        // A repeat of the call, but no other call.
        #expect(try statement(try await send(user, token: token, call: "call-1")).at == users.clock.seconds - 100)
        #expect(try await send(user, token: token, call: "call-2").result == .refused)
    }

    @Test func `another person's token, an old one and one that signed in are refused`() async throws {
        let (user, _) = (try await appleUser("000123.a"), try await appleUser("000124.b"))
        for subject in ["000124.b", "000125.c"] {
            #expect(try await send(user, token: try token(subject)).result == .refused)
        }
        let old = try token("000123.a")
        users.clock.advance(seconds: 300)
        #expect(try await send(user, token: old).result == .refused)
        #expect(try await send(user, token: old, provider: "google").result == .unknownProvider)
        let prove = try users.proveIdentityToken(["apple": try identities.provider()])
        let used = try token("000123.a")
        let proof = try await prove(
            IdentityTokenRequest(provider: "apple", token: used, nonce: nil, callID: "c"), requestID: nil)
        _ = try await users.resolver()(try #require(proof.proof)).answered
        #expect(try await send(user, token: used).result == .refused)
    }

    @Test func `without the provider's keys nothing counts`() async throws {
        let user = try await appleUser("000123.a")
        identities.exchange.become(nil)
        for _ in 0..<6 {
            await #expect(throws: ProviderKeys.Unavailable.self) { try await send(user, token: try token("000123.a")) }
        }
    }
}
