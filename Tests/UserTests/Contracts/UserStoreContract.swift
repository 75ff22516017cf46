import AuthAPI
import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about users: what a question is answered, and what a change is conditional on.
@Suite struct UserStoreContract {
    static let address = "ann@example.com"
    static let email = ProvedIdentity.email(address)
    static let phone = "+15551234567"

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `nothing is known of an identity, a link or a user that does not exist`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let subjects: [UserQuestion.Subject] = [
            .identity(Self.email), .link(hash: SecureRandom.bytes(32)), .account(.new()), .user(.new()), .legacyID("1"),
        ]
        for subject in subjects {
            let question = UserQuestion(subject, proofID: "p", call: newCall(), askedAt: 1_000)
            var nothing = UserFacts(question)
            if case .identity(let identity) = subject { nothing.identity = identity }
            #expect(try await storage.users.facts(question) == nothing)
        }
        #expect(try await !storage.queries.isHeld(Self.email))
    }

    @Test(arguments: StorageEngineUnderTest.allCases, ProvedIdentity.Kind.allCases)
    func `a new user is there as decided, and holds an identity of any kind`(
        _ engine: StorageEngineUnderTest, _ kind: ProvedIdentity.Kind
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let identity = ProvedIdentity(kind: kind, value: "value")
        guard case (.admitted(let user, _, _), .applied) = try await storage.signIn(identity) else {
            throw StorageReplica.Unexpected()
        }
        #expect(try await storage.queries.user(user.id) == user)
        var expected = UserFacts(UserQuestion(.identity(identity), proofID: "p1", askedAt: 1_000))
        (expected.identity, expected.holder) = (identity, user)
        #expect(try await storage.users.signInFacts(identity, proofID: "p1") == expected)
        #expect(try await storage.queries.isHeld(identity))
        #expect(user.phone == (kind == .phone ? "value" : nil) && user.email == (kind == .email ? "value" : nil))
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a proof that was used tells what it led to`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        guard case .admitted(let user, let resolution, false) = try await storage.signIn(proofID: "p1").outcome
        else { return #expect(Bool(false)) }
        let facts = try await storage.users.signInFacts(.phone(Self.phone), proofID: "p1")
        #expect(facts.earlier == EarlierSignIn(resolution: resolution, user: user))
        #expect(try await storage.signIn(proofID: "p1").outcome == .admitted(user, resolution, isRepeat: true))
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a use that is noted is the last one, unless a later one is known`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user(now: 1_000)
        for (noted, last) in [(1_500, 1_500), (1_400, 1_500)] as [(Int64, Int64)] {
            try await storage.users.noteUses([.phone(Self.phone): noted, .phone("+15557654321"): noted])
            #expect(try await storage.queries.find(.id(user.id))?.lastSignInAt == last)
        }
        #expect(try await storage.users.signInFacts(.phone("+15557654321"), proofID: "p").holder == nil)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `an account that is given up loses its number to a new user`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user()
        _ = try await storage.giveUp(user, dueAt: 1_500)
        guard case .admitted(let other, _, _) = try await storage.signIn(now: 1_600).outcome else {
            return #expect(Bool(false))
        }
        #expect(other.id != user.id && other.phone == Self.phone)
        #expect(try await storage.queries.user(user.id)?.phone == nil)
    }

    // MARK: - Conditions

    /// A change of another replica, in the words of the facts that it concerns.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var before: @Sendable (Scene) -> [UserChange] = { _ in [] }
        let change: @Sendable (Scene) -> UserChange
    }

    /// A user with a number, another one with the address, and what may be about the address.
    struct Scene: Sendable {
        let user: User
        let link, otherLink: AccountLink
        let registration: Registration
        let invitation: Invitation
        let call: CallTag
        let proof = SignInProof(id: "p", expiresAt: 2_000, identity: UserStoreContract.email)
        var password = StoredPassword(hash: "one", version: 7)
    }

    private static let steps = [
        Step(testDescription: "a user changes") { scene in
            var after = scene.user
            after.isActive = false
            return .update(after)
        },
        Step(testDescription: "the identity gets a holder") { .assignIdentity(email, to: $0.user.id) },
        Step(testDescription: "a password is set", before: held, change: { .setPassword($0.password, of: $0.user.id) }),
        Step(
            testDescription: "a password goes", before: { held($0) + [.setPassword($0.password, of: $0.user.id)] },
            change: { .removePassword(of: $0.user.id) }),
        Step(testDescription: "a registration comes") { .addRegistration($0.registration) },
        Step(
            testDescription: "a registration goes", before: { [.addRegistration($0.registration)] },
            change: { .endRegistration($0.registration.id) }),
        Step(testDescription: "an invitation comes") { .addInvitation($0.invitation) },
        Step(
            testDescription: "an invitation goes", before: { [.addInvitation($0.invitation)] },
            change: { .endInvitation($0.invitation) }),
        Step(testDescription: "a link comes") { .addLink($0.link) },
        Step(
            testDescription: "a link goes", before: { [.addLink($0.link)] },
            change: { .endLinks(of: $0.link.subject) }),
        Step(testDescription: "the address is claimed") { .claim(email, by: $0.user.id) },
        Step(
            testDescription: "a claim goes", before: { [.claim(email, by: $0.user.id)] },
            change: { _ in .endClaim(email) }),
        Step(testDescription: "the proof is used") {
            .resolve($0.proof, Resolution(userID: $0.user.id, isNewUser: false, restored: false))
        },
        Step(testDescription: "the call is answered") {
            .answer(FirstAnswer(call: $0.call, answer: [1], user: nil, endsSessions: false, expiresAt: 2_000))
        },
    ]

    private static let held: @Sendable (Scene) -> [UserChange] = { [.assignIdentity(email, to: $0.user.id)] }

    @Test(arguments: StorageEngineUnderTest.allCases, steps)
    func `what was decided on facts that do not hold any more writes nothing`(
        _ engine: StorageEngineUnderTest, _ step: Step
    ) async throws {
        let under = try StorageUnderTest(engine)
        let (storage, replica) = (try under.replica(), try under.replica())
        let scene = try await scene(storage)
        try await storage.users.note(step.before(scene), now: 1_000)
        let subjects: [UserQuestion.Subject] = [
            .identity(Self.email), .link(hash: scene.link.hash), .account(scene.user.id),
        ]
        let questions = subjects.map { UserQuestion($0, proofID: "p", call: scene.call, askedAt: 1_000) }
        let others = UserQuestion(.address("bob@example.com"), proofID: "q", call: newCall(), askedAt: 1_000)
        let (before, foreign) = (try await storage.users.facts(questions), try await storage.users.facts(others))
        try await replica.users.note([step.change(scene)], now: 1_000)
        let after = try await storage.users.facts(questions)
        let write = UserChange.addLink(scene.otherLink)
        #expect(before != after)
        for (read, now) in zip(before, after) where read != now {
            #expect(try await storage.users.apply([write], on: read, now: 1_000) == .stale)
        }
        #expect(try await storage.users.apply([write], on: before, now: 1_000) == .stale)
        #expect(try await storage.users.apply([write], on: after + [foreign], now: 1_000) == .applied)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `of two replicas that see a new identity one makes the user`(_ engine: StorageEngineUnderTest) async throws {
        let under = try StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        for round in 0..<8 {
            let number = "+1555123450\(round)"
            let facts = try await replicas[0].users.signInFacts(.phone(number), proofID: "")
            async let first = replicas[0].signIn(number, on: facts)
            async let second = replicas[1].signIn(number, on: facts)
            let results = [try await first, try await second]
            #expect(Set(results.map(\.applied)) == [.applied, .stale])
            let winner = try #require(results.first { $0.applied == .applied })
            guard case .admitted(let user, _, _) = winner.outcome else { return #expect(Bool(false)) }
            #expect(try await replicas[0].users.signInFacts(.phone(number), proofID: "x").holder == user)
        }
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `of fifty replicas' operations on one link one is applied`(_ engine: StorageEngineUnderTest) async throws {
        let under = try StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let scene = try await scene(replicas[0])
        try await replicas[0].users.note([.addRegistration(scene.registration), .addLink(scene.link)], now: 1_000)
        let found = try await replicas[0].users.facts(UserQuestion(.link(hash: scene.link.hash), askedAt: 1_000))
        let applied = try await concurrently(50) { number in
            try await replicas[number % 2].users.apply(
                [.endRegistrations(address: Self.address)], on: found, now: 1_000)
        }
        #expect(applied.filter { $0 == .applied }.count == 1)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `an operation's changes are written whole or not at all`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let scene = try await scene(storage)
        let user = scene.user
        try await storage.users.note([.addLink(scene.link)], now: 1_000)
        var renamed = user
        renamed.name = "Ada"
        renamed.attributes["plan"] = .string("pro")
        let changes: [UserChange] = [
            .update(renamed), .assignIdentity(Self.email, to: user.id), .setPassword(scene.password, of: user.id),
            .audit(AuditEntry(.updated, user, RequestOrigin())),
            .tell(OutboxMessage(kind: .revokeUser, payload: "{}"), about: user.id, dueAt: 1_000),
        ]
        let question = UserQuestion(.account(user.id), askedAt: 1_000)
        let before = try await storage.users.facts(question)
        // The last of them cannot be written.
        await #expect(throws: (any Error).self) {
            try await storage.users.apply(changes + [.addLink(scene.link)], on: before, now: 1_000)
        }
        #expect(try await storage.users.facts(question) == before)
        #expect(try await storage.outbox.pending(.token, about: user.id, limit: 9).isEmpty)
        #expect(try await storage.users.apply(changes, on: before, now: 1_000) == .applied)
        let after = try await storage.users.facts(question)
        renamed.email = Self.address
        #expect(after.holder == renamed && after.password == scene.password && after.address == Self.address)
        #expect(try await storage.outbox.pending(.token, about: user.id, limit: 9).map(\.message.kind) == [.revokeUser])
    }
}

extension UserStoreContract {
    func newCall() -> CallTag { CallTag(bytes: SecureRandom.bytes(CallTag.byteCount)) }

    func link(_ subject: UserID = .new(), _ purpose: AccountLink.Purpose = .confirm) -> AccountLink {
        AccountLink(
            hash: SecureRandom.bytes(32), purpose: purpose, subject: subject, address: Self.address, expiresAt: 1_400)
    }

    func registration(createdAt: Int64 = 1_000) -> Registration {
        Registration(
            id: .new(), address: Self.address, passwordHash: "hash of \(createdAt)", name: "Ann", createdAt: createdAt,
            expiresAt: createdAt + 500)
    }

    func scene(_ storage: StorageReplica) async throws -> Scene {
        Scene(
            user: try await storage.user(), link: link(), otherLink: link(), registration: registration(),
            invitation: Invitation(id: .new(), identity: Self.email, role: "user", expiresAt: 9_000), call: newCall())
    }
}
