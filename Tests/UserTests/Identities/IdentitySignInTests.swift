import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import FakesCore
@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// The outcome of a verified identity, whose token serves once.
@Suite(.timeLimit(.minutes(5))) struct IdentitySignInTests {
    private let fixture: IdentityFixture
    private let users: UserFixture

    init() throws {
        fixture = try IdentityFixture()
        users = fixture.users
    }

    /// Proves and resolves a token for a call.
    private func signIn(
        _ token: String, call: String = "call-1", nonce: String? = nil, name: String? = nil,
        by policy: IdentityProviderPolicy = IdentityFixture.policy(), resolver: ResolveAttestation? = nil
    ) async throws -> ResolveAttestation.Outcome {
        let answer = try await fixture.prove(policy)(token, nonce, call)
        let proof = try #require(answer.proof)
        return try await (resolver ?? users.resolver())(proof, name: name)
    }

    private func granted(_ result: ResolveAttestation.Outcome) throws -> (answer: ResolveAnswer, grant: Grant) {
        (try result.answered, try users.grant(try result.answered))
    }

    private func token(_ wish: TokenWish = TokenWish()) throws -> String { try fixture.token(wish).identityToken }

    @Test func `a first sign-in makes a user without number, address or unverified claims`() async throws {
        let email = TokenWish(subject: "000123.a", claims: ["email": "\"a@b.c\"", "email_verified": "true"])
        let (answer, grant) = try granted(try await signIn(try token(email), name: "Betty"))
        #expect(answer.isNewUser && answer.user.name == "Betty")
        #expect(answer.user.phoneNumber == nil && answer.user.email == nil)
        #expect(grant.claims == UserClaims(phone: nil, role: "user", version: 1) && grant.method == "apple")
        #expect(try await users.texts("SELECT kind || ' ' || value FROM identities") == ["apple 000123.a"])
        #expect(try await users.auditEvents() == ["user.created"])
    }

    @Test func `the next token of the same subject is the same user`() async throws {
        let first = try granted(try await signIn(try token()))
        let second = try granted(try await signIn(try token(), call: "call-2", name: "Mallory"))
        #expect(first.answer.user == second.answer.user && !second.answer.isNewUser)
        #expect(first.grant.id != second.grant.id)
        let other = try granted(try await signIn(try token(TokenWish(subject: "000124.b")), call: "call-3"))
        #expect(other.answer.user.id != first.answer.user.id)
    }

    @Test func `an email in the token is nobody's identity: the user of that address stays apart`() async throws {
        let owner = try await users.signedIn(VerifiedIdentity(kind: .email, value: "betty@example.com"))
        let email = TokenWish(claims: ["email": "\"betty@example.com\"", "email_verified": "true"])
        let (answer, _) = try granted(try await signIn(try token(email)))
        #expect(answer.isNewUser && answer.user.id != owner.id.text(prefix: UserFixture.prefix))
    }

    @Test func `a subject at two providers is two users`() async throws {
        let apple = try granted(try await signIn(try token()))
        let google = try granted(
            try await signIn(try token(), call: "call-2", by: IdentityFixture.policy(name: "google")))
        #expect(apple.answer.user.id != google.answer.user.id && google.grant.method == "oidc:google")
        #expect(
            try await users.texts("SELECT kind || ' ' || value FROM identities ORDER BY kind")
                == ["apple 000123.fake", "oidc google:000123.fake"])
    }

    // MARK: - Single use

    @Test func `a repeat of the call within a minute has the same grant, later and for other calls the token is used`()
        async throws
    {
        let token = try token()
        let first = try granted(try await signIn(token))
        users.clock.advance(seconds: 60)
        let again = try granted(try await signIn(token))
        #expect(again.grant.id == first.grant.id && again.answer.isNewUser)
        #expect(try await signIn(token, call: "call-2") == .refused(.attestationRefused))
        users.clock.advance(seconds: 1)
        #expect(try await signIn(token) == .refused(.attestationRefused))
        #expect(try await users.count("users") == 1)
        #expect(
            try await users.texts("SELECT detail FROM audit WHERE event = 'user.sign_in_refused'")
                == ["identity token used", "identity token used"])
    }

    @Test func `a token's twin is the same token`() async throws {
        let policy = IdentityFixture.policy(algorithm: "ES256")
        let minted = try fixture.token(TokenWish(algorithm: "ES256"))
        _ = try granted(try await signIn(minted.identityToken, by: policy))
        #expect(
            try await signIn(try #require(minted.twin), call: "call-2", by: policy) == .refused(.attestationRefused))
        // Even for the same call: the twin is another body.
        #expect(try await signIn(try #require(minted.twin), by: policy) == .refused(.attestationRefused))
    }

    @Test func `a hundred uses of a token and of its twin in two processes are one sign-in`() async throws {
        let policy = IdentityFixture.policy(algorithm: "ES256")
        let minted = try fixture.token(TokenWish(algorithm: "ES256"))
        let twin = try #require(minted.twin)
        let replica = try users.resolver(over: try users.openReplica())
        let own = try users.resolver()
        let results = try await withThrowingTaskGroup(of: ResolveAttestation.Outcome.self) { group in
            for number in 0..<100 {
                let text = number % 3 == 0 ? twin : minted.identityToken
                group.addTask {
                    try await self.signIn(
                        text, call: "call-\(number)", by: policy, resolver: number % 2 == 0 ? own : replica)
                }
            }
            return try await group.reduce(into: [ResolveAttestation.Outcome]()) { $0.append($1) }
        }
        let granted = results.filter { if case .answer = $0 { true } else { false } }
        #expect(granted.count == 1 && results.count { $0 == .refused(.attestationRefused) } == 99)
        #expect(try await users.count("users") == 1)
        #expect(try await users.count("resolutions") == 1)
    }

    @Test func `the use is known for as long as the token is accepted, and swept later`() async throws {
        let token = try token(TokenWish(lifetimeSeconds: 80_000))
        _ = try granted(try await signIn(token))
        users.clock.advance(seconds: 79_999)
        #expect(try await signIn(token, call: "call-2") == .refused(.attestationRefused))
        #expect(try await fixture.prove()(token, nil, "call-3").result == .proved)
        users.clock.advance(seconds: 1)
        #expect(try await fixture.prove()(token, nil, "call-3").result == .refused)
        let now = users.clock.seconds
        #expect(try await sweep(now) == 0)
        #expect(try await sweep(now + ResolutionRows.outlivesSeconds) == 1)
    }

    private func sweep(_ now: Int64) async throws -> Int {
        try await users.database.write { transaction in
            let keys = try ExpiredRows.resolutions.find(from: .null, now: now, in: transaction).keys
            return try ExpiredRows.resolutions.remove(keys, now: now, in: transaction)
        }
    }

    @Test func `a refused sign-in uses no token up`() async throws {
        let token = try token()
        let closed = try users.resolver(newUsers: .invited)
        #expect(try await signIn(token, resolver: closed) == .refused(.notInvited))
        _ = try granted(try await signIn(token, call: "call-2"))
    }

    // MARK: - Accounts

    @Test func `a token from before the deletion does not take it back, a fresh one does`() async throws {
        let (early, subject) = (try token(), TokenWish(ageSeconds: -1))
        let first = try granted(try await signIn(try token()))
        let id = try #require(UserID(text: first.answer.user.id, prefix: UserFixture.prefix))
        users.clock.advance(seconds: 10)
        try await users.giveUp(id, telling: OutboxMessage(kind: .revokeUser, payload: "{}"))
        users.clock.advance(seconds: 1)
        #expect(try await signIn(early, call: "call-2") == .refused(.attestationRefused))
        #expect(try granted(try await signIn(try token(subject), call: "call-3")).answer.restored)
    }

    private func importUsers(_ users: [ImportedUser]) async throws -> [ImportResult] {
        let use = ImportUsers(
            store: self.users.store, ids: ImportedIDs(ring: self.users.storageKeys), userIDPrefix: UserFixture.prefix,
            defaultRegion: nil, providers: ["apple", "google"], now: self.users.clock.unix)
        return try await use(ImportUsersRequest(users: users), requestID: nil).results
    }

    @Test func `an imported user is found by the old provider's token, also where only invited people come in`()
        async throws
    {
        let accounts = [
            ProviderAccount(provider: "apple", subject: "000123.fake"),
            ProviderAccount(provider: "google", subject: "7"),
        ]
        let imported = [
            ImportedUser(legacyID: "old-1", phone: "+15551234567", name: "Betty", identities: accounts),
            ImportedUser(legacyID: "old-2", identities: [ProviderAccount(provider: "apple", subject: "000124.b")]),
        ]
        let first = try await importUsers(imported)
        #expect(first.allSatisfy { $0.isAdded && $0.problem == nil }, "\(first)")
        #expect(try await importUsers(imported).map(\.userID) == first.map(\.userID))
        let closed = try users.resolver(newUsers: .invited)
        let (answer, grant) = try granted(try await signIn(try token(), resolver: closed))
        #expect(answer.user.id == first[0].userID && !answer.isNewUser && answer.user.name == "Betty")
        #expect(grant.claims.phone == "+15551234567" && grant.claims.legacyID == "old-1")
        let other = try token(TokenWish(subject: "000125.c"))
        #expect(try await signIn(other, call: "call-2", resolver: closed) == .refused(.notInvited))
        for key in ["apple:000123.fake", "google:7", "+15551234567"] {
            let found = try await users.lookUp(FindUserRequest(key: key), requestID: nil).answered
            #expect(found.id == first[0].userID && found.identities == accounts)
        }
        #expect(try await users.lookUp(FindUserRequest(key: "apple:7"), requestID: nil) == .refused(.notFound))
        let page = try await users.lookUp(ListUsersRequest(limit: 10), requestID: nil)
        #expect(Set(page.users.compactMap { $0.identities?.count }) == [1, 2])
    }

    @Test(arguments: [
        (ImportedUser(identities: []), "Give at least one of email, phone and identities"),
        (ImportedUser(identities: [ProviderAccount(provider: "x", subject: "1")]), "no provider of this name"),
        (ImportedUser(identities: [ProviderAccount(provider: "apple", subject: "")]), "visible ASCII characters"),
        (ImportedUser(identities: [ProviderAccount(provider: "apple", subject: "a b")]), "visible ASCII characters"),
        (
            ImportedUser(identities: (0...16).map { ProviderAccount(provider: "apple", subject: "\($0)") }),
            "more than 16 accounts"
        ),
    ])
    func `an identity that cannot be imported is named`(_ user: ImportedUser, _ problem: String) async throws {
        let result = try await importUsers([user])[0]
        #expect(!result.isAdded && result.problem?.contains(problem) == true, "\(result)")
    }

    @Test func `another user's identity is not imported a second time`() async throws {
        let account = ProviderAccount(provider: "apple", subject: "000123.fake")
        let results = try await importUsers([
            ImportedUser(legacyID: "a", identities: [account]), ImportedUser(legacyID: "b", identities: [account]),
        ])
        #expect(results[0].isAdded && results[1].problem == "apple is another user's")
    }

    @Test func `a bad name is dropped`() async throws {
        let (answer, _) = try granted(try await signIn(try token(), name: "a\u{202E}b"))
        #expect(answer.isNewUser && answer.user.name == nil)
    }

    @Test func `otp-service cannot attest an identity at a provider`() async throws {
        let attestation = try users.attestation(VerifiedIdentity(kind: .apple, value: "000123.fake"))
        #expect(try await users.resolver()(attestation) == .refused(.attestationRefused))
    }

    @Test func `a proof lives a minute, and no other key opens it`() async throws {
        let proof = try #require(try await fixture.prove()(try token(), nil, "call-1").proof)
        #expect(throws: SealRefusal.forged) {
            try OwnProof.open(proof, with: users.attestationKeys, now: users.clock.seconds)
        }
        users.clock.advance(seconds: 60)
        let log = TestLog()
        let result = try await users.resolver()(proof, logger: log.logger)
        #expect(result == .refused(.attestationRefused) && log.lines == ["attestation.refused reason=expired"])
    }

    // MARK: - Audit

    @Test func `wrong tokens store nothing, and the audit has each rule once a minute with their number`() async throws
    {
        let prove = try fixture.prove()
        for wrong in IdentityTokenTests.wrong {
            for _ in 0..<2 {
                #expect(try await prove(try token(wrong.wish), nil, "c").result == .refused, "\(wrong.name)")
            }
        }
        let rules = Set(IdentityTokenTests.wrong.map { "apple " + $0.rejection.rawValue })
        #expect(Set(try await users.texts("SELECT detail FROM audit")) == rules)
        #expect(Set(try await users.auditEvents()) == ["identity.token_refused"])
        #expect(try await users.count("audit") == rules.count)
        #expect(try await users.count("users") == 0)
        #expect(try await users.count("resolutions") == 0)
    }

    @Test func `further refusals are written as a number once the minute is over`() async throws {
        let audit = RefusedTokenAudit(store: users.store, now: users.clock.unix, logger: users.logger)
        for _ in 0..<5 { try await audit.note(.expired, provider: "google", requestID: "r-1") }
        await audit.round()
        users.clock.advance(seconds: 60)
        await audit.round()
        await audit.round()
        try await audit.note(.expired, provider: "google", requestID: "r-2")
        #expect(
            try await users.texts("SELECT detail FROM audit ORDER BY number")
                == ["google expired", "google expired, 4 more", "google expired"])
    }

    @Test func `a nonce that is too short to be random is an invalid request where nonces are required`() async throws {
        let prove = try fixture.prove(IdentityFixture.policy(.required))
        for short in ["", "n", String(repeating: "n", count: 15), String(repeating: "\u{1F600}", count: 15)] {
            let token = try token(TokenWish(nonce: short))
            let error = await #expect(throws: InvalidInput.self) { try await prove(token, short, "c") }
            #expect(error?.member == "nonce")
        }
        for long in [String(repeating: "n", count: 16), String(repeating: "\u{1F600}", count: 16)] {
            #expect(try await prove(try token(TokenWish(nonce: long)), long, "c").result == .proved)
        }
        #expect(try await prove(try token(), nil, "c").result == .refused)
        for rule in [IdentityProviderPolicy.NonceRule.optional, .ifSent] {
            let prove = try fixture.prove(IdentityFixture.policy(rule))
            #expect(try await prove(try token(TokenWish(nonce: "n")), "n", "c").result == .proved)
        }
    }

    @Test func `a provider that the policy lacks is off, and without keys there is no answer`() async throws {
        let prove = try fixture.prove()
        let request = IdentityTokenRequest(provider: "google", token: "a.b.c", nonce: nil, callID: "c")
        let none = try users.proveIdentityToken([:])
        #expect(try await none(request, requestID: nil).result == .off)
        fixture.exchange.become(nil)
        await #expect(throws: ProviderKeys.Unavailable.self) { try await prove(try token(), nil, "c") }
        // A malformed token is refused without a key.
        #expect(try await prove("a.b.c", nil, "c").result == .refused)
    }
}
