import InternalAPI
import Policies
import TestSupport
import Testing

@testable import FakesCore
@testable import UserCore

/// Flows in a browser that a signed-in user begins, to add an identity or to show again who they are.
@Suite(.timeLimit(.minutes(5))) struct OwnFlowTests {
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")

    /// A user with two sessions, and another user.
    private struct People {
        let user, elsewhere, other: SignedInUser

        init(_ fixture: WebSignInFixture) async throws {
            let users = fixture.identities.users
            users.tokenService.setSignedIn(at: users.clock.seconds)
            user = try await users.signedIn("+15551234567")
            elsewhere = SignedInUser(id: user.id, sessionID: "another")
            other = try await users.signedIn("+15557654321")
        }

        /// Every owner that a flow may have, and none.
        var owners: [FlowOwner?] {
            [nil]
                + [user, elsewhere, other].flatMap { [FlowOwner(.identity, $0), FlowOwner(.reauthentication, $0)] }
        }
    }

    private func own(_ fixture: WebSignInFixture) throws -> ChangeOwnIdentities {
        let users = fixture.identities.users
        let (tags, act) = (
            CallTags(ring: users.storageKeys),
            AccountAct(store: users.store, courier: users.courier, now: users.clock.unix)
        )
        return ChangeOwnIdentities(
            act: act, recent: RecentAuthentication(tokenService: users.courier.tokenService, now: users.clock.unix),
            withinSeconds: 300, ways: SignInWays(try UserFixture.policy("userIDPrefix: usr_\n")), ends: .others,
            move: users.move, takeover: AccountTakeover(userIDPrefix: UserFixture.prefix),
            notices: AccountNotices(seal: users.seal), attributes: UserFixture.attributes,
            merges: MergeSeal(ring: users.storageKeys), pending: PendingSeal(ring: users.storageKeys),
            delaySeconds: 86_400, tags: tags, givenUp: users.givenUp,
            attestationKeys: users.attestationKeys, proofKeys: try OwnProof.keys(users.storageKeys), accounts: nil)
    }

    private func reauthentication(_ fixture: WebSignInFixture) -> Reauthenticate {
        let users = fixture.identities.users
        let act = AccountAct(store: users.store, courier: users.courier, now: users.clock.unix)
        return Reauthenticate(
            act: act,
            lock: ProofLock(redis: fixture.redis, tags: GuessTags(ring: users.storageKeys), hasRoom: { true }),
            codes: ReauthenticationCodes(
                act: act, otpService: users.courier.otpService, attestationKeys: users.attestationKeys,
                userIDPrefix: UserFixture.prefix),
            hasher: nil,
            tokens: OwnIdentityTokens(
                prove: fixture.prove, redeem: fixture.redeem, store: users.store, givenUp: users.givenUp,
                withinSeconds: 300),
            statementKeys: users.grantKeys, userIDPrefix: UserFixture.prefix)
    }

    private static func proof(
        _ code: String, verifier: String = WebSignInFixture.verifier, call: String
    ) -> ReauthenticateRequest {
        ReauthenticateRequest(
            code: code, provider: "apple", verifier: verifier, address: AccountFixture.client, callID: call)
    }

    private func reauthenticate(
        _ fixture: WebSignInFixture, _ user: SignedInUser, _ code: String,
        verifier: String = WebSignInFixture.verifier, call: String = AccountFixture.newCall()
    ) async throws -> ReauthenticateAnswer {
        let request = Self.proof(code, verifier: verifier, call: call)
        guard case .answer(let answer) = try await reauthentication(fixture)(user, request, requestID: "r-1") else {
            throw UserFixture.Unexpected()
        }
        return answer
    }

    private func add(
        _ fixture: WebSignInFixture, _ user: SignedInUser, _ code: String, call: String = AccountFixture.newCall()
    ) async throws -> AccountAnswer {
        let answer = try await fixture.redeem("apple", code, call: call, owner: FlowOwner(.identity, user))
        let caller = ChangeOwnIdentities.Caller(user: user, accessToken: "t", requestID: "r-1")
        let request = AddIdentityRequest(proof: try #require(answer.proof), callID: call)
        return try await own(fixture).add(request, caller).answered
    }

    @Test(arguments: ["apple", "acme"])
    func `a code is accepted for its purpose, user and session alone, and any other is like an unknown one`(
        _ provider: String
    ) async throws {
        try await withWebSignIns { fixture in
            let owners = try await People(fixture).owners
            let unknown = try await fixture.redeem(provider, "AAAA")
            #expect(unknown == IdentityTokenAnswer(.refused))
            for begun in owners {
                let code = try await fixture.code(provider, owner: begun)
                for presenter in owners where presenter != begun {
                    #expect(try await fixture.redeem(provider, code, owner: presenter) == unknown)
                }
                // None of them counted against the code.
                #expect(try await fixture.redeem(provider, code, owner: begun).result == .proved)
                fixture.clock.advance(seconds: SignInCode.lifetimeSeconds)
                #expect(try await fixture.redeem(provider, code, owner: begun) == unknown)
            }
        }
    }

    @Test func `the code of a flow adds the identity once, and a repeat of the call gets the first response`()
        async throws
    {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            let code = try await fixture.code("apple", owner: FlowOwner(.identity, people.user))
            #expect(
                try await add(fixture, people.user, code, call: "call-7") == AccountAnswer(.done, endsOwnSession: false)
            )
            fixture.clock.advance(seconds: 2)
            #expect(
                try await add(fixture, people.user, code, call: "call-7") == AccountAnswer(.done, endsOwnSession: false)
            )
            #expect(try await add(fixture, people.user, code).result == .proofRefused)
            let store = fixture.identities.users.store
            let question = UserQuestion(.identity(Self.apple), askedAt: fixture.clock.seconds)
            #expect(try await store.facts(question).holder?.id == people.user.id)
            // It is in use for another user, who has a flow of their own.
            let taken = try await fixture.code("apple", owner: FlowOwner(.identity, people.other))
            #expect(try await add(fixture, people.other, taken).result == .identityInUse)
        }
    }

    @Test func `an old authentication adds nothing, and leaves the code for afterwards`() async throws {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            let users = fixture.identities.users
            let code = try await fixture.code("apple", owner: FlowOwner(.identity, people.user))
            users.tokenService.setSignedIn(at: users.clock.seconds - 300)
            let answer = try await fixture.redeem("apple", code, owner: FlowOwner(.identity, people.user))
            let request = AddIdentityRequest(proof: try #require(answer.proof), callID: "call-8")
            let caller = ChangeOwnIdentities.Caller(user: people.user, accessToken: "t", requestID: nil)
            #expect(try await own(fixture).add(request, caller).isRefused(.reauthenticationRequired))
            users.tokenService.setSignedIn(at: users.clock.seconds)
            #expect(try await add(fixture, people.user, code).result == .done)
        }
    }

    @Test func `a flow shows again who the user is, once, and a wrong one counts`() async throws {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            let users = fixture.identities.users
            try await users.store.put([.assignIdentity(Self.apple, to: people.user.id)], now: users.clock.seconds)
            let owner = FlowOwner(.reauthentication, people.user)
            let code = try await fixture.code("apple", owner: owner)
            let first = try await reauthenticate(fixture, people.user, code, call: "call-7")
            #expect(first.result == .authenticated)
            let statement = try Reauthentication.open(
                try #require(first.statement), with: users.grantKeys, now: users.clock.seconds)
            #expect(statement.method == "browser" && statement.sessionID == people.user.sessionID)
            #expect(try await reauthenticate(fixture, people.user, code, call: "call-7").result == .authenticated)
            #expect(try await reauthenticate(fixture, people.user, code).result == .refused)
            // A flow that signs in or adds, of another session, of another person, and one with a wrong verifier.
            for wrong in [
                try await fixture.code("apple"),
                try await fixture.code("apple", owner: FlowOwner(.identity, people.user)),
                try await fixture.code("apple", owner: FlowOwner(.reauthentication, people.elsewhere)),
                try await fixture.code("apple", subject: "000124.b", owner: owner),
            ] {
                #expect(try await reauthenticate(fixture, people.user, wrong).result == .refused)
            }
            let last = try await fixture.code("apple", owner: owner)
            #expect(try await reauthenticate(fixture, people.user, last, verifier: "w").result == .rateLimited)
        }
    }

    @Test func `the flow that adds an identity also proves the other account of a merge, and no other flow does`()
        async throws
    {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            let users = fixture.identities.users
            let number = VerifiedIdentity.phone("+15557654321")
            try await users.store.put([.assignIdentity(Self.apple, to: people.other.id)], now: users.clock.seconds)
            let attestation = try Attestation(
                proofID: AccountFixture.newCall(), method: "sms", identity: number, purpose: .identity,
                userID: people.user.id.text(prefix: UserFixture.prefix), expiresAt: users.clock.seconds + 60,
                challengedAt: users.clock.seconds
            ).sealed(with: users.attestationKeys)
            let caller = ChangeOwnIdentities.Caller(user: people.user, accessToken: "t", requestID: nil)
            let taken = try await own(fixture).add(AddIdentityRequest(proof: attestation, callID: "call-1"), caller)
            let token = try #require(try taken.answered.mergeToken)
            let proofs = MergeProofs(reauthenticate: reauthentication(fixture), accounts: nil)
            func merge(_ code: String) async throws -> AccountAnswer.Result {
                let call = AccountFixture.newCall()
                let request = MergeRequest(mergeToken: token, proof: Self.proof(code, call: call), callID: call)
                return try await own(fixture).merge(request, caller, proofs).answered.result
            }
            for owner in people.owners where owner != FlowOwner(.identity, people.user) {
                let code = try await fixture.code("apple", owner: owner)
                try await reauthentication(fixture).lock.forgetAll(of: people.user.id)
                #expect(try await merge(code) == .mergeProofWrong)
            }
            let stranger = try await fixture.code(
                "apple", subject: "000124.b", owner: FlowOwner(.identity, people.user))
            #expect(try await merge(stranger) == .mergeProofWrong)
            #expect(try await merge(try await fixture.code("apple", owner: FlowOwner(.identity, people.user))) == .done)
        }
    }

    @Test func `only a flow that shows who the user is has the provider ask them again`() async throws {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            for owner in people.owners {
                let isProof = owner?.purpose == .reauthentication
                #expect(try fixture.begin("acme", owner: owner)["max_age"] == (isProof ? "0" : nil))
                #expect(try fixture.begin("apple", owner: owner)["max_age"] == nil)
            }
        }
    }

    @Test func `a provider that was asked again has to state that it did`() async throws {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            /// The members of the app's address, by the flow's owner, the provider and what it states.
            func end(
                _ owner: FlowOwner?, _ provider: String = "acme", _ claims: [String: String] = [:],
                without: [String] = []
            ) async throws -> [String: String] {
                let asked = try fixture.begin(provider, owner: owner)
                fixture.clock.advance(seconds: 100)
                let nonce = ["nonce": "\"\(asked["nonce"] ?? "")\""]
                let token = try fixture.identities.token(
                    TokenWish(
                        subject: "000123.a", audience: asked["client_id"], claims: nonce.merging(claims) { $1 },
                        without: without)
                ).identityToken
                fixture.endpoint.issue(token)
                let call = AccountFixture.newCall()
                return try WebSignInFixture.members(
                    try await fixture.finish(WebSignInFixture.returned(provider, asked, token: token, call: call)))
            }
            let owner = FlowOwner(.reauthentication, people.user)
            for seconds in [-60, 0, 100] as [Int64] {
                let time = ["auth_time": "\(fixture.clock.seconds + seconds)"]
                #expect(try await end(owner, "acme", time)["code"] != nil)
            }
            for time in ["\(fixture.clock.seconds - 61)", "1", "null", "\"x\""] {
                let refused = try await end(owner, "acme", ["auth_time": time])
                #expect(refused["error"] == "provider_error" && refused["code"] == nil)
                fixture.clock.advance(seconds: -100)
            }
            #expect(try await end(owner, without: ["auth_time"])["error"] == "provider_error")
            // No other flow asks again.
            for owner in [nil, FlowOwner(.identity, people.user)] {
                #expect(try await end(owner, "acme", ["auth_time": "1"])["code"] != nil)
                #expect(try await end(owner, without: ["auth_time"])["code"] != nil)
            }
            #expect(try await end(owner, "apple", without: ["auth_time"])["code"] != nil)
        }
    }

    @Test func `no flow of a user is for anything else`() async throws {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            for purpose in Purpose.allCases where ![.identity, .reauthentication].contains(purpose) {
                #expect(throws: InvalidInput.self) {
                    try fixture.begin("acme", owner: FlowOwner(purpose, people.user))
                }
            }
        }
    }

    @Test func `without Redis a code is neither used nor counted`() async throws {
        try await withWebSignIns { fixture in
            let people = try await People(fixture)
            let code = try await fixture.code("apple", owner: FlowOwner(.identity, people.user))
            try await fixture.server.stop()
            await #expect(throws: WebSignInNotes.Failure.self) {
                try await fixture.redeem("apple", code, owner: FlowOwner(.identity, people.user))
            }
        }
    }
}
