import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The contract of every engine for the operator who gives identities new subjects.
@Suite struct SubjectStoreContract {
    private static func apple(_ subject: String) -> VerifiedIdentity {
        VerifiedIdentity(provider: "apple", subject: subject)
    }

    private func resubject(_ storage: StorageReplica) -> ResubjectIdentities {
        ResubjectIdentities(
            store: storage.users, userIDPrefix: "usr_", providers: ["apple", "google"], now: { 2_000 })
    }

    private func run(
        _ storage: StorageReplica, _ changes: [(String, String)], provider: String = "apple", isDryRun: Bool = false
    ) async throws -> [SubjectResult] {
        let request = ResubjectRequest(
            provider: provider, changes: changes.map { SubjectChange(from: $0.0, to: $0.1) }, isDryRun: isDryRun)
        return try await resubject(storage)(request, requestID: "r").results
    }

    private func user(_ storage: StorageReplica, _ phone: String, _ subject: String) async throws -> User {
        let user = try await storage.user(phone)
        try await storage.users.put([.assignIdentity(Self.apple(subject), to: user.id)], now: 1_100)
        return user
    }

    private func holder(_ storage: StorageReplica, _ subject: String) async throws -> User? {
        try await storage.users.facts(UserQuestion(.identity(Self.apple(subject)), askedAt: 2_000)).holder
    }

    @Test(arguments: DatabaseKind.allCases)
    func `identities move, no session ends, collisions are named, and a second run changes nothing`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let first = try await user(storage, "+15551234561", "000001.a")
        let second = try await user(storage, "+15551234562", "000002.a")
        let newcomer = try await user(storage, "+15551234563", "000002.b")
        try await storage.users.put([.refuseTokens(of: Self.apple("000001.a"), before: 1_500)], now: 1_500)
        let id = { (user: User) in user.id.text(prefix: "usr_") }
        let changes = [("000001.a", "000001.b"), ("000002.a", "000002.b"), ("000003.a", "000003.b")]
        let taken = SubjectResult(.taken, userID: id(second), holderID: id(newcomer))
        let expected = [SubjectResult(.moved, userID: id(first)), taken, SubjectResult(.unknown)]
        #expect(try await run(storage, changes, isDryRun: true) == expected)
        #expect(try await holder(storage, "000001.a") == first)
        #expect(try await run(storage, changes) == expected)
        #expect(try await holder(storage, "000001.a") == nil)
        // The user is the same in everything, also in the epoch, with which their sessions would end.
        #expect(try await holder(storage, "000001.b") == first)
        #expect(try await holder(storage, "000002.a") == second)
        #expect(try await holder(storage, "000002.b") == newcomer)
        let facts = try await storage.users.facts(UserQuestion(.identity(Self.apple("000001.b")), askedAt: 2_000))
        #expect(facts.tokensFrom == 1_500)
        #expect(try await run(storage, changes) == [SubjectResult(.present, userID: id(first)), taken, expected[2]])
        #expect(try await storage.queries.decisions(after: 0, limit: 9).isEmpty)
        let audit = try await storage.queries.audit(AuditRequest(limit: 20), of: nil).records
        let records = audit.filter { $0.event == "identity.resubjected" }
        #expect(records.map(\.detail) == ["apple"] && records.map(\.subject) == [first.pseudonym])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `two runs at once move an identity once, and a provider's subjects are its own`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        _ = try await user(storage, "+15551234561", "000001.a")
        #expect(try await run(storage, [("000001.a", "000001.b")], provider: "google") == [SubjectResult(.unknown)])
        async let other = run(storage, [("000001.a", "000001.b")])
        let outcomes = try await [run(storage, [("000001.a", "000001.b")]), other].flatMap { $0 }.map(\.outcome)
        #expect(outcomes.count { $0 == .moved } == 1 && outcomes.count { $0 == .present } == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what a dry run finds was true together`(_ engine: DatabaseKind) async throws {
        let under = try await StorageUnderTest(engine)
        let (storage, replica) = (try under.replica(), try under.replica())
        let subjects = (0..<20).map { "000001.\($0)" }
        _ = try await user(storage, "+15551234561", subjects[0])
        let questions = subjects.map { UserQuestion(.identity(Self.apple($0)), askedAt: 2_000) }
        async let moves: Void = {
            for (old, new) in zip(subjects, subjects.dropFirst()) { _ = try await run(replica, [(old, new)]) }
        }()
        // The identity is always at one of its subjects, though another replica moves it on.
        for _ in 0..<40 {
            let holders = try await storage.users.decide(questions, now: 2_000) { Verdict($0.compactMap(\.holder)) }
            #expect(holders.count == 1)
        }
        try await moves
    }

    @Test(arguments: [
        ("apple", "a", "a"), ("apple", "", "b"), ("apple", "a", "b c"), ("apple", "a", "b\u{E9}"),
        ("apple", "a\n", "b"),
        ("apple", "a", String(repeating: "x", count: 257)), ("phone", "a", "b"), ("other", "a", "b"),
    ])
    func `a change that cannot be is refused`(_ provider: String, _ old: String, _ new: String) async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        await #expect(throws: InvalidInput.self) { try await run(storage, [(old, new)], provider: provider) }
    }
}
