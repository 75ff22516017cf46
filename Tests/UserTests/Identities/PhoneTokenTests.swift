import AccessTokens
import AuthAPI
import CryptoPrimitives
import InternalAPI
import Logging
import Policies
import ServiceHTTP
import Testing

@testable import FakesCore
@testable import UserCore

/// Phone tokens of Firebase Phone Number Verification: which ones prove a number, and what follows.
@Suite(.timeLimit(.minutes(5))) struct PhoneTokenTests {
    private static let phone = TokenMint.fpnvPhone
    private let users: UserFixture
    private let mint: TokenMint
    private let exchange: KeySetExchange

    /// Made once, since an RSA key takes a good part of a second.
    private static let mints = Result { try TokenMint.fpnv() }

    init() throws {
        users = try UserFixture()
        mint = try Self.mints.get()
        exchange = KeySetExchange(try mint.keySet())
    }

    private static func policy(_ nonce: IdentityProviderPolicy.NonceRule = .ifSent) -> PhoneTokenPolicy {
        var token = IdentityProviderPolicy(name: "fpnv")
        (token.issuers, token.audiences) = ([TokenMint.fpnvIssuer], TokenMint.fpnvAudiences)
        (token.algorithm, token.nonce) = ("ES256", nonce)
        return PhoneTokenPolicy(token)
    }

    private func prove(
        _ policy: PhoneTokenPolicy = policy(), countries: CountryRule = CountryRule(), acceptsTestNumbers: Bool = false
    ) throws -> ProvePhoneToken {
        let keys = ProviderKeys(
            policy.token, .ES256, url: "http://keys.example/v1beta/jwks", exchange: exchange, logger: users.logger,
            clock: { [clock = users.clock] in clock.instant })
        let provider = PhoneTokenProvider(
            rule: PhoneTokenRule(policy, leewaySeconds: 0, acceptsTestNumbers: acceptsTestNumbers), keys: keys)
        return ProvePhoneToken(
            providers: [provider], countries: countries, store: users.store, otpService: users.courier.otpService,
            tags: CallTags(ring: users.storageKeys), proofKeys: try OwnProof.keys(users.storageKeys),
            audit: RefusedTokenAudit(store: users.store, now: users.clock.unix, logger: users.logger),
            now: users.clock.unix)
    }

    private func token(_ wish: TokenWish = TokenWish()) throws -> String {
        try mint.token(wish, now: users.clock.seconds).identityToken
    }

    private func answer(
        _ token: String, nonce: String? = nil, call: String = "call-1", by prove: ProvePhoneToken? = nil
    ) async throws -> PhoneTokenAnswer {
        try await (prove ?? self.prove())(
            PhoneTokenRequest(token: token, nonce: nonce, address: "192.0.2.1", callID: call), requestID: "r-1")
    }

    private func signIn(
        _ token: String, call: String = "call-1", name: String? = nil, resolver: ResolveAttestation? = nil
    ) async throws -> ResolveAttestation.Outcome {
        let proof = try #require(try await answer(token, call: call).proof)
        return try await (resolver ?? users.resolver())(proof, name: name)
    }

    @Test func `a token shows once more who the user is, if the number is theirs, and nothing else does`() async throws
    {
        let (own, other) = (try await users.signedIn(Self.phone), try await users.signedIn("+15557654321"))
        let user = try #require(try await users.store.user(own.id))
        func judge(
            _ token: String, _ user: User, call: String = AccountFixture.newCall(), by prove: ProvePhoneToken?
        ) async throws -> Reauthenticate.Judgement {
            let tokens = OwnIdentityTokens(
                prove: try users.proveIdentityToken([:]), provePhone: prove, store: users.store,
                givenUp: users.givenUp, withinSeconds: 300)
            let request = ReauthenticateRequest(phoneToken: token, address: "192.0.2.1", callID: call)
            return try await tokens.judge(request, user, FlowOwner(.reauthentication, own), "r-1")
        }
        users.clock.advance(seconds: 1)
        let (token, issuedAt) = (try token(), users.clock.seconds)
        users.clock.advance(seconds: 100)
        for _ in 0..<2 {
            #expect(try await judge(token, user, call: "call-7", by: prove()) == .right(at: issuedAt, .sms))
        }
        #expect(try await judge(token, user, by: prove()) == .wrong)
        let second = try self.token()
        let stranger = try #require(try await users.store.user(other.id))
        #expect(try await judge(second, stranger, by: prove()) == .wrong)
        users.clock.advance(seconds: 300)
        #expect(try await judge(second, user, by: prove()) == .wrong)
        #expect(try await judge("a.b.c", user, by: prove()) == .wrong)
        await #expect(throws: InvalidInput(member: "phoneToken")) { try await judge(token, user, by: nil) }
    }

    private static func with(_ claims: [String: String]) -> TokenWish { TokenWish(claims: claims) }

    // MARK: - Tokens

    typealias Wrong = IdentityTokenTests.Wrong

    static let wrong: [Wrong] = [
        Wrong("alg none", TokenWish(fault: .algorithmNone), .wrongAlgorithm),
        Wrong("the public key as a secret", TokenWish(fault: .publicKeyAsSecret), .wrongAlgorithm),
        Wrong("RS256 by a published key", TokenWish(algorithm: "RS256"), .wrongAlgorithm),
        Wrong("a foreign key", TokenWish(fault: .foreignKey), .badSignature),
        Wrong("an unknown key", TokenWish(fault: .unknownKey), .unknownKey),
        Wrong("a spoiled signature", TokenWish(fault: .spoiledSignature), .badSignature),
        Wrong("no signature", TokenWish(fault: .noSignature), .badSignature),
        Wrong("a changed number", TokenWish(fault: .changedPayload), .badSignature),
        Wrong("a critical extension", TokenWish(fault: .critical), .critical),
        Wrong("two signatures", TokenWish(fault: .twoSignatures), .malformed),
        Wrong("a claim twice", TokenWish(fault: .duplicateClaim), .malformed),
        Wrong("no JSON", TokenWish(fault: .brokenPayload), .malformed),
        Wrong("a huge token", TokenWish(fault: .huge), .tooLarge),
        Wrong("no typ", TokenWish(type: ""), .wrongType), Wrong("another typ", TokenWish(type: "at+jwt"), .wrongType),
        Wrong("an event", with(["events": "{}"]), .wrongType),
        Wrong("another project", with(["iss": "\"https://fpnv.googleapis.com/projects/1\""]), .wrongIssuer),
        Wrong("the issuer with a slash", with(["iss": "\"\(TokenMint.fpnvIssuer)/\""]), .wrongIssuer),
        Wrong("the issuer as a list", with(["iss": "[\"\(TokenMint.fpnvIssuer)\"]"]), .invalidClaim),
        Wrong("no issuer", TokenWish(without: ["iss"]), .missingClaim),
        Wrong(
            "an ID token of Firebase",
            with([
                "iss": "\"https://securetoken.google.com/example-app\"", "aud": "\"example-app\"", "sub": "\"uid-1\"",
                "phone_number": "\"\(phone)\"",
            ]), .wrongIssuer),
        Wrong("another audience", TokenWish(audience: "https://fpnv.googleapis.com/projects/other"), .wrongAudience),
        Wrong(
            "an audience more than the policy lists",
            with(["aud": "[\"\(TokenMint.fpnvIssuer)\",\"https://fpnv.googleapis.com/projects/other\"]"]),
            .wrongAudience),
        Wrong("an empty list of audiences", with(["aud": "[]"]), .wrongAudience),
        Wrong("an audience that is no text", with(["aud": "[\"\(TokenMint.fpnvIssuer)\",7]"]), .invalidClaim),
        Wrong("no audience", TokenWish(without: ["aud"]), .missingClaim),
        Wrong("an expired token", TokenWish(ageSeconds: 600, lifetimeSeconds: 600), .expired),
        Wrong("a token of yesterday", TokenWish(ageSeconds: 86_401, lifetimeSeconds: 200_000), .tooOld),
        Wrong("a token of tomorrow", TokenWish(ageSeconds: -61), .notYetValid),
        Wrong("no expiry", TokenWish(without: ["exp"]), .missingClaim),
        Wrong("no iat", TokenWish(without: ["iat"]), .missingClaim),
        Wrong("no number", TokenWish(without: ["sub"]), .missingClaim),
        Wrong("a number as a number", with(["sub": "15551234567"]), .invalidClaim),
        Wrong("a number without a plus", TokenWish(subject: "15551234567"), .invalidClaim),
        Wrong("a number with spaces", TokenWish(subject: "+1 555 123 4567"), .invalidClaim),
        Wrong("a number with letters", TokenWish(subject: "+1555FLOWERS"), .invalidClaim),
        Wrong("a number with an extension", TokenWish(subject: "+15551234567;ext=1"), .invalidClaim),
        Wrong("an impossible number", TokenWish(subject: "+1555"), .invalidClaim),
        Wrong("an unknown calling code", TokenWish(subject: "+9995551234567"), .invalidClaim),
        Wrong("a user's id", TokenWish(subject: "uid-1"), .invalidClaim),
        Wrong("a number of the test mode", TokenWish(subject: "+10000000000"), .testNumber),
    ]

    @Test func `wrong tokens have one answer and store nothing, and the audit says which rule`() async throws {
        let prove = try prove()
        for wrong in Self.wrong {
            let answer = try await answer(try token(wrong.wish), by: prove)
            #expect(answer == PhoneTokenAnswer(.refused), "\(wrong.name)")
            let details = try await users.texts("SELECT detail FROM audit")
            #expect(
                details.contains { $0.hasSuffix(" " + wrong.rejection.rawValue) }, "\(wrong.name): \(details.suffix(1))"
            )
        }
        #expect(Set(try await users.auditEvents()) == ["identity.token_refused"])
        let details = try await users.texts("SELECT detail FROM audit")
        #expect(Set(details.map { $0.prefix { $0 != " " } }) == ["fpnv", "phone"])
        #expect(try await users.count("users") == 0 && users.otpService.verified.isEmpty)
        #expect(try await users.count("resolutions") == 0)
    }

    @Test func `a token is good with both audiences or one, and with a number of the test mode outside production`()
        async throws
    {
        let good = [
            TokenWish(), TokenWish(audience: TokenMint.fpnvAudiences[1]), TokenWish(ageSeconds: -60),
            TokenWish(fault: .noKeyID), Self.with(["nonce": "null", "nbf": "null", "azp": "7"]),
            Self.with(["exp": "1.9e9", "iat": "1800000000.5"]),
        ]
        for (number, wish) in good.enumerated() {
            #expect(try await answer(try token(wish), call: "call-\(number)").result == .proved)
        }
        let test = try token(TokenWish(subject: "+10000000000"))
        #expect(try await answer(test, by: prove(acceptsTestNumbers: true)).result == .proved)
    }

    @Test func `the number may be in another claim`() async throws {
        var policy = Self.policy()
        policy.claim = "phone_number"
        let wish = Self.with(["sub": "\"uid-1\"", "phone_number": "\"\(Self.phone)\""])
        #expect(try await answer(try token(wish), by: prove(policy)).result == .proved)
        #expect(users.otpService.verified.map(\.phone) == [Self.phone])
        #expect(try await answer(try token(), call: "call-2", by: prove(policy)).result == .refused)
    }

    @Test func `a nonce of the app's has to fit, and one of the SDK's own only where the policy allows it`()
        async throws
    {
        let (own, apps) = (try token(), try token(TokenWish(nonce: "n")))
        #expect(try await answer(apps, nonce: "n").result == .proved)
        #expect(try await answer(apps, nonce: "m").result == .refused)
        #expect(try await answer(own, nonce: "n").result == .refused)
        #expect(try await answer(own, by: prove(Self.policy(.required))).result == .refused)
        let raw = String(repeating: "n", count: 16)
        let long = try token(TokenWish(nonce: raw))
        #expect(try await answer(long, nonce: raw, by: prove(Self.policy(.required))).result == .proved)
        for short in ["n", "", String(raw.dropLast())] {
            let token = try token(TokenWish(nonce: short))
            let error = await #expect(throws: InvalidInput.self) {
                try await answer(token, nonce: short, by: prove(Self.policy(.required)))
            }
            #expect(error?.member == "nonce")
        }
    }

    // MARK: - Accounts

    @Test func `the account is that of the number, whichever way it signs in`() async throws {
        let owner = try await users.signedIn(.phone(Self.phone))
        let outcome = try await signIn(try token(), name: "Mallory")
        #expect(try outcome.answered.user.id == owner.id.text(prefix: UserFixture.prefix))
        #expect(try !outcome.answered.isNewUser)
        let grant = try users.grant(try outcome.answered)
        #expect(grant.method == "phone:fpnv" && grant.claims.phone == Self.phone)
    }

    @Test func `a first sign-in makes a user with the canonical number, and a bad name is refused as with a code`()
        async throws
    {
        // Argentina's mobile numbers have a 9 after the calling code.
        let wish = TokenWish(subject: "+541123456789")
        await #expect(throws: InvalidInput.self) { try await signIn(try token(wish), name: "a\u{202E}b") }
        let (outcome, other) = (try await signIn(try token(wish), name: "Betty"), TokenWish(subject: "+5491123456789"))
        #expect(try outcome.answered.isNewUser && outcome.answered.user.name == "Betty")
        #expect(try outcome.answered.user.phoneNumber == "+5491123456789")
        #expect(try await !signIn(try token(other), call: "call-2").answered.isNewUser)
        #expect(users.otpService.verified.allSatisfy { $0.phone == "+5491123456789" })
        #expect(try await users.texts("SELECT kind || ' ' || value FROM identities") == ["phone +5491123456789"])
    }

    @Test func `a country that gets no codes gets in by no token, and a locked number stays locked`() async throws {
        let german = try token(TokenWish(subject: "+493012345678"))
        let rule = CountryRule(allowedPrefixes: ["+1"])
        #expect(try await answer(german, by: prove(countries: rule)) == PhoneTokenAnswer(.blockedCountry))
        #expect(users.otpService.verified.isEmpty)
        users.otpService.setLocked(600)
        let locked = try await answer(try token())
        #expect(locked == PhoneTokenAnswer(.tooManyAttempts, retryAfterSeconds: 600))
        #expect(try await users.count("users") == 0)
    }

    @Test func `a closed app lets in invited numbers only, and an inactive user stays out`() async throws {
        let (token, closed) = (try token(), try users.resolver(newUsers: .invited))
        #expect(try await signIn(token, resolver: closed) == .refused(.notInvited))
        let owner = try await users.signedIn(.phone(Self.phone))
        #expect(try await !signIn(token, resolver: closed).answered.isNewUser)
        _ = try await users.change(
            ChangeUserRequest(userID: owner.id.text(prefix: UserFixture.prefix), isActive: false), requestID: nil)
        #expect(try await signIn(try self.token(), call: "call-2") == .refused(.accountInactive))
    }

    // MARK: - Single use

    @Test func `a token and its twin serve one call, and a used one counts for nothing`() async throws {
        let minted = try mint.token(TokenWish(), now: users.clock.seconds)
        let first = try users.grant(try await signIn(minted.identityToken).answered)
        users.clock.advance(seconds: 60)
        #expect(try await users.grant(signIn(minted.identityToken).answered).id == first.id)
        let counted = users.otpService.verified.count
        for token in [minted.identityToken, try #require(minted.twin)] {
            #expect(try await answer(token, call: "call-2") == PhoneTokenAnswer(.used))
        }
        users.clock.advance(seconds: 1)
        #expect(try await answer(minted.identityToken) == PhoneTokenAnswer(.used))
        #expect(users.otpService.verified.count == counted)
    }

    @Test func `two uses of a token at once are one sign-in`() async throws {
        let token = try token()
        let proofs = try await [answer(token, call: "call-1"), answer(token, call: "call-2")].compactMap(\.proof)
        #expect(proofs.count == 2)
        _ = try await users.resolver()(proofs[0]).answered
        #expect(try await users.resolver()(proofs[1]) == .refused(.attestationRefused))
    }

    @Test func `a token from before the deletion does not take it back, a fresh one does`() async throws {
        let early = try token()
        let owner = try await users.signedIn(.phone(Self.phone))
        users.clock.advance(seconds: 10)
        try await users.giveUp(owner.id, telling: OutboxMessage(kind: .revokeUser, payload: "{}"))
        users.clock.advance(seconds: 1)
        #expect(try await answer(early) == PhoneTokenAnswer(.used))
        #expect(try await signIn(try token(), call: "call-2").answered.restored)
    }

    @Test(arguments: [DeletionPolicy.SignIn.restore, .newAccount, .ask], [0, 30])
    func `after a deletion, tokens from before open no account`(
        _ onSignIn: DeletionPolicy.SignIn, _ graceDays: Int
    ) async throws {
        let early = try token()
        let owner = try await users.signedIn(.phone(Self.phone))
        let sealed = try #require(try await answer(early, call: "call-0").proof)
        users.clock.advance(seconds: 10)
        let request = DeleteUserRequest(userID: owner.id.text(prefix: UserFixture.prefix))
        _ = try await users.deletion(graceDays: graceDays)(request, requestID: nil)
        users.clock.advance(seconds: 1)
        let resolver = try users.resolver(onSignIn)
        #expect(try await answer(early) == PhoneTokenAnswer(.used))
        #expect(try await resolver(sealed) == .refused(.attestationRefused))
        await users.removal().round()
        #expect(try await users.count("users") == (graceDays == 0 ? 0 : 1))
        #expect(try await answer(early) == PhoneTokenAnswer(.used))
        #expect(try await resolver(sealed) == .refused(.attestationRefused))
        let counted = users.otpService.verified.count
        let outcome = try await signIn(try token(), call: "call-2", resolver: resolver)
        switch (onSignIn, graceDays) {
        case (.ask, 30): #expect(outcome == .refused(.deletionScheduled))
        case (.restore, 30): #expect(try outcome.answered.restored)
        default: #expect(try outcome.answered.isNewUser)
        }
        // Only the fresh token counted, and the number's next account does not make the early token valid.
        #expect(users.otpService.verified.count == counted + 1)
        #expect(try await answer(early, call: "call-3") == PhoneTokenAnswer(.used))
    }

    @Test func `what is kept of a deletion names no number, and goes after a day`() async throws {
        let owner = try await users.signedIn(.phone(Self.phone))
        let request = DeleteUserRequest(userID: owner.id.text(prefix: UserFixture.prefix))
        _ = try await users.deletion(graceDays: 0)(request, requestID: nil)
        await users.removal().round()
        let kept = try await users.texts("SELECT hex(call) || answer || ifnull(user_id, '-') FROM first_answers")
        #expect(kept.count == 1 && !kept[0].contains(Self.phone.dropFirst()) && kept[0].hasSuffix("-"))
        let end = users.clock.seconds + IdentityTokenRule.ageSecondsMax
        #expect(try await users.texts("SELECT expires_at FROM first_answers") == ["\(end)"])
        // Two deletions within a day: the later one counts.
        users.clock.advance(seconds: 100)
        let between = try token()
        users.clock.advance(seconds: 1)
        let next = try await users.signedIn(.phone(Self.phone))
        let again = DeleteUserRequest(userID: next.id.text(prefix: UserFixture.prefix))
        users.clock.advance(seconds: 1)
        _ = try await users.deletion(graceDays: 0)(again, requestID: nil)
        await users.removal().round()
        #expect(try await answer(between) == PhoneTokenAnswer(.used))
    }

    // MARK: - Faults

    @Test func `without keys or otp-service there is no answer, and without providers the feature is off`() async throws
    {
        let prove = try prove()
        users.otpService.setAway(true)
        let error = await #expect(throws: ServiceUnavailable.self) { try await answer(try token(), by: prove) }
        #expect(error.map { ServiceProblem($0).title } == "The otp service is unavailable")
        users.otpService.setAway(false)
        #expect(try await answer(try token(), by: prove).result == .proved)
        exchange.become(nil)
        await #expect(throws: ProviderKeys.Unavailable.self) { try await answer(try token()) }
        // A malformed token is refused without a key.
        #expect(try await answer("a.b.c").result == .refused)
        let fetches = exchange.fetches
        #expect(try await answer(try token(Self.with(["iss": "\"https://evil.example\""]))).result == .refused)
        #expect(exchange.fetches == fetches)
        let off = ProvePhoneToken(
            providers: [], countries: CountryRule(), store: users.store, otpService: users.courier.otpService,
            tags: prove.tags, proofKeys: prove.proofKeys, audit: prove.audit, now: prove.now)
        #expect(try await answer(try token(), by: off).result == .off)
    }
}
