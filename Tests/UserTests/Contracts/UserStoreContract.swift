import AuthAPI
import CryptoPrimitives
import Dispatch
import Glibc
import InternalAPI
import Storage
import Synchronization
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about users: what a question is answered, and what a change is conditional on.
@Suite struct UserStoreContract {
    static let address = "ann@example.com"
    static let email = VerifiedIdentity.email(address)
    static let phone = "+15551234567"

    @Test(arguments: DatabaseKind.allCases)
    func `nothing is known of an identity, a link or a user that does not exist`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let subjects: [UserQuestion.Subject] = [
            .identity(Self.email), .link(hash: SecureRandom.bytes(32)), .account(.new()), .user(.new()), .legacyID("1"),
        ]
        for subject in subjects {
            let question = UserQuestion(subject, proofID: "p", call: newCall(), askedAt: 1_000)
            var nothing = UserFacts(question)
            if case .identity(let identity) = subject { nothing.identity = identity }
            #expect(try await storage.users.facts(question) == nothing)
        }
        #expect(try await !storage.queries.isOwned(Self.email))
    }

    @Test(arguments: DatabaseKind.allCases, VerifiedIdentity.Kind.allCases)
    func `a new user is there as decided, and holds an identity of any kind`(
        _ engine: DatabaseKind, _ kind: VerifiedIdentity.Kind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let identity = VerifiedIdentity(kind: kind, value: "value")
        let user = try await storage.signIn(identity).user
        #expect(try await storage.queries.user(user.id) == user)
        var expected = UserFacts(UserQuestion(.identity(identity), proofID: "p1", askedAt: 1_000))
        (expected.identity, expected.holder, expected.heldSince) = (identity, user, 1_000)
        #expect(try await storage.users.signInFacts(identity, proofID: "p1") == expected)
        #expect(try await storage.queries.isOwned(identity))
        #expect(user.phone == (kind == .phone ? "value" : nil) && user.email == (kind == .email ? "value" : nil))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a proof that was used tells what it led to`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        guard case .admitted(let user, let resolution, false, _, _) = try await storage.signIn(proofID: "p1")
        else { return #expect(Bool(false)) }
        let facts = try await storage.users.signInFacts(.phone(Self.phone), proofID: "p1")
        #expect(facts.earlier == EarlierSignIn(resolution: resolution, user: user))
        #expect(try await storage.signIn(proofID: "p1") == .admitted(user, resolution, isRepeat: true))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a use that is noted is the last one, unless a later one is known`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user(now: 1_000)
        for (noted, last) in [(1_500, 1_500), (1_400, 1_500)] as [(Int64, Int64)] {
            try await storage.users.noteUses([.phone(Self.phone): noted, .phone("+15557654321"): noted])
            #expect(try await storage.queries.find(.id(user.id))?.lastSignInAt == last)
        }
        #expect(try await storage.users.signInFacts(.phone("+15557654321"), proofID: "p").holder == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an account that is given up loses its number to a new user`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        _ = try await storage.giveUp(user, dueAt: 1_500)
        let other = try await storage.signIn(now: 1_600).user
        #expect(other.id != user.id && other.phone == Self.phone)
        #expect(try await storage.queries.user(user.id)?.phone == nil)
    }

    // MARK: - Conditions

    /// A change of another replica, in the words of the facts that it concerns.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: @Sendable (Scene) -> [UserChange]
        let act: @Sendable (Scene, StorageReplica) async throws -> Void

        init(
            _ description: String, before: @escaping @Sendable (Scene) -> [UserChange] = { _ in [] },
            act: @escaping @Sendable (Scene, StorageReplica) async throws -> Void
        ) {
            (testDescription, self.before, self.act) = (description, before, act)
        }

        init(
            _ description: String, before: @escaping @Sendable (Scene) -> [UserChange] = { _ in [] },
            change: @escaping @Sendable (Scene) -> UserChange
        ) {
            self.init(description, before: before) { try await $1.users.put([change($0)], now: 1_000) }
        }
    }

    /// A user with a number, another one with the address, and what may be about the address.
    struct Scene: Sendable {
        let user: User
        /// A user who is not stored.
        let other: User
        let link, otherLink: AccountLink
        let registration, otherRegistration: Registration
        let invitation, otherInvitation: Invitation
        let call: CallTag
        let proof = SignInProof(id: "p", expiresAt: 2_000, identity: UserStoreContract.email)
        let password = StoredPassword(hash: "one", version: 7)

        var inactiveUser: User {
            var after = user
            after.isActive = false
            return after
        }
    }

    private static let users = [
        Step("a user changes", change: { .update($0.inactiveUser) }),
        Step("a user comes, with a legacy id", change: { .create($0.other) }),
        Step("a user comes and is removed") {
            try await $1.users.put([.create($0.other)], now: 1_000)
            try await $1.remove($0.other)
        },
        Step("the identity gets a holder", change: { .assignIdentity(email, to: $0.user.id) }),
        Step("the holder changes", before: held, change: { .update($0.inactiveUser) }),
        Step("the holder is removed", before: held) { _, storage in
            try await storage.remove(try #require(try await storage.queries.find(.identity(email))).user)
        },
        Step(
            "the identity gets another holder", before: { held($0) + [.create($0.other)] },
            change: { .assignIdentity(email, to: $0.other.id) }),
        Step("a password is set", before: held, change: { .setPassword($0.password, of: $0.user.id) }),
        Step(
            "another password is set", before: { held($0) + [.setPassword($0.password, of: $0.user.id)] },
            change: { .setPassword(StoredPassword(hash: "one", version: 8), of: $0.user.id) }),
        Step(
            "a password goes", before: { held($0) + [.setPassword($0.password, of: $0.user.id)] },
            change: { .removePassword(of: $0.user.id) }),
        Step("the address is claimed", change: { .claim(email, by: $0.user.id) }),
        Step("a claim goes", before: { [.claim(email, by: $0.user.id)] }, change: { _ in .endClaim(email) }),
        Step("claims go", before: { [.claim(email, by: $0.user.id)] }, change: { .endClaims(of: $0.user.id) }),
        Step(
            "the claimant changes", before: { [.claim(email, by: $0.user.id)] }, change: { .update($0.inactiveUser) }),
        Step(
            "the claimant verifies something else", before: { [.create($0.other), .claim(email, by: $0.other.id)] },
            change: { .assignIdentity(VerifiedIdentity(kind: .apple, value: "7"), to: $0.other.id) }),
        Step("the proof is used", change: { .resolve($0.proof, Resolution(of: $0.user)) }),
        Step(
            "the user of a used proof changes", before: { [.resolve($0.proof, Resolution(of: $0.user))] },
            change: { .update($0.inactiveUser) }),
    ]

    private static let addresses = [
        Step("a registration comes", change: { .addRegistration($0.registration) }),
        Step(
            "another registration comes", before: { [.addRegistration($0.registration)] },
            change: { .addRegistration($0.otherRegistration) }),
        Step(
            "a registration goes", before: { [.addRegistration($0.registration)] },
            act: { scene, storage in
                let question = UserQuestion(.identity(email), askedAt: 1_000)
                try await storage.users.decide(question) { _, _ in
                    Verdict((), [.endRegistration(scene.registration.id)])
                }
            }),
        Step("an invitation comes", change: { .addInvitation($0.invitation) }),
        Step(
            "an invitation is replaced", before: { [.addInvitation($0.invitation)] },
            change: { .addInvitation($0.otherInvitation) }),
        Step(
            "an invitation goes", before: { [.addInvitation($0.invitation)] },
            change: { .endInvitation($0.invitation) }),
        Step("a link comes", change: { .addLink($0.link) }),
        Step("a review opens", change: { .openReview(of: $0.user.id, since: 9) }),
        Step("a link goes", before: { [.addLink($0.link)] }, change: { .endLinks(of: $0.link.subject) }),
        Step(
            "the call is answered",
            change: {
                .answer(FirstAnswer(call: $0.call, answer: [1], user: nil, endsSessions: false, expiresAt: 2_000))
            }),
    ]

    private static let held: @Sendable (Scene) -> [UserChange] = { [.assignIdentity(email, to: $0.user.id)] }

    @Test(arguments: DatabaseKind.allCases, users + addresses)
    func `what a decision rests on changes only after its commit`(
        _ engine: DatabaseKind, _ step: Step
    ) async throws {
        let under = try await StorageUnderTest(engine)
        let (storage, replica) = (try under.replica(), try under.replica())
        let scene = try await scene(storage)
        try await storage.users.put(step.before(scene), now: 1_000)
        let subjects: [UserQuestion.Subject] = [
            .identity(Self.email), .link(hash: scene.link.hash), .account(scene.user.id), .user(scene.other.id),
            .legacyID("7"),
        ]
        let questions = subjects.map { UserQuestion($0, proofID: "p", call: scene.call, askedAt: 1_000) }
        let before = try await storage.users.facts(questions)
        let begun = DispatchSemaphore(value: 0)
        let isDone = Mutex(false)
        async let decision = storage.users.decide(questions, now: 1_000) { facts in
            begun.signal()
            usleep(100_000)
            return Verdict((facts: facts, wasChanged: isDone.withLock { $0 }), [.addLink(scene.otherLink)])
        }
        await Self.wait(for: begun)
        try await step.act(scene, replica)
        isDone.withLock { $0 = true }
        let (facts, wasChanged) = try await decision
        #expect(facts == before && !wasChanged)
        let after = try await storage.users.decide(questions, now: 1_000) { Verdict($0) }
        #expect(after != before)
        #expect(
            try await storage.users.facts(UserQuestion(.link(hash: scene.otherLink.hash), askedAt: 1_000)).link != nil)
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    /// Each change, and what its question would have to be about.
    @Test(arguments: DatabaseKind.allCases)
    func `a decision that writes what it has not locked fails, and writes nothing`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let scene = try await scene(storage)
        let (other, phone) = (scene.other, VerifiedIdentity.phone(Self.phone))
        let number = VerifiedIdentity.phone("+15557654321")
        let changes: [UserChange] = [
            .update(scene.user), .create(other), .assignIdentity(Self.email, to: other.id),
            .renameIdentity(phone, to: number), .endIdentity(phone), .refuseTokens(of: phone, before: 9),
            .forgetAppleTokens(of: scene.user.id, subject: "7"), .claim(Self.email, by: scene.user.id),
            .endClaim(Self.email), .endClaims(of: scene.user.id), .setPassword(scene.password, of: scene.user.id),
            .removePassword(of: scene.user.id), .addRegistration(scene.registration),
            .endRegistrations(address: Self.address), .addLink(scene.link), .addLink(link(scene.user.id, .notMe)),
            .openReview(of: scene.user.id, since: 9), .closeReview(of: scene.user.id), .addInvitation(scene.invitation),
            .renameInvitation(scene.invitation, to: .email("bob@example.com")), .endInvitation(scene.invitation),
            .answer(FirstAnswer(call: scene.call, answer: [1], user: nil, endsSessions: false, expiresAt: 2_000)),
        ]
        let question = UserQuestion(.address("bob@example.com"), askedAt: 1_000)
        for change in changes {
            let audited = UserChange.tell(
                OutboxMessage(kind: .revokeUser, payload: "{}"), about: other.id, dueAt: 1_000)
            await #expect(throws: StorageError.self, "\(change)") {
                try await storage.users.decide([question], now: 1_000) { _ in Verdict((), [audited, change]) }
            }
        }
        #expect(try await storage.outbox.pending(.token, about: other.id, limit: 9).isEmpty)
        let open: [UserChange] = [
            .noteUse(phone, at: 9), .resolve(scene.proof, Resolution(of: scene.user)), .endLinks(of: scene.user.id),
            .audit(AuditEntry(.updated, scene.user, RequestOrigin())),
        ]
        try await storage.users.note(open, now: 1_000)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user begins with no epoch from before a restore`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let question = UserQuestion(.identity(Self.email), askedAt: 1_000)
        #expect(try await storage.users.decide(question) { facts, _ in Verdict(facts.epoch) } == 0)
        for _ in 0..<2 { try await storage.raiseEpoch() }
        #expect(try await storage.users.decide(question) { facts, _ in Verdict(facts.epoch) } == 2)
        #expect(try await storage.signIn(Self.email).user.epoch == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two replicas that see a new identity one makes the user`(_ engine: DatabaseKind) async throws {
        let under = try await StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        for round in 0..<8 {
            let number = "+1555123450\(round)"
            async let first = replicas[0].signIn(number)
            async let second = replicas[1].signIn(number)
            let resolutions = [try await first, try await second].compactMap { outcome -> Resolution? in
                if case .admitted(_, let resolution, _, _, _) = outcome { resolution } else { nil }
            }
            #expect(resolutions.filter(\.isNewUser).count == 1)
            let holder = try await replicas[0].users.signInFacts(.phone(number), proofID: "x").holder
            #expect(resolutions.map(\.userID) == [holder?.id, holder?.id])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of fifty replicas' operations on one link one is carried out`(_ engine: DatabaseKind) async throws {
        let under = try await StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        let scene = try await scene(replicas[0])
        try await replicas[0].users.put([.addRegistration(scene.registration), .addLink(scene.link)], now: 1_000)
        let question = UserQuestion(.link(hash: scene.link.hash), askedAt: 1_000)
        let found = try await concurrently(50) { number in
            try await replicas[number % 2].users.decide(question) { facts, _ in
                let isOpen = !facts.registrations.isEmpty
                return Verdict(isOpen, isOpen ? [.endRegistrations(address: Self.address)] : [])
            }
        }
        #expect(found.filter { $0 }.count == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an operation's changes are written whole or not at all`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let scene = try await scene(storage)
        let user = scene.user
        try await storage.users.put([.addLink(scene.link)], now: 1_000)
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
            _ = try await storage.users.apply(changes + [.addLink(scene.link)], on: before, now: 1_000)
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

    func link(
        _ subject: UserID = .new(), _ purpose: AccountLink.Purpose = .confirm, until end: Int64 = 1_400
    ) -> AccountLink {
        AccountLink(
            hash: SecureRandom.bytes(32), purpose: purpose, subject: subject, address: Self.address, createdAt: 1_000,
            expiresAt: end)
    }

    func registration(createdAt: Int64 = 1_000) -> Registration {
        Registration(
            id: .new(), address: Self.address, passwordHash: "hash of \(createdAt)", name: "Ann", createdAt: createdAt,
            expiresAt: createdAt + 500)
    }

    func scene(_ storage: StorageReplica) async throws -> Scene {
        let invitations = [UserID.new(), .new()].map {
            Invitation(id: $0, identity: Self.email, role: "user", expiresAt: 9_000)
        }
        return Scene(
            user: try await storage.user(), other: .unstored(legacyID: "7"), link: link(.new(), .reset, until: 4_600),
            otherLink: link(), registration: registration(), otherRegistration: registration(),
            invitation: invitations[0], otherInvitation: invitations[1], call: newCall())
    }
}

extension Resolution {
    fileprivate init(of user: User) { self.init(userID: user.id, isNewUser: false, restored: false) }
}
