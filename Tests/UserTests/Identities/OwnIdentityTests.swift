import CryptoPrimitives
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

@Suite(.timeLimit(.minutes(10))) struct OwnIdentityTests {
    private static let number = OwnIdentityFixture.number
    private static let next = VerifiedIdentity.phone("+15557654321")
    private static let email = VerifiedIdentity.email("ann@example.com")
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")

    @Test(arguments: DatabaseKind.allCases, IdentityChangePolicy.Ends.allCases)
    func `another number replaces the old one, and ends the sessions that the policy says`(
        _ engine: DatabaseKind, _ ends: IdentityChangePolicy.Ends
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let answer = try await fixture.add(Self.next, to: user, ends)
        #expect(answer.result == .done && answer.endsOwnSession == (ends == .all ? true : nil))
        let after = try await fixture.user(user.id)
        #expect(after.phone == Self.next.value && after.version == user.version + 1)
        #expect(after.epoch == user.epoch + (ends == .none ? 0 : 1))
        #expect(try await fixture.holder(of: Self.number) == nil)
        let rights = try #require(fixture.tokenService.rights.last)
        #expect(rights.claims == after.claims && rights.keepsTokens == nil)
        #expect(
            fixture.tokenService.revocations.map(\.sparedSession) == (ends == .none ? [] : [ends == .all ? nil : "s-1"])
        )
        #expect(try await fixture.decisions(about: user) == [.identityLost, .identityAdded])
        let networks = try await fixture.storage.outbox.pending(.otp, about: user.id, limit: 9)
        #expect(networks.map(\.message.kind) == [.forgetNetworks])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what is added ends no session, and leaves tokens valid`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.add(Self.email, to: user, .all) == AccountAnswer(.done))
        #expect(try await fixture.add(Self.apple, to: user, .all) == AccountAnswer(.done))
        let after = try await fixture.user(user.id)
        #expect(after.email == Self.email.value && after.phone == user.phone && after.epoch == user.epoch)
        #expect(fixture.tokenService.rights.map(\.keepsTokens) == [true])
        #expect(fixture.tokenService.revocations.isEmpty)
        // The address of before is told, which the first change did not have.
        let mails = try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9)
        #expect(mails.map(\.message.kind) == [.notice])
        #expect(try await fixture.decisions(about: user) == [.identityAdded, .identityAdded])
        let list = try await fixture.own().list(SignedInUser(id: user.id, sessionID: "s-1")).answered
        #expect(Set(list.identities.map(\.kind)) == [.phone, .email, .apple] && !list.hasPassword)
        #expect(Set(list.identities.map(\.value)) == [Self.number.value, Self.email.value, nil])
        #expect(list.identities.allSatisfy { !$0.id.contains("555") && $0.id.utf8.count == 32 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a removed identity is gone, but the last one that signs in stays`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.remove(Self.number, from: user).result == .lastIdentity)
        // The policy has no Sign in with Apple, so this identity signs in to nothing.
        #expect(try await fixture.add(Self.apple, to: user).result == .done)
        #expect(try await fixture.remove(Self.number, from: user).result == .lastIdentity)
        #expect(try await fixture.add(Self.email, to: user).result == .done)
        let password = StoredPassword(hash: "a", version: 1)
        try await fixture.users.put([.setPassword(password, of: user.id)], now: 1_000)
        #expect(try await fixture.remove(Self.number, from: user).result == .done)
        let after = try await fixture.user(user.id)
        #expect(after.phone == nil && after.epoch == user.epoch + 1)
        #expect(fixture.tokenService.rights.last?.claims == after.claims)
        #expect(try await fixture.holder(of: Self.number) == nil)
        #expect(try await fixture.remove(Self.email, from: user).result == .lastIdentity)
        #expect(try await fixture.storage.user(Self.number.value, now: 1_020).id != user.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a password goes with the email address, and is removed alone`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.add(Self.email, to: user).result == .done)
        let password = StoredPassword(hash: "a", version: 1)
        let remove = RemovePasswordRequest(callID: "c-1")
        #expect(try await fixture.own().removePassword(remove, fixture.caller(user)).answered.result == .noPassword)
        for _ in 0..<2 {
            try await fixture.users.put([.setPassword(password, of: user.id)], now: 1_000)
            let request = RemovePasswordRequest(callID: UUIDText.random())
            #expect(try await fixture.own().removePassword(request, fixture.caller(user)).answered.result == .done)
        }
        try await fixture.users.put([.setPassword(password, of: user.id)], now: 1_000)
        #expect(try await fixture.remove(Self.email, from: user).result == .done)
        let facts = try await fixture.users.facts(UserQuestion(.account(user.id), askedAt: 1_020))
        #expect(facts.password == nil && facts.address == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two devices that change the number at once one wins`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let other = VerifiedIdentity.phone("+15550000009")
        let store = InterruptedStore(fixture.users) {
            _ = try await fixture.add(other, to: user, .none)
        }
        let request = AddIdentityRequest(proof: try fixture.proof(of: Self.next, for: user), callID: "c")
        let answer = try await fixture.own(over: store).add(request, fixture.caller(user)).answered
        #expect(answer.result == .changedMeanwhile)
        #expect(try await fixture.user(user.id).phone == other.value)
        #expect(try await fixture.holder(of: Self.next) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a repeat gets the first response, and a used proof adds nothing again`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let proof = try fixture.proof(of: Self.next, for: user)
        let request = AddIdentityRequest(proof: proof, callID: "c")
        for _ in 0..<2 {
            #expect(try await fixture.own(.none).add(request, fixture.caller(user)).answered.result == .done)
        }
        #expect(try await fixture.user(user.id).version == user.version + 1)
        // The number was replaced meanwhile, and the old proof does not bring it back.
        #expect(try await fixture.add(Self.number, to: user, .none).result == .done)
        let late = AddIdentityRequest(proof: proof, callID: "d")
        #expect(try await fixture.own(.none).add(late, fixture.caller(user)).answered.result == .proofRefused)
        #expect(try await fixture.user(user.id).phone == Self.number.value)
    }

    @Test func `a change needs a recent proof, of which an ended session has none`() async throws {
        let fixture = try await OwnIdentityFixture(.sqlite)
        let user = try await fixture.storage.user()
        let request = AddIdentityRequest(proof: try fixture.proof(of: Self.next, for: user), callID: "c")
        fixture.tokenService.setSignedIn(at: OwnIdentityFixture.now - 300)
        #expect(try await fixture.own().permit(fixture.caller(user)).isRefused(.reauthenticationRequired))
        #expect(try await fixture.own().add(request, fixture.caller(user)).isRefused(.reauthenticationRequired))
        fixture.tokenService.setSignedIn(at: nil)
        #expect(try await fixture.own().permit(fixture.caller(user)).isRefused(.invalidToken))
        #expect(try await fixture.own().add(request, fixture.caller(user)).isRefused(.invalidToken))
        #expect(try await fixture.user(user.id) == user)
        fixture.tokenService.setSignedIn(at: OwnIdentityFixture.now)
        #expect(try await fixture.own().add(request, fixture.caller(user)).answered.result == .done)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a sign-in under way with an identity that is removed meanwhile is refused`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        _ = try await fixture.storage.signIn(Self.number, proofID: "under way")
        #expect(try await fixture.add(Self.next, to: user, .none).result == .done)
        #expect(try await fixture.storage.signIn(Self.number, proofID: "under way") == .refused(.used))
    }
}
