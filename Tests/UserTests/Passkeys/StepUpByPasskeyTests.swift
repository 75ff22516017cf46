import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing
import WebAuthn

@testable import UserCore

/// Step-ups by passkeys, and what the operator does with them (guide to passkeys, hostile inputs 2, 36 and 37).
@Suite(.timeLimit(.minutes(10))) struct StepUpByPasskeyTests {
    private func options(
        _ user: User, _ fixture: PasskeyFixture, session: String = "s-1"
    ) async throws -> PasskeyOptions {
        try #require(
            try await fixture.begin.stepUp(SignedInUser(id: user.id, sessionID: session)).answered.options)
    }

    private func judge(
        _ passkey: PresentedPasskey, _ user: User, _ fixture: PasskeyFixture, session: String = "s-1",
        call: String = UUIDText.random()
    ) async throws -> Reauthenticate.Judgement {
        try await fixture.stepUp.judge(
            passkey, SignedInUser(id: user.id, sessionID: session), user, callID: call, requestID: nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the user's passkey is a proof for this session, once`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let user = try await fixture.user()
        let (passkey, authenticator) = try await fixture.passkey(of: user)
        let options = try await options(user, fixture)
        #expect(options.credentials.map(\.id) == [passkey.credentialID] && options.userVerification == "required")
        // Platforms may leave the handle out if the options name the credentials.
        let presented = try PasskeyFixture.presented(options, authenticator) { $0.userHandle = nil }
        guard case .right(let time, let factors, let id) = try await judge(presented, user, fixture, call: "c") else {
            Issue.record("refused")
            return
        }
        #expect(time == fixture.time && factors == [.pop, .user] && id != nil)
        #expect(try await judge(presented, user, fixture, call: "c") == .right(at: time, factors, id: id))
        #expect(try await judge(presented, user, fixture, call: "d") == .wrong)
        #expect(try await fixture.stored(user).first?.lastUsedAt == fixture.time)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a challenge or a passkey of another user or session is no proof`(_ engine: DatabaseKind) async throws {
        let fixture = try await PasskeyFixture(engine)
        let (user, other) = (try await fixture.user(), try await fixture.user("+15557654321"))
        let (_, authenticator) = try await fixture.passkey(of: user)
        let (_, stranger) = try await fixture.passkey(of: other)
        let own = try await options(user, fixture)
        #expect(try await judge(try PasskeyFixture.presented(own, stranger), user, fixture) == .wrong)
        let ofOther = try await options(other, fixture)
        #expect(try await judge(try PasskeyFixture.presented(ofOther, stranger), user, fixture) == .wrong)
        let ofSession = try await options(user, fixture, session: "s-2")
        #expect(try await judge(try PasskeyFixture.presented(ofSession, authenticator), user, fixture) == .wrong)
        let ofSignIn = try fixture.signInOptions()
        #expect(try await judge(try PasskeyFixture.presented(ofSignIn, authenticator), user, fixture) == .wrong)
        // The right one still is, so that the refusals above have no other cause.
        guard case .right = try await judge(try PasskeyFixture.presented(own, authenticator), user, fixture) else {
            Issue.record("refused")
            return
        }
    }

    @Test func `it needs the user's verification, also where a sign-in does not, and no restore key serves`()
        async throws
    {
        let fixture = try await PasskeyFixture(.sqlite) { $0.userVerification = .preferred }
        let user = try await fixture.user()
        let (_, restore) = try await fixture.passkey(of: user, .restore)
        let caller = SignedInUser(id: user.id, sessionID: "s-1")
        #expect(try await fixture.begin.stepUp(caller).answered.options == nil)
        var (_, authenticator) = try await fixture.passkey(of: user)
        let options = try await options(user, fixture)
        #expect(try await judge(try PasskeyFixture.presented(options, restore), user, fixture) == .wrong)
        authenticator.flags = 0x19
        #expect(try await judge(try PasskeyFixture.presented(options, authenticator), user, fixture) == .wrong)
        // At a sign-in, this assertion counts as one factor.
        #expect(try await fixture.signIn(authenticator)?.factors == .pop)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `as a second factor it is bound to one first factor, verifies the user and serves one call`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await PasskeyFixture(engine) { $0.userVerification = .preferred }
        let user = try await fixture.user()
        let (_, authenticator) = try await fixture.passkey(of: user)
        let read = try await fixture.identities.users.facts(UserQuestion(.identities(user.id), askedAt: fixture.time))
        let options = try #require(try fixture.begin.options(.secondFactor, of: user, read, proofID: "first"))
        func isUsed(
            _ presented: PresentedPasskey, after proofID: String = "first", call: String = UUIDText.random()
        ) async throws -> Bool {
            let owner = PasskeyChallenge.Owner(user: user.id, epoch: user.epoch, proofID: proofID)
            return try await fixture.stepUp.use(
                presented, for: .secondFactor, by: owner, SecondFactorOperations.prove.path, callID: call,
                RequestOrigin(method: "sms")) != nil
        }
        let presented = try PasskeyFixture.presented(options, authenticator)
        #expect(try await !isUsed(presented, after: "second"))
        let ofStepUp = try PasskeyFixture.presented(try await self.options(user, fixture), authenticator)
        #expect(try await !isUsed(ofStepUp))
        var unverified = authenticator
        unverified.flags = 0x19
        #expect(try await !isUsed(try PasskeyFixture.presented(options, unverified)))
        #expect(try await isUsed(presented, call: "c"))
        #expect(try await isUsed(presented, call: "c"))
        #expect(try await !isUsed(presented, call: "d"))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the operator removes what was added in a span of time`(_ engine: DatabaseKind) async throws {
        var fixture = try await PasskeyFixture(engine)
        let (user, other) = (try await fixture.user(), try await fixture.user("+15557654321"))
        let (kept, authenticator) = try await fixture.passkey(of: user)
        fixture.time = 2_000
        fixture.identities.tokenService.setFactors(.pop)
        let added = [try await fixture.passkey(of: user).0, try await fixture.passkey(of: other).0]
        fixture.time = 2_500
        let own = fixture.identities.own()
        let manage = ManagePasskeys(
            store: fixture.identities.users, queries: fixture.storage.queries, courier: own.act.courier, move: own.move,
            notices: own.notices, now: { 2_500 })
        let span = PasskeySelection(addedFrom: 2_000, addedUntil: 2_400)
        let listed = try await manage.list(span, requestID: nil).answered.passkeys.map(\.passkey.id)
        #expect(Set(listed) == Set(added.map(\.id)))
        await #expect(throws: InvalidInput.self) { try await manage.remove(PasskeySelection(), requestID: nil) }
        let removed = try await manage.remove(span, requestID: nil).answered.passkeys.map(\.passkey.id)
        #expect(Set(removed) == Set(added.map(\.id)))
        #expect(try await manage.remove(span, requestID: nil).answered.passkeys.isEmpty)
        #expect(try await fixture.stored(user).map { Hex.encode($0.id) } == [kept.id])
        #expect(try await fixture.stored(other).isEmpty)
        #expect(try await fixture.signIn(authenticator) != nil)
        #expect(try await fixture.identities.records(.passkeyRemoved).count == 2)
        // The sessions of a removed restore key end too, since an attacker may have opened them.
        let (restore, _) = try await fixture.passkey(of: other, .restore)
        let ofOther = PasskeySelection(userID: other.id.text(prefix: UserFixture.prefix), id: restore.id)
        #expect(try await manage.remove(ofOther, requestID: nil).answered.passkeys.count == 1)
        #expect(fixture.identities.tokenService.revocations.last?.method == "passkey:\(restore.id)")
        let ofUser = PasskeySelection(userID: user.id.text(prefix: UserFixture.prefix))
        #expect(try await manage.list(ofUser, requestID: nil).answered.passkeys.map(\.passkey.id) == [kept.id])
        let unknown = PasskeySelection(userID: User.unstored().id.text(prefix: UserFixture.prefix))
        #expect(try await manage.list(unknown, requestID: nil).isRefused(.notFound))
    }
}
