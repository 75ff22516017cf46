import AuthAPI
import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// What every engine promises of passwords, registrations, invitations, links and first answers.
@Suite struct AccountStoreContract {
    private static let address = "ann@example.com"
    private static let proof = ProvedIdentity(kind: .email, value: address)
    private static let other = "bob@example.com"

    private func question(
        _ subject: UserQuestion.Subject = .address(address), call: CallTag? = nil, at now: Int64 = 1_000
    ) -> UserQuestion {
        UserQuestion(subject, call: call, askedAt: now)
    }

    private func facts(
        _ storage: StorageReplica, _ subject: UserQuestion.Subject = .address(address), call: CallTag? = nil,
        at now: Int64 = 1_000
    ) async throws -> UserFacts {
        try await storage.users.facts(question(subject, call: call, at: now))
    }

    /// Does `changes` on what is stored now.
    private func apply(_ changes: [UserChange], _ storage: StorageReplica, at now: Int64 = 1_000) async throws {
        let applied = try await storage.users.apply(
            changes, on: try await facts(storage, at: now), now: now)
        #expect(applied == .applied)
    }

    private func registration(
        _ address: String = address, createdAt: Int64 = 1_000, name: String? = nil
    ) -> Registration {
        Registration(
            id: .new(), address: address, passwordHash: "hash of \(createdAt)", name: name, createdAt: createdAt,
            expiresAt: createdAt + 500)
    }

    private func link(
        _ subject: UserID, _ purpose: AccountLink.Purpose = .confirm, expiresAt: Int64 = 1_400
    ) -> AccountLink {
        AccountLink(
            hash: SecureRandom.bytes(32), purpose: purpose, subject: subject, address: Self.address,
            expiresAt: expiresAt)
    }

    private func answer(
        _ text: String, call: CallTag, until end: Int64 = 1_120, about user: UserID? = nil
    ) -> FirstAnswer {
        FirstAnswer(call: call, answer: Array(text.utf8), user: user, endsSessions: user != nil, expiresAt: end)
    }

    private func newCall() -> CallTag { CallTag(bytes: SecureRandom.bytes(CallTag.byteCount)) }

    /// A user who has proved the address.
    private func holder(_ storage: StorageReplica) async throws -> User {
        guard case (.admitted(let user, _, _), .applied) = try await storage.signIn(Self.proof) else {
            throw StorageReplica.Unexpected()
        }
        return user
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `of an address that nobody knows there is nothing`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let asked = question(call: newCall())
        var nothing = UserFacts(asked)
        nothing.identity = Self.proof
        #expect(try await storage.users.facts(asked) == nothing)
        let unknown = try await facts(storage, .link(hash: SecureRandom.bytes(32)))
        #expect(unknown.address == nil && unknown.link == nil)
        let nobody = try await facts(storage, .account(.new()))
        #expect(nobody.address == nil && nobody.holder == nil)
        #expect(try await !storage.queries.isHeld(Self.proof))
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a user has one password, found by his address and by his id`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await holder(storage)
        #expect(try await storage.queries.isHeld(Self.proof))
        #expect(try await facts(storage).password == nil)
        for password in [StoredPassword(hash: "one", version: 7), StoredPassword(hash: "two", version: .max)] {
            try await apply([.setPassword(password, of: user.id)], storage)
            #expect(try await facts(storage).password == password)
            let own = try await facts(storage, .account(user.id))
            #expect(own.password == password && own.address == Self.address && own.holder == user)
            #expect(try await storage.users.signInFacts(Self.proof, proofID: "p").password?.version == password.version)
        }
        #expect(try await facts(storage, .address(Self.other)).password == nil)
        try await apply([.removePassword(of: user.id)], storage)
        #expect(try await facts(storage).password == nil)
        #expect(try await storage.users.signInFacts(Self.proof, proofID: "p").password?.version == nil)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `registrations come oldest first, until they expire, and are no user's`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let (late, early) = (registration(createdAt: 1_200, name: "Ann"), registration(createdAt: 1_100))
        let foreign = registration(Self.other)
        try await apply([late, early, foreign].map { .addRegistration($0) }, storage)
        let stored = try await facts(storage, at: 1_300)
        #expect(stored.registrations == [early, late] && stored.holder == nil)
        #expect(try await facts(storage, at: 1_600).registrations == [late])
        #expect(try await facts(storage, at: 1_700).registrations == [])
        try await apply([.endRegistration(early.id)], storage)
        #expect(try await facts(storage, at: 1_300).registrations == [late])
        try await apply([.endRegistrations(address: Self.address)], storage)
        #expect(try await facts(storage, at: 1_300).registrations == [])
        #expect(try await facts(storage, .address(Self.other)).registrations == [foreign])
    }

    @Test(arguments: StorageEngineUnderTest.allCases, AccountLink.Purpose.allCases)
    func `a link leads to all that is known of its address, until it expires or its subject's links end`(
        _ engine: StorageEngineUnderTest, _ purpose: AccountLink.Purpose
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let registration = registration()
        let (link, other) = (link(registration.id, purpose), link(.new(), purpose))
        try await apply([.addRegistration(registration), .addLink(link), .addLink(other)], storage)
        let found = try await facts(storage, .link(hash: link.hash), at: 1_399)
        #expect(found.link == link && found.address == Self.address && found.registrations == [registration])
        #expect(try await facts(storage, .link(hash: link.hash), at: 1_400).link == nil)
        var bytes = link.hash
        bytes[31] ^= 1
        #expect(try await facts(storage, .link(hash: bytes)).link == nil)
        try await apply([.endLinks(of: registration.id)], storage)
        #expect(try await facts(storage, .link(hash: link.hash)).link == nil)
        #expect(try await facts(storage, .link(hash: other.hash)).link == other)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `links end with the registration that they confirm, one or all of an address`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let registrations = [1_000, 1_001, 1_002].map { registration(createdAt: $0) }
        let links = registrations.map { link($0.id) }
        try await apply(
            registrations.map { .addRegistration($0) } + links.map { .addLink($0) }, storage)
        try await apply([.endRegistration(registrations[0].id)], storage)
        func open() async throws -> [Bool] {
            var open: [Bool] = []
            for link in links { open.append(try await facts(storage, .link(hash: link.hash)).link != nil) }
            return open
        }
        #expect(try await open() == [false, true, true])
        try await apply([.endRegistrations(address: Self.address)], storage)
        #expect(try await open() == [false, false, false])
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `an identity has one invitation, the newest, and its link ends with it`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let number = ProvedIdentity.phone("+15551234567")
        let first = Invitation(id: .new(), identity: Self.proof, role: "user", expiresAt: 1_100)
        let second = Invitation(id: .new(), identity: Self.proof, role: "admin", expiresAt: 1_200)
        let ofNumber = Invitation(id: .new(), identity: number, role: "user", expiresAt: 1_100)
        let link = link(second.id, .invitation)
        try await apply([.addInvitation(first), .addInvitation(ofNumber), .addInvitation(second)], storage)
        try await apply([.addLink(link)], storage)
        #expect(try await storage.queries.invitation(of: Self.proof, now: 1_199) == second)
        #expect(try await storage.queries.invitation(of: Self.proof, now: 1_200) == nil)
        #expect(try await storage.queries.invitation(of: number, now: 1_099) == ofNumber)
        #expect(try await facts(storage).invitation == second)
        #expect(try await facts(storage, .identity(number)).invitation == ofNumber)
        #expect(try await facts(storage, .identity(number)).address == nil)
        #expect(try await storage.users.signInFacts(Self.proof, proofID: "p").invitation == second)
        #expect(try await storage.users.signInFacts(number, proofID: "p").invitation == ofNumber)
        try await apply([.endInvitation(second)], storage)
        #expect(try await storage.queries.invitation(of: Self.proof, now: 1_000) == nil)
        #expect(try await facts(storage, .link(hash: link.hash)).link == nil)
        #expect(try await storage.queries.invitation(of: number, now: 1_000) == ofNumber)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a first answer is its call's alone until it expires, and every replica knows it`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let under = try StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let (call, user) = (newCall(), UserID.new())
        let first = answer("first", call: call, about: user)
        try await apply([.answer(first)], replicas[0])
        #expect(try await facts(replicas[1], call: call, at: 1_119).firstAnswer == first)
        #expect(try await facts(replicas[1], call: call, at: 1_120).firstAnswer == nil)
        #expect(try await facts(replicas[1], call: newCall()).firstAnswer == nil)
        #expect(try await facts(replicas[1]).firstAnswer == nil)
        // Its time is over: the same name is another call's.
        let second = answer("second", call: call, until: 1_300)
        try await apply([.answer(second)], replicas[1], at: 1_120)
        #expect(try await facts(replicas[0], call: call, at: 1_200).firstAnswer == second)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `an act is whole: a user, his identity, password, record, message and answer, or nothing`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let call = newCall()
        let user = User(
            id: .new(), pseudonym: .new(), phone: nil, email: Self.address, name: "Ann",
            attributes: UserAttributes(), role: "admin", isActive: true, epoch: 1, version: 1, createdAt: 1_000,
            updatedAt: 1_000)
        let password = StoredPassword(hash: "one", version: 7)
        let first = answer("done", call: call, about: user.id)
        let act: [UserChange] = [
            .create(user), .assignIdentity(Self.proof, to: user.id), .setPassword(password, of: user.id),
            .audit(AuditEntry(event: .created, subject: user.pseudonym)),
            .tell(OutboxMessage(kind: .revokeUser, payload: "{}"), about: user.id, dueAt: 1_000), .answer(first),
        ]
        let taken = link(.new())
        try await apply([.addLink(taken)], storage)
        let before = try await facts(storage, call: call)
        // The last of it cannot be written.
        await #expect(throws: (any Error).self) {
            try await storage.users.apply(act + [.addLink(taken)], on: before, now: 1_000)
        }
        #expect(try await facts(storage, call: call) == before)
        #expect(try await storage.outbox.pending(.token, about: user.id, limit: 9).isEmpty)
        #expect(try await storage.users.apply(act, on: before, now: 1_000) == .applied)
        let after = try await facts(storage, call: call)
        #expect(after.holder == user && after.password == password && after.firstAnswer == first)
        #expect(try await storage.outbox.pending(.token, about: user.id, limit: 9).map(\.message.kind) == [.revokeUser])
    }

    /// What another replica may write between an act's decision and its writing.
    @Test(arguments: StorageEngineUnderTest.allCases)
    func `what was decided on anything that is not so any more is decided anew`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let under = try StorageUnderTest(engine)
        let (storage, replica) = (try under.replica(), try under.replica())
        let call = newCall()
        let registration = registration()
        let link = link(registration.id)
        let invitation = Invitation(id: .new(), identity: Self.proof, role: "user", expiresAt: 9_000)
        let steps: [[UserChange]] = [
            [.addRegistration(registration), .addLink(link)], [.addInvitation(invitation)],
            [.answer(answer("done", call: call))], [.endLinks(of: registration.id)],
            [.endRegistrations(address: Self.address)], [.endInvitation(invitation)],
        ]
        let subject = UserQuestion.Subject.link(hash: link.hash)
        for (number, step) in steps.enumerated() {
            let byAddress = try await facts(storage, call: call)
            let byLink = try await facts(storage, subject, call: call)
            try await apply(step, replica)
            let note = UserChange.audit(AuditEntry(event: .invited, subject: .nobody))
            // A link that is gone leads to no address: what happens there is another matter.
            if number < 4 {
                #expect(try await storage.users.apply([note], on: byLink, now: 1_000) == .stale, "\(number)")
            }
            if number != 3 {
                #expect(try await storage.users.apply([note], on: byAddress, now: 1_000) == .stale, "\(number)")
            }
        }
        let before = try await facts(storage)
        let user = try await holder(replica)
        #expect(try await storage.users.apply([], on: before, now: 1_000) == .stale)
        let found = try await facts(storage)
        try await apply([.setPassword(StoredPassword(hash: "one", version: 7), of: user.id)], replica)
        #expect(try await storage.users.apply([], on: found, now: 1_000) == .stale)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a sign-in that was decided on another password, registration or invitation is decided anew`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let invitation = Invitation(id: .new(), identity: Self.proof, role: "user", expiresAt: 9_000)
        for change in [UserChange.addRegistration(registration()), .addInvitation(invitation)] {
            let before = try await storage.users.signInFacts(Self.proof, proofID: "p")
            try await apply([change], storage)
            #expect(try await storage.signIn(Self.proof, proofID: "p", on: before).applied == .stale)
        }
        let user = try await holder(storage)
        // The proof ended what strangers had begun, and the invitation.
        let after = try await storage.users.signInFacts(Self.proof, proofID: "q")
        #expect(after.holder == user && after.registrations.isEmpty && after.invitation == nil)
        try await apply([.setPassword(StoredPassword(hash: "one", version: 7), of: user.id)], storage)
        #expect(try await storage.signIn(Self.proof, proofID: "q", on: after).applied == .stale)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `of fifty replicas' acts on one link one is applied`(_ engine: StorageEngineUnderTest) async throws {
        let under = try StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let registration = registration()
        let link = link(registration.id)
        try await apply([.addRegistration(registration), .addLink(link)], replicas[0])
        let found = try await facts(replicas[0], .link(hash: link.hash))
        let applied = try await concurrently(50) { number in
            try await replicas[number % 2].users.apply(
                [.endRegistrations(address: Self.address)], on: found, now: 1_000)
        }
        #expect(applied.filter { $0 == .applied }.count == 1)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `password, links and answers go with the user, and nobody else's do`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await holder(storage)
        let (own, foreign) = (link(user.id, .reset), link(.new(), .reset))
        let (call, otherCall) = (newCall(), newCall())
        try await apply(
            [
                .setPassword(StoredPassword(hash: "one", version: 7), of: user.id), .addLink(own), .addLink(foreign),
                .answer(answer("his", call: call, until: 9_000, about: user.id)),
                .answer(answer("another's", call: otherCall, until: 9_000)),
            ], storage)
        _ = try await storage.giveUp(user, dueAt: 1_100)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_100).first)
        let lease = Lease(name: "job", holder: "a", lifetimeSeconds: 30)
        #expect(try await storage.removals.remove(due, messages: [], lease: lease, now: 1_100) == .removed)
        let after = try await facts(storage, call: call)
        #expect(after.holder == nil && after.password == nil && after.firstAnswer == nil)
        #expect(try await facts(storage, .link(hash: own.hash)).link == nil)
        #expect(try await facts(storage, .link(hash: foreign.hash)).link == foreign)
        #expect(try await facts(storage, call: otherCall).firstAnswer != nil)
    }
}
