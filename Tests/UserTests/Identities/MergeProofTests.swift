import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore

/// Proofs of another account that has more than the verified identity, before it is merged.
@Suite(.timeLimit(.minutes(5)), .accounts) struct MergeProofTests {
    private static let number = VerifiedIdentity.phone("+15551234567")
    private static let next = VerifiedIdentity.phone("+15557654321")
    private static let email = VerifiedIdentity.email(AccountFixture.address)
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")

    private let accounts: AccountFixture
    private let identities: IdentityFixture
    private var users: UserFixture { accounts.users }

    init() throws {
        accounts = try AccountFixture.ofTest
        identities = try IdentityFixture()
        users.tokenService.setSignedIn(at: users.clock.seconds)
    }

    private func own() throws -> ChangeOwnIdentities {
        let policy = try UserFixture.policy(
            "userIDPrefix: usr_\nemail: {}\npasswords: {}\napple: { audiences: [com.example.app] }\n")
        let tags = CallTags(ring: users.storageKeys)
        return ChangeOwnIdentities(
            act: accounts.parts.act,
            recent: RecentAuthentication(tokenService: users.courier.tokenService, now: users.clock.unix),
            withinSeconds: 300, ways: SignInWays(policy), ends: .others, move: users.move,
            takeover: accounts.parts.takeover, notices: accounts.parts.notices, attributes: UserFixture.attributes,
            merges: MergeSeal(ring: users.storageKeys), pending: PendingSeal(ring: users.storageKeys),
            delaySeconds: 86_400,
            tags: tags, givenUp: users.givenUp,
            attestationKeys: users.attestationKeys, proofKeys: accounts.parts.proofKeys, accounts: accounts.parts)
    }

    private func proofs() throws -> MergeProofs {
        let act = accounts.parts.act
        let reauthenticate = Reauthenticate(
            act: act,
            lock: ProofLock(redis: accounts.redis, tags: GuessTags(ring: users.storageKeys), hasRoom: { true }),
            codes: ReauthenticationCodes(
                act: act, otpService: users.courier.otpService, attestationKeys: users.attestationKeys,
                userIDPrefix: UserFixture.prefix),
            hasher: accounts.parts.hasher,
            tokens: OwnIdentityTokens(
                prove: try users.proveIdentityToken(["apple": try identities.provider()]), store: users.store,
                givenUp: users.givenUp, withinSeconds: 300),
            statementKeys: users.grantKeys, userIDPrefix: UserFixture.prefix)
        return MergeProofs(reauthenticate: reauthenticate, accounts: accounts.parts)
    }

    private func caller(_ user: SignedInUser) -> ChangeOwnIdentities.Caller {
        ChangeOwnIdentities.Caller(user: user, accessToken: "t", requestID: "r-1")
    }

    /// otp-service's statement that a user has verified an identity.
    private func attestation(
        _ identity: VerifiedIdentity, for user: SignedInUser, _ purpose: Purpose = .identity
    ) throws -> String {
        let now = users.clock.seconds
        return try Attestation(
            proofID: AccountFixture.newCall(), method: "sms", identity: identity, purpose: purpose,
            userID: user.id.text(prefix: UserFixture.prefix), expiresAt: now + 60, challengedAt: now
        ).sealed(with: users.attestationKeys)
    }

    private func mergeToken(for identity: VerifiedIdentity, _ user: SignedInUser) async throws -> String {
        // A code from the second of a change of the password is void.
        users.clock.advance(seconds: 1)
        let add = AddIdentityRequest(proof: try attestation(identity, for: user), callID: AccountFixture.newCall())
        return try #require(try await own().add(add, caller(user)).answered.mergeToken)
    }

    private func merge(
        _ token: String, _ user: SignedInUser, code: String? = nil, password: String? = nil, apple: String? = nil
    ) async throws -> AccountAnswer {
        let id = AccountFixture.newCall()
        let proof = ReauthenticateRequest(
            code: code, password: password, provider: apple.map { _ in "apple" }, token: apple,
            address: AccountFixture.client, callID: id)
        let hasProof = [code, password, apple].contains { $0 != nil }
        let request = MergeRequest(mergeToken: token, proof: hasProof ? proof : nil, callID: id)
        return try await patiently { try await own().merge(request, caller(user), proofs()).answered }
    }

    @Test func `an account with a password needs it, and its guesses count on both sides`() async throws {
        let user = try await users.signedIn(Self.number.value)
        let other = try await accounts.user()
        let token = try await mergeToken(for: Self.email, user)
        let asked = AccountAnswer(.mergeProofRequired, methods: ["password"])
        #expect(try await merge(token, user) == asked)
        for _ in 0..<5 {
            #expect(try await merge(token, user, password: AccountFixture.other).result == .mergeProofWrong)
        }
        let locked = try await merge(token, user, password: AccountFixture.password)
        #expect(locked.result == .rateLimited && locked.limit == .lockout && locked.retryAfterSeconds == 30)
        #expect(try await users.auditEvents().count { $0 == "user.reauthentication_refused" } == 5)
        // Five more reach the limit of ten.
        for _ in 0..<5 { #expect(try await accounts.prove(AccountFixture.other).result == .invalidCredentials) }
        #expect(try await accounts.prove().result == .rateLimited)
        users.clock.advance(seconds: 60)
        #expect(try await merge(token, user, password: AccountFixture.password) == AccountAnswer(.done))
        #expect(try await users.store.user(user.id)?.email == AccountFixture.address)
        #expect(try await users.store.merged(other.id)?.into == user.id)
        // The password is gone with the account.
        let facts = try await users.store.facts(UserQuestion(.identities(user.id), askedAt: users.clock.seconds))
        #expect(facts.password == nil && Set(facts.identities.map(\.identity)) == [Self.number, Self.email])
    }

    /// A user, and another account with a phone number and an email address, of which the number is verified.
    private func twoSided() async throws -> (user: SignedInUser, other: SignedInUser, token: String) {
        let user = try await users.signedIn(Self.number.value)
        let other = try await users.signedIn(Self.next.value)
        try await users.store.put([.assignIdentity(Self.email, to: other.id)], now: users.clock.seconds)
        return (user, other, try await mergeToken(for: Self.next, user))
    }

    @Test func `a code goes to what was not verified, and is the user's who asked`() async throws {
        let (user, other, token) = try await twoSided()
        #expect(try await merge(token, user) == AccountAnswer(.mergeProofRequired, methods: ["email"]))
        func request(_ channel: String?, _ token: String) async throws -> OTPRequestResult {
            let code = ReauthenticationCodeRequest(
                channel: channel, locales: ["de"], address: AccountFixture.client, callID: AccountFixture.newCall())
            let request = MergeCodeRequest(mergeToken: token, code: code)
            return try await own().requestMergeCode(request, caller(user), proofs()).answered.result
        }
        #expect(try await request("sms", token) == .unsupportedChannel)
        #expect(try await request(nil, token) == .sent)
        let last = try #require(users.otpService.codes.last)
        let mailed = try JSONDecoder().decode(MailRequest.self, from: Data(last.body))
        #expect(mailed.email == AccountFixture.address && mailed.purpose == .merge)
        #expect(mailed.userID == user.id.text(prefix: UserFixture.prefix))
        await #expect(throws: InvalidInput.self) { try await request(nil, token + "A") }
        for text in [
            try attestation(Self.next, for: user, .merge), try attestation(Self.email, for: other, .merge),
            try attestation(Self.email, for: user, .identity),
            try attestation(Self.email, for: user, .reauthentication),
        ] {
            users.otpService.setVerdict(OTPVerifyAnswer(.approved, attestation: text))
            #expect(try await merge(token, user, code: "123456").result == .mergeProofWrong)
        }
        users.otpService.setVerdict(
            OTPVerifyAnswer(.approved, attestation: try attestation(Self.email, for: user, .merge)))
        #expect(try await merge(token, user, code: "123456") == AccountAnswer(.done))
        #expect(try await users.store.user(user.id)?.email == AccountFixture.address)
        #expect(try await users.store.merged(other.id)?.into == user.id)
    }

    @Test func `a token of the other account's provider is a proof, unless it was verified before`() async throws {
        func token(_ subject: String) throws -> String {
            try identities.mint.token(TokenWish(subject: subject), now: users.clock.seconds).identityToken
        }
        let (user, other, merging) = try await twoSided()
        try await users.store.put([.assignIdentity(Self.apple, to: other.id)], now: users.clock.seconds)
        #expect(try await merge(merging, user).methods == ["email", "apple"])
        #expect(try await merge(merging, user, apple: try token("000999.z")).result == .mergeProofWrong)
        let used = try token("000123.a")
        let prove = try users.proveIdentityToken(["apple": try identities.provider()])
        let presented = IdentityTokenRequest(
            provider: "apple", token: used, nonce: nil, callID: AccountFixture.newCall())
        let proof = try #require(try await prove(presented, requestID: nil).proof)
        let add = AddIdentityRequest(proof: proof, callID: AccountFixture.newCall())
        let second = try #require(try await own().add(add, caller(user)).answered.mergeToken)
        #expect(try await merge(second, user, apple: try token("000123.a")).result == .mergeProofRequired)
        #expect(try await merge(merging, user, apple: used).result == .mergeProofWrong)
        #expect(try await merge(merging, user, apple: try token("000123.a")) == AccountAnswer(.done))
        #expect(try await users.store.merged(other.id)?.into == user.id)
    }

    @Test func `codes of what the user adds count in the same lock, and a right one forgets none`() async throws {
        let user = try await accounts.user()
        let proofs = try proofs()
        let verify = VerifyOwnCode(
            own: try own(), lock: proofs.reauthenticate.lock, otpService: users.courier.otpService)
        func guess(_ result: OTPVerifyResult) async throws -> OTPVerifyAnswer {
            users.otpService.setVerdict(OTPVerifyAnswer(result))
            let request = OTPVerify(
                phone: Self.next.value, region: nil, code: "123456", purpose: .identity,
                userID: user.id.text(prefix: UserFixture.prefix), address: AccountFixture.client,
                callID: AccountFixture.newCall())
            return try await verify(request, by: OTPOperations.verify, caller(user)).answered
        }
        for result in [.wrongCode, .expired, .used, .unknown] as [OTPVerifyResult] {
            #expect(try await guess(result).result == result)
        }
        for result in [.approved, .tooManyAttempts, .approved] as [OTPVerifyResult] {
            #expect(try await guess(result).result == result)
        }
        users.otpService.setAway(true)
        await #expect(throws: ServiceUnavailable.self) { try await guess(.approved) }
        users.otpService.setAway(false)
        #expect(try await guess(.wrongCode).result == .wrongCode)
        let locked = try await guess(.approved)
        #expect(locked.result == .tooManyAttempts && locked.limit == .lockout && locked.retryAfterSeconds == 30)
        // A sign-in is not affected.
        #expect(try await accounts.signIn() != nil)
        users.tokenService.setSignedIn(at: users.clock.seconds - 300)
        users.clock.advance(seconds: 30)
        await #expect(throws: (any Error).self) { try await guess(.approved) }
    }

    @Test func `a code of another purpose or user is refused before it is sent on`() async throws {
        let (user, other) = (try await accounts.user(), try await users.signedIn(Self.number.value))
        let proofs = try proofs()
        let verify = VerifyOwnCode(
            own: try own(), lock: proofs.reauthenticate.lock, otpService: users.courier.otpService)
        let (id, stranger) = (user.id.text(prefix: UserFixture.prefix), other.id.text(prefix: UserFixture.prefix))
        let wrong: [(Purpose, String?)] =
            Purpose.allCases.filter { $0 != .identity }.map { ($0, id) } + [(.identity, stranger), (.identity, nil)]
        for (purpose, userID) in wrong {
            let phone = OTPVerify(
                phone: Self.next.value, region: nil, code: "123456", purpose: purpose, userID: userID,
                address: AccountFixture.client, callID: AccountFixture.newCall())
            let mail = MailVerify(
                email: Self.email.value, code: "123456", purpose: purpose, userID: userID,
                address: AccountFixture.client, callID: AccountFixture.newCall())
            await #expect(throws: InvalidInput.self) {
                try await verify(phone, by: OTPOperations.verify, caller(user))
            }
            await #expect(throws: InvalidInput.self) {
                try await verify(mail, by: OTPOperations.verifyMail, caller(user))
            }
        }
        #expect(users.otpService.codes.isEmpty)
    }

    @Test func `a change of the password voids the token`() async throws {
        let user = try await users.signedIn(Self.number.value)
        let other = try await accounts.user()
        let token = try await mergeToken(for: Self.email, user)
        guard case .answer(let changed) = try await accounts.change(other, to: "quite another one") else {
            throw UserFixture.Unexpected()
        }
        #expect(changed.result == .done)
        #expect(try await merge(token, user, password: "quite another one").result == .mergeRefused)
    }
}
