import AuthAPI
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing
import UserEvents

@testable import UserCore
@testable import UserTables

/// The events that changes leave for the app's back end on both engines.
@Suite(.serialized) struct UserEventContract {
    private static let number = VerifiedIdentity.phone("+15551234567")
    private static let other = VerifiedIdentity.phone("+15557654321")
    private static let email = VerifiedIdentity.email("ann@example.com")
    private static let lease = Lease(name: "user events", holder: "a", lifetimeSeconds: 30)

    /// The users of a test.
    struct Scene: Sendable {
        let user, other: User

        func changed(_ change: (inout User) -> Void) -> User {
            var after = user
            change(&after)
            return after
        }

        func scheduled(at due: Int64) -> User {
            changed { $0.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: due) }
        }
    }

    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: @Sendable (Scene) -> [UserChange]
        let changes: @Sendable (Scene) -> [UserChange]
        let events: [String]

        init(
            _ description: String, before: @escaping @Sendable (Scene) -> [UserChange] = { _ in [] },
            _ changes: @escaping @Sendable (Scene) -> [UserChange], _ events: String...
        ) {
            (testDescription, self.before, self.changes, self.events) = (description, before, changes, events)
        }
    }

    private static let steps = [
        Step("a name", { [.update($0.changed { $0.name = "Ann" })] }, "user.updated user"),
        Step("an attribute", { [.update($0.changed { $0.attributes["plan"] = .string("b") })] }, "user.updated user"),
        Step("a role", { [.update($0.changed { $0.role = "admin" })] }, "user.role_changed user"),
        Step(
            "all of them, twice",
            { scene in
                let after = scene.changed { ($0.name, $0.role, $0.isActive) = ("Ann", "admin", false) }
                return [.update(after), .update(after)]
            }, "user.updated user", "user.deactivated user", "user.role_changed user"),
        Step("the end of all sessions", { [.update($0.user.endingSessions(at: 1_500))] }),
        Step(
            "a reactivation", before: { [.update($0.changed { $0.isActive = false })] }, { [.update($0.user)] },
            "user.reactivated user"),
        Step("a deletion", { [.update($0.scheduled(at: 9_000))] }, "user.deletion_scheduled user"),
        Step(
            "its withdrawal", before: { [.update($0.scheduled(at: 9_000))] }, { [.update($0.user)] },
            "user.restored user"),
        Step("a merge", { [.merge($0.other, into: $0.user.id)] }, "user.merged other user"),
        Step(
            "a new identity",
            { [.assignIdentity(email, to: $0.user.id), .noteAdded(email, sealed: "S", to: $0.user.id)] },
            "user.identity_changed user"),
        Step("an identity that the user has", { [.assignIdentity(number, to: $0.user.id)] }),
        Step(
            "another user's identity", { [.assignIdentity(other, to: $0.user.id)] }, "user.identity_changed other",
            "user.identity_changed user"),
        Step("an identity that goes", { _ in [.endIdentity(number)] }, "user.identity_changed user"),
        Step(
            "a renamed number", { _ in [.renameIdentity(number, to: .phone("+15550000000"))] },
            "user.identity_changed user"),
        Step(
            "passwords, claims, uses and reviews",
            {
                [
                    .setPassword(StoredPassword(hash: "a", version: 1), of: $0.user.id), .claim(email, by: $0.user.id),
                    .noteUse(number, at: 9), .refuseTokens(of: number, before: 9),
                    .openReview(of: $0.user.id, since: 900),
                ]
            }),
    ]

    private func events(_ storage: StorageReplica) async throws -> [QueuedEvent] {
        try await storage.storage.events.turn([], besides: [], limit: 99, lease: Self.lease, now: 99_000) ?? []
    }

    @Test(arguments: DatabaseKind.allCases, steps)
    func `a change leaves its events, each kind once`(_ engine: DatabaseKind, _ step: Step) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let scene = Scene(user: try await storage.user(), other: try await storage.user("+15557654321"))
        try await storage.users.put(step.before(scene), now: 1_000)
        let earlier = try await events(storage).map(\.id)
        try await storage.users.put(step.changes(scene), now: 1_500)
        let names = [scene.user.id.bytes: "user", scene.other.id.bytes: "other"]
        let made = try await events(storage).filter { !earlier.contains($0.id) }
        let texts = made.map { event in
            [event.kind, names[event.user] ?? "?", event.subject.flatMap { names[$0] }].compactMap { $0 }
                .joined(separator: " ")
        }
        // Events of different users have no order.
        #expect(texts.sorted() == step.events.sorted())
        for name in ["user", "other"] {
            #expect(texts.filter { $0.hasSuffix(" \(name)") } == step.events.filter { $0.hasSuffix(" \(name)") })
        }
        #expect(made.allSatisfy { $0.madeAt == 1_500 && $0.sequence >= 1_500_000 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a first sign-in and a removal leave one event each, and a later sign-in none`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let user = try await storage.user()
        _ = try await storage.user()
        #expect(try await events(storage).map(\.kind) == ["user.created"])
        try await storage.remove(user)
        let made = try await events(storage)
        #expect(made.map(\.kind) == ["user.created", "user.deletion_scheduled", "user.deleted"])
        #expect(made.allSatisfy { $0.user == user.id.bytes } && made.map(\.sequence) == made.map(\.sequence).sorted())
    }

    @Test(arguments: DatabaseKind.allCases)
    func `without a hook nothing is written`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        try await storage.remove(try await storage.user())
        #expect(try await events(storage).isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a decision that fails leaves no event`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let user = try await storage.user()
        let before = try await events(storage)
        await #expect(throws: (any Error).self) {
            // The second change writes what is not locked.
            try await storage.users.decide([UserQuestion(.user(user.id), askedAt: 1_500)], now: 1_500) { _ in
                Verdict((), [.update(user.endingSessions(at: 1_500)), .endIdentity(Self.other)])
            }
        }
        #expect(try await events(storage) == before)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `bodies have the members that the policy includes, while the user exists`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let user = try await storage.user()
        let policy = try StorageUnderTest.policy("userHook: { include: [phoneNumber, name] }")
        let bodies = UserEventBodies(policy, queries: storage.queries, logger: .silent)
        func texts() async throws -> [String] {
            try await bodies(try await events(storage)).map { String(decoding: try $0.encoded(), as: UTF8.self) }
        }
        let text = try #require(try await texts().first)
        #expect(text.contains(#""userId":"\#(user.id.text(prefix: "usr_"))""#) && text.contains("user.created"))
        #expect(text.contains(#""phoneNumber":"+15551234567""#) && text.contains(#""name":null"#))
        #expect(!text.contains("role") && !text.contains("email"))
        try await storage.remove(user)
        let later = try await texts()
        #expect(later.count == 3 && later.allSatisfy { !$0.contains("+1555") && !$0.contains(#""user":{"#) })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a damaged user holds back no other's events`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let database = try #require(storage.storage.engine as? any StorageDatabase)
        let numbers = (0..<5).map { "+1555123456\($0)" }
        for number in numbers { _ = try await storage.user(number) }
        let damaged = try await storage.user(numbers[2])
        try await database.write {
            try $0.run("UPDATE users SET attributes = $2 WHERE id = $1", damaged.id.bytes, "[1]")
        }
        let log = TestLog()
        let bodies = UserEventBodies(
            try StorageUnderTest.policy("userHook: { include: [phoneNumber] }"), queries: storage.queries,
            logger: log.logger)
        _ = try await bodies(try await events(storage))
        let sent = try await bodies(try await events(storage))
        let texts = try sent.map { String(decoding: try $0.encoded(), as: UTF8.self) }
        #expect(texts.count == numbers.count)
        let shown = numbers.filter { number in texts.contains { $0.contains(number) } }
        #expect(shown == numbers.filter { $0 != numbers[2] })
        #expect(texts.contains { $0.contains(damaged.id.text(prefix: "usr_")) })
        #expect(log.lines.count { $0.hasPrefix("user_hook.user_unread") } == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a restore leaves one event, about all users`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let database = try #require(storage.storage.engine as? any StorageDatabase)
        _ = try await database.write {
            try UserDatabase.beginEpoch(2_000, removed: [], decisions: nil, now: 2_000, in: $0)
        }
        let events = try await storage.storage.events.turn([], besides: [], limit: 9, lease: Self.lease, now: 2_000)
        #expect(events?.map(\.kind) == ["user.all_changed"])
        let bodies = UserEventBodies(
            try StorageUnderTest.policy("userHook: { include: [name] }"), queries: storage.queries, logger: .silent)
        let body = try #require(try await bodies(events ?? []).first)
        #expect(String(decoding: try body.encoded(), as: UTF8.self).contains(#""userId":"""#))
    }
}
