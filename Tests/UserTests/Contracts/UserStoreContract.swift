import AuthAPI
import InternalAPI
import Storage
import Testing

@testable import UserCore

/// What every engine promises of users and sign-ins.
@Suite struct UserStoreContract {
    private let phone = "+15551234567"

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a newcomer is there as it was said, and holds the identity`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user(phone)
        #expect(try await storage.queries.user(user.id) == user)
        let facts = try await storage.users.signInFacts(.phone(phone), proofID: "p1")
        var expected = UserFacts(UserQuestion(.identity(.phone(phone)), proofID: "p1", askedAt: 1_000))
        (expected.identity, expected.holder) = (.phone(phone), user)
        #expect(facts == expected)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a proof that was used tells what it led to`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        guard case .admitted(let user, let resolution, false) = try await storage.signIn(phone, proofID: "p1").outcome
        else { return #expect(Bool(false)) }
        let facts = try await storage.users.signInFacts(.phone(phone), proofID: "p1")
        #expect(facts.earlier == EarlierSignIn(resolution: resolution, user: user))
        let again = try await storage.signIn(phone, proofID: "p1")
        #expect(again.outcome == .admitted(user, resolution, isRepeat: true))
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a use that is noted is the last one, unless a later one is known, and nobody's is nothing`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user(phone, now: 1_000)
        func lastSignIn() async throws -> Int64? {
            try await storage.queries.find(.id(user.id))?.lastSignInAt
        }
        try await storage.users.noteUses([.phone(phone): 1_500, .phone("+15557654321"): 1_500])
        #expect(try await lastSignIn() == 1_500)
        try await storage.users.noteUses([.phone(phone): 1_400])
        #expect(try await lastSignIn() == 1_500)
        #expect(try await storage.users.signInFacts(.phone("+15557654321"), proofID: "p").holder == nil)
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
    func `a sign-in holds on the facts alone: holder, his state, and the proof`(
        _ engine: StorageEngineUnderTest
    ) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user(phone)
        // The holder was deactivated meanwhile.
        var before = try await storage.users.signInFacts(.phone(phone), proofID: "p1")
        var inactive = user
        inactive.isActive = false
        #expect(try await storage.users.change(user, to: inactive) == .applied)
        #expect(try await storage.signIn(phone, proofID: "p1", on: before).applied == .stale)
        #expect(try await storage.users.change(inactive, to: user) == .applied)
        // The proof was used meanwhile.
        before = try await storage.users.signInFacts(.phone(phone), proofID: "p2")
        #expect(try await storage.signIn(phone, proofID: "p2").applied == .applied)
        #expect(try await storage.signIn(phone, proofID: "p2", on: before).applied == .stale)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `a change holds on the user as he was read, and is whole`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user(phone)
        let given = try await storage.giveUp(user, dueAt: 9_000)
        #expect(try await storage.queries.user(user.id) == given)
        #expect(try await storage.outbox.pending(.token, about: user.id, limit: 9).map(\.message.kind) == [.revokeUser])
        var renamed = user
        renamed.name = "Ada"
        renamed.attributes["plan"] = .string("pro")
        let message = OutboxMessage(kind: .changeRights, payload: "{}")
        #expect(try await storage.users.change(user, to: renamed, telling: [message]) == .stale)
        #expect(try await storage.queries.user(user.id) == given)
        #expect(try await storage.outbox.standing(.token).pending == 1)
    }

    @Test(arguments: StorageEngineUnderTest.allCases)
    func `an account that is given up loses its number to a newcomer`(_ engine: StorageEngineUnderTest) async throws {
        let storage = try StorageUnderTest(engine).replica()
        let user = try await storage.user(phone)
        _ = try await storage.giveUp(user, dueAt: 1_500)
        guard case .admitted(let other, _, _) = try await storage.signIn(phone, now: 1_600).outcome else {
            return #expect(Bool(false))
        }
        #expect(other.id != user.id && other.phone == phone)
        #expect(try await storage.queries.user(user.id)?.phone == nil)
    }
}
