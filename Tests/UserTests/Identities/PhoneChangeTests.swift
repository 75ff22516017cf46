import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// A phone number that support replaces, from the operator's command to the move.
@Suite(.timeLimit(.minutes(10))) struct PhoneChangeTests {
    private static let next = VerifiedIdentity.phone("+15557654321")

    private func begin(
        _ user: User, _ fixture: OwnIdentityFixture, to phone: String? = Self.next.value
    ) async throws -> PhoneChanges.Outcome {
        let id = user.id.text(prefix: UserFixture.prefix)
        return try await fixture.phoneChanges()(ReplacePhoneRequest(userID: id, phone: phone), requestID: "r-1")
    }

    private func list(_ user: User, _ fixture: OwnIdentityFixture) async throws -> OwnIdentities {
        try await fixture.own().list(SignedInUser(id: user.id, sessionID: "s-1")).answered
    }

    private func object(_ user: User, _ fixture: OwnIdentityFixture) async throws -> Done {
        try await fixture.object(to: .phone, user)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the first proof of the number starts the delay, opens nothing, and is told to the user`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await fixture.add(.email("ann@example.com"), to: user).result == .done)
        #expect(try await begin(user, fixture) == .answer(Done()))
        #expect(try await list(user, fixture).pendingPhone == nil)
        let (first, end) = (OwnIdentityFixture.now, OwnIdentityFixture.now + OwnIdentityFixture.delaySeconds)
        for time in [first, first + 100] {
            let code = try fixture.code(Self.next, at: time)
            let resolve = fixture.resolver(at: time)
            #expect(try await resolve(code).isRefused(.phoneChangePending))
            #expect(try await resolve.held(HeldSignInRequest(attestation: code)) == HeldSignIn(movesAt: end))
        }
        #expect(try await fixture.holder(of: Self.next) == nil)
        #expect(try await fixture.storage.queries.counts().users == 1)
        #expect(try await list(user, fixture).pendingPhone == PendingPhone(movesAt: end, lastDigits: "21"))
        #expect(try await fixture.storage.outbox.pending(.mail, about: user.id, limit: 9).count == 1)
        #expect(try await fixture.records(.phoneChangeVerified).count == 1)
        await fixture.job(at: end).round()
        let grant = try await fixture.resolver(at: end)(try fixture.code(Self.next, at: end)).answered
        #expect(grant.user.id == user.id.text(prefix: UserFixture.prefix) && !grant.isNewUser)
        #expect(try await list(user, fixture).pendingPhone == nil)
        let begun = try await fixture.records(.phoneChangeBegun)
        let replaced = try await fixture.records(.identityReplaced)
        #expect(begun.map(\.origin.method) == ["operator"] && replaced.map(\.origin.method) == ["operator"])
        #expect(begun.map(\.subject) == [user.pseudonym])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an objection or the operator ends the change, and the number is as any other`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await object(user, fixture) == Done())
        for byOperator in [false, true] {
            #expect(try await begin(user, fixture) == .answer(Done()))
            #expect(try await fixture.resolver()(try fixture.code(Self.next)).isRefused(.phoneChangePending))
            if byOperator {
                #expect(try await begin(user, fixture, to: nil) == .answer(Done()))
                #expect(try await begin(user, fixture, to: nil).isRefused(.notFound))
            } else {
                #expect(try await object(user, fixture) == Done())
            }
            #expect(try await list(user, fixture).pendingPhone == nil)
        }
        #expect(try await fixture.records(.phoneChangeEnded).map(\.detail) == ["cancelled", "objection"])
        await fixture.job(at: .max).round()
        #expect(try await fixture.user(user.id) == user)
        #expect(try await fixture.resolver()(try fixture.code(Self.next)).answered.isNewUser)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change needs an active user and a number that none has or gets`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user("+15551234568"))
        #expect(try await begin(user, fixture, to: other.phone).isRefused(.taken))
        #expect(try await begin(user, fixture, to: user.phone).isRefused(.invalidRequest))
        #expect(try await begin(.unstored(), fixture).isRefused(.notFound))
        await #expect(throws: InvalidInput.self) { try await begin(user, fixture, to: "12") }
        #expect(try await begin(user, fixture) == .answer(Done()))
        #expect(try await begin(other, fixture).isRefused(.taken))
        // The operator may correct the number, which is then to be verified.
        #expect(try await begin(user, fixture, to: "+15557654322") == .answer(Done()))
        #expect(try await begin(other, fixture) == .answer(Done()))
        var inactive = other
        inactive.isActive = false
        try await fixture.users.put([.update(inactive)], now: 1_000)
        #expect(try await begin(other, fixture).isRefused(.invalidRequest))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a proof that an objection overtakes starts nothing, and a reviewer's code is none`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        #expect(try await begin(user, fixture) == .answer(Done()))
        fixture.otpService.setReviewOpen(true)
        let review = try fixture.code(Self.next, method: Attestation.reviewMethod)
        #expect(try await fixture.resolver()(review).isRefused(.attestationRefused))
        let facts = try await fixture.users.facts(UserQuestion(.identities(user.id), askedAt: OwnIdentityFixture.now))
        let change = try #require(facts.pending.first)
        #expect(change.movesAt == nil)
        #expect(try await object(user, fixture) == Done())
        try await fixture.phoneChanges().verify(change, RequestOrigin())
        #expect(try await fixture.records(.phoneChangeVerified).isEmpty)
        #expect(try await list(user, fixture).pendingPhone == nil)
    }
}
