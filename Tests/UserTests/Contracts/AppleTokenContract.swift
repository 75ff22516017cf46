import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The requirements of every engine for tokens of Apple and the facts of its notifications.
@Suite struct AppleTokenContract {
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.fake")

    private func lease(_ holder: String) -> Lease { Lease(name: "job", holder: holder, lifetimeSeconds: 30) }

    private func token(_ user: UserID, client: String = "app", payload: String, at time: Int64 = 1_000) -> AppleToken {
        AppleToken(
            user: user, subject: Self.apple.value, clientID: client, payload: payload, signedInAt: time)
    }

    /// A user who has signed in with a phone number and with Apple.
    private func user(_ storage: StorageReplica) async throws -> User {
        let user = try await storage.user()
        try await storage.users.put([.assignIdentity(Self.apple, to: user.id)], now: 1_100)
        return user
    }

    /// The payloads of the messages that revoke the user's tokens.
    private func revocations(_ storage: StorageReplica, of user: UserID) async throws -> [String] {
        try await storage.outbox.pending(.apple, about: user, limit: 9)
            .filter { $0.message.kind == .revokeToken }.map(\.message.payload).sorted()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `each client's newest token is kept, and its code's row is gone`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await user(storage)
        let code = OutboxMessage(kind: .exchangeCode, payload: "code")
        #expect(try await storage.users.change(user, to: user, telling: [code], dueAt: 1_000) == .applied)
        let row = try #require(try await storage.outbox.pending(.apple, about: user.id, limit: 1).first)
        for (token, item) in [
            (token(user.id, payload: "new", at: 1_200), row.id), (token(user.id, payload: "late"), 99),
            (token(user.id, client: "web", payload: "web"), 99),
        ] { #expect(try await storage.outbox.keep(token, replacing: item, now: 1_300) == .stored) }
        #expect(try await storage.outbox.pending(.apple, about: user.id, limit: 9).isEmpty)
        let gone = try await storage.giveUp(user, dueAt: 1_500)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_500).first)
        #expect(due.user == gone)
        #expect(try await storage.removals.remove(due, messages: [], lease: lease("a"), now: 1_500) == .removed)
        #expect(try await revocations(storage, of: user.id) == ["new", "web"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the token of a user who has lost the identity is revoked, and one from before the end of consent dropped`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await user(storage)
        try await storage.users.put([.refuseTokens(of: Self.apple, before: 1_200)], now: 1_200)
        let early = token(user.id, payload: "early", at: 1_199)
        #expect(try await storage.outbox.keep(early, replacing: 99, now: 1_300) == .dropped)
        let forgotten = token(user.id, payload: "forgotten", at: 1_200)
        #expect(try await storage.outbox.keep(forgotten, replacing: 99, now: 1_300) == .stored)
        try await storage.users.put([.forgetAppleTokens(of: user.id, subject: Self.apple.value)], now: 1_300)
        try await storage.users.put([.endIdentity(Self.apple)], now: 1_300)
        let lost = token(user.id, payload: "lost", at: 1_250)
        #expect(try await storage.outbox.keep(lost, replacing: 99, now: 1_300) == .revoking)
        #expect(try await revocations(storage, of: user.id) == ["lost"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the facts of a notification are the last use, other identities and its first answer`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let call = CallTag(bytes: [UInt8](repeating: 7, count: CallTag.byteCount))
        let question = UserQuestion(.atProvider(Self.apple), call: call, askedAt: 1_300)
        let none = try await storage.users.facts(question)
        #expect(none.holder == nil && none.firstAnswer == nil && none.usedAt == 0)
        let user = try await user(storage)
        let facts = try await storage.users.facts(question)
        #expect(facts.holder?.id == user.id && facts.usedAt == 1_100 && facts.hasOtherIdentity)
        let answer = FirstAnswer(
            call: call, answer: Array("{}".utf8), user: user.id, endsSessions: false, expiresAt: 9_000)
        #expect(try await storage.users.apply([.answer(answer)], on: facts, now: 1_300) == .applied)
        #expect(try await storage.users.apply([.answer(answer)], on: facts, now: 1_300) == .stale)
        #expect(try await storage.users.facts(question).firstAnswer == answer)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a sign-in knows from when on tokens are accepted`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        _ = try await user(storage)
        #expect(try await storage.users.signInFacts(Self.apple, proofID: "p").tokensFrom == nil)
        for time in [1_200, 1_150] as [Int64] {
            try await storage.users.put([.refuseTokens(of: Self.apple, before: time)], now: 1_300)
        }
        #expect(try await storage.users.signInFacts(Self.apple, proofID: "p").tokensFrom == 1_200)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `codes are sent before revocations, and a revocation that is given up is dead`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await user(storage)
        let messages = [
            token(user.id, payload: "token").revocation, OutboxMessage(kind: .exchangeCode, payload: "code"),
        ]
        #expect(try await storage.users.change(user, to: user, telling: messages, dueAt: 1_000) == .applied)
        let due = try await storage.outbox.takeDue(.apple, limit: 9, lease: lease("a"), now: 1_000)
        #expect(due.map(\.message.payload) == ["code", "token"])
        try await storage.outbox.bury(due[1].id, now: 1_400)
        #expect(try await storage.outbox.standing(.apple) == OutboxStanding(pending: 1, oldestAt: 1_000, dead: 1))
        // The user is there still: they have only lost the identity.
        let records = try await storage.queries.audit(AuditRequest(limit: 9), of: user.pseudonym).records
        #expect(records.map(\.event).contains(AuditEntry.Event.revocationFailed.rawValue))
        // A code's age is the time of its sign-in.
        for item in due { #expect(try await storage.outbox.retry(item.id, origin: RequestOrigin(), now: 1_500)) }
        let retried = try await storage.outbox.takeDue(.apple, limit: 9, lease: lease("a"), now: 1_500)
        #expect(retried.map(\.createdAt) == [1_000, 1_500])
    }
}
