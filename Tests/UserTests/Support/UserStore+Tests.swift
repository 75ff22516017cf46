import AuthAPI
import InternalAPI
import Storage
import Synchronization

@testable import UserCore

extension UserStore {
    /// The facts of a sign-in, at the second at which contracts take place unless they say otherwise.
    func signInFacts(_ identity: ProvedIdentity, proofID: String, now: Int64 = 1_000) async throws -> UserFacts {
        try await facts(UserQuestion(.identity(identity), proofID: proofID, askedAt: now))
    }

    /// Changes a user who is still as `user` says, and tells other services.
    func change(
        _ user: User, to after: User, telling messages: [OutboxMessage] = [], dueAt: Int64 = 0, now: Int64 = 1_000
    ) async throws -> Applied {
        var facts = UserFacts(UserQuestion(.user(user.id), askedAt: now))
        facts.holder = user
        return try await apply(
            [.update(after), .audit(AuditEntry(.updated, user, RequestOrigin()))]
                + messages.map { .tell($0, about: user.id, dueAt: dueAt) }, on: facts, now: now)
    }

    /// Gives a user an address that they have not verified.
    func claim(_ address: String, for user: UserID) async throws {
        try await note([.claim(.email(address), by: user)], now: 1_000)
    }
}

extension RemovalStore {
    /// Removes a user whose identities are not noted.
    func remove(
        _ due: DueUser, messages: [OutboxMessage], lease: Lease, now: Int64
    ) async throws -> RemovalOutcome {
        try await remove(due, messages: messages, notes: [], lease: lease, now: now)
    }
}

extension User {
    /// Returns a user that no store has yet, without an identity.
    static func unstored(legacyID: String? = nil) -> User {
        User(
            id: .new(), pseudonym: .new(), phone: nil, name: nil, attributes: UserAttributes(), role: defaultRole,
            isActive: true, epoch: 1, version: 1, createdAt: 1_000, updatedAt: 1_000, legacyID: legacyID)
    }
}

/// A store in which another request is faster than the first decision's changes.
final class InterruptedStore: UserStore {
    private let store: any UserStore
    private let interruption: Mutex<(@Sendable () async throws -> Void)?>

    init(_ store: any UserStore, _ interruption: @escaping @Sendable () async throws -> Void) {
        self.store = store
        self.interruption = Mutex(interruption)
    }

    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] { try await store.facts(questions) }

    func apply(_ changes: [UserChange], on facts: [UserFacts], now: Int64) async throws -> Applied {
        try await interruption.withLock { $0.take() }?()
        return try await store.apply(changes, on: facts, now: now)
    }
}
