import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore

/// Proofs from before the deletion of their account: which ones make a new account after it.
@Suite(.timeLimit(.minutes(5))) struct GivenUpIdentityTests {
    private let fixture: IdentityFixture
    private let users: UserFixture

    init() throws {
        fixture = try IdentityFixture()
        users = fixture.users
    }

    private func proof(_ token: String, call: String, at provider: String) async throws -> String {
        let prove = try fixture.prove(IdentityFixture.policy(name: provider))
        return try #require(try await prove(token, nil, call).proof)
    }

    private func signIn(
        _ token: String, call: String, at provider: String, resolver: ResolveAttestation? = nil
    ) async throws -> ResolveAttestation.Outcome {
        try await (resolver ?? users.resolver())(try await proof(token, call: call, at: provider), name: nil)
    }

    private func token(_ subject: String = "000123.fake") throws -> String {
        try fixture.token(TokenWish(subject: subject)).identityToken
    }

    private func delete(_ answer: ResolveAnswer, graceDays: Int = 0) async throws {
        let request = DeleteUserRequest(userID: answer.user.id)
        _ = try await users.deletion(graceDays: graceDays)(request, requestID: nil)
        users.clock.advance(seconds: 1)
    }

    static let policies = ["apple", "acme"].flatMap { provider in
        [DeletionPolicy.SignIn.restore, .newAccount, .ask].flatMap { onSignIn in
            [0, 30].map { (provider, onSignIn, $0) }
        }
    }

    @Test(arguments: policies)
    func `after a deletion, identity tokens from before open no account`(
        _ provider: String, _ onSignIn: DeletionPolicy.SignIn, _ graceDays: Int
    ) async throws {
        let (unused, used) = (try token(), try fixture.token(TokenWish(ageSeconds: 1)).identityToken)
        let first = try await signIn(used, call: "call-1", at: provider).answered
        users.clock.advance(seconds: 10)
        let sealed = try await proof(unused, call: "call-2", at: provider)
        try await delete(first, graceDays: graceDays)
        let resolver = try users.resolver(onSignIn)
        for isRemoved in [false, true] {
            if isRemoved { await users.removal().round() }
            #expect(try await resolver(sealed, name: nil) == .refused(.attestationRefused))
            for (token, call) in [(unused, "call-3"), (used, "call-1"), (used, "call-4")] {
                let outcome = try await signIn(token, call: call, at: provider, resolver: resolver)
                #expect(outcome == .refused(.attestationRefused), "\(isRemoved)")
            }
        }
        #expect(try await users.count("users") == (graceDays == 0 ? 0 : 1))
        let outcome = try await signIn(try token(), call: "call-5", at: provider, resolver: resolver)
        switch (onSignIn, graceDays) {
        case (.restore, 30): #expect(try outcome.answered.restored)
        case (_, 30): #expect(outcome == .refused(.deletionScheduled))
        default: #expect(try outcome.answered.isNewUser && outcome.answered.user.id != first.user.id)
        }
    }

    @Test func `other subjects, and the same subject at another provider, are not concerned`() async throws {
        let tokens = try [token(), token("000124.b"), token()]
        users.clock.advance(seconds: 5)
        try await delete(try await signIn(try token(), call: "call-1", at: "apple").answered)
        await users.removal().round()
        #expect(try await signIn(tokens[0], call: "call-2", at: "apple") == .refused(.attestationRefused))
        #expect(try await signIn(tokens[1], call: "call-3", at: "apple").answered.isNewUser)
        #expect(try await signIn(tokens[2], call: "call-4", at: "acme").answered.isNewUser)
    }

    @Test func `each of several identities is noted, under a hash and for a day from the deletion`() async throws {
        let first = try await signIn(try token(), call: "call-1", at: "apple").answered
        let id = try #require(UserID(text: first.user.id, prefix: UserFixture.prefix))
        let others = [VerifiedIdentity(kind: .oidc, value: "acme:000123.fake"), .phone("+15551234567")]
        try await users.store.put(others.map { .assignIdentity($0, to: id) }, now: users.clock.seconds)
        let requestedAt = users.clock.seconds
        try await delete(first)
        users.clock.advance(seconds: 100)
        await users.removal().round()
        let kept = try await users.texts(
            "SELECT answer || ' ' || expires_at || ifnull(user_id, '') FROM first_answers")
        #expect(kept == .init(repeating: "\(requestedAt) \(requestedAt + 86_400)", count: 3))
    }

    @Test func `nothing is noted where the grace outlives every token`() async throws {
        let first = try await signIn(try token(), call: "call-1", at: "acme").answered
        try await delete(first, graceDays: 1)
        users.clock.advance(seconds: 86_400)
        await users.removal().round()
        #expect(try await users.count("users") == 0)
        #expect(try await users.count("first_answers") == 0)
    }

    @Test(arguments: ["account-deleted", "account-delete"])
    func `a token from before Apple's account ended makes no account, also if the user had another identity`(
        _ type: String
    ) async throws {
        let apple = try AppleFixture()
        let early = try apple.identities.token().identityToken
        let user = try apple.user(try await apple.signIn())
        try await apple.users.store.put(
            [.assignIdentity(.phone("+15551234567"), to: user)], now: apple.users.clock.seconds)
        apple.users.clock.advance(seconds: 5)
        #expect(try await apple.notify(AppleEventWish(type: type, subject: AppleFixture.subject)) == .noted)
        #expect(try await apple.users.texts("SELECT kind FROM identities") == ["phone"])
        apple.users.clock.advance(seconds: 1)
        await #expect(throws: (any Error).self) { try await apple.signIn(token: early) }
        #expect(try await apple.users.count("users") == 1)
        #expect(try await apple.signIn().isNewUser)
    }

    // MARK: - Other proofs

    @Test func `a code that has signed in before makes no account, one that is entered afterwards does`() async throws {
        let phone = VerifiedIdentity.phone("+15551234567")
        let used = try users.attestation(phone, id: "code-1")
        let first = try await users.resolver()(used, name: nil).answered
        try await delete(first)
        await users.removal().round()
        #expect(try await users.resolver()(used, name: nil) == .refused(.attestationRefused))
        let entered = try users.attestation(phone, id: "code-2", challengedAt: users.clock.seconds - 30)
        #expect(try await users.resolver()(entered, name: nil).answered.isNewUser)
    }

    @Test(arguments: ["apple", "acme"])
    func `of a sign-in in a browser the time of the provider's token counts`(_ provider: String) async throws {
        try await withWebSignIns { fixture in
            let users = fixture.identities.users
            func signIn(_ code: String, _ call: String) async throws -> ResolveAttestation.Outcome {
                let proof = try #require(try await fixture.redeem(provider, code, call: call).proof)
                return try await users.resolver()(proof, name: nil)
            }
            let first = try await signIn(try await fixture.code(provider), "call-1").answered
            users.clock.advance(seconds: 1)
            let early = try await fixture.code(provider)
            let begun = try fixture.begin(provider)
            users.clock.advance(seconds: 1)
            _ = try await users.deletion(graceDays: 0)(DeleteUserRequest(userID: first.user.id), requestID: nil)
            await users.removal().round()
            users.clock.advance(seconds: 1)
            #expect(try await signIn(early, "call-3") == .refused(.attestationRefused))
            // The person signed in at the provider after the deletion, in a browser that was sent there before.
            let token = try fixture.token(begun)
            fixture.endpoint.issue(token)
            let answer = try await fixture.finish(WebSignInFixture.returned(provider, begun, token: token, call: "c-9"))
            let code = try #require(try WebSignInFixture.members(answer)["code"])
            #expect(try await signIn(code, "call-4").answered.isNewUser)
        }
    }
}

/// A password's proof belongs to one account, and no other account can follow from it.
@Suite(.timeLimit(.minutes(5)), .accounts) struct GivenUpPasswordTests {
    @Test func `a password's proof and mailed links from before a deletion make no account`() async throws {
        let accounts = try AccountFixture.ofTest
        let user = try await accounts.user()
        let proof = try await accounts.prove().proof
        let request = DeleteUserRequest(userID: user.id.text(prefix: UserFixture.prefix))
        _ = try await accounts.users.deletion(graceDays: 0)(request, requestID: nil)
        #expect(try await accounts.resolve(proof) == .refused(.deletionScheduled))
        await accounts.users.removal().round()
        #expect(try await accounts.resolve(proof) == .refused(.attestationRefused))
        #expect(try await accounts.users.count("users") == 0)
        #expect(try await accounts.users.count("account_links") == 0)
        #expect(try await accounts.users.count("registrations") == 0)
    }
}
