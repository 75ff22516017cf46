import AuthAPI
import InternalAPI
import Storage
import Synchronization

@testable import UserCore

extension UserStore {
    /// The facts of a sign-in, at the second at which contracts take place unless they say otherwise.
    func signInFacts(_ identity: VerifiedIdentity, proofID: String, now: Int64 = 1_000) async throws -> UserFacts {
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

    /// Writes the changes if the facts are as they were read.
    func apply(_ changes: [UserChange], on known: [UserFacts], now: Int64) async throws -> Applied {
        try await decide(known.map(\.question) + changes.flatMap(\.questions), now: now) { facts in
            Array(facts.prefix(known.count)) == known ? Verdict(.applied, changes) : Verdict(.stale)
        }
    }

    func apply(_ changes: [UserChange], on facts: UserFacts, now: Int64) async throws -> Applied {
        try await apply(changes, on: [facts], now: now)
    }

    /// Writes changes, whatever is stored.
    func put(_ changes: [UserChange], now: Int64) async throws { _ = try await apply(changes, on: [], now: now) }

    /// Gives a user an address that they have not verified.
    func claim(_ address: String, for user: UserID) async throws {
        try await put([.claim(.email(address), by: user)], now: 1_000)
    }
}

extension UserChange {
    /// Questions about all that the change writes.
    fileprivate var questions: [UserQuestion] {
        let subjects: [UserQuestion.Subject] =
            switch self {
            case .create(let user): [.user(user.id)] + (user.legacyID.map { [.legacyID($0)] } ?? [])
            case .update(let user): [.user(user.id)]
            case .merge(let user, let other):
                [.user(user.id), .user(other)] + (user.legacyID.map { [.legacyID($0)] } ?? [])
            case .assignIdentity(let identity, let user, _), .claim(let identity, let user):
                [.identity(identity), .user(user)]
            case .renameIdentity(let old, let new): [.identity(old), .identity(new)]
            case .noteUse(let identity, _), .endIdentity(let identity), .refuseTokens(let identity, _),
                .endClaim(let identity):
                [.identity(identity)]
            case .restoreIdentity(let identity, _, let user): [.identity(identity), .user(user)]
            case .addPasskey(let passkey): [.passkey(passkey.key), .user(passkey.user)]
            case .renamePasskey(let passkey), .endPasskey(let passkey): [.user(passkey.user)]
            case .notePasskeyUse(let passkey): [.passkey(passkey.key)]
            case .setPassword(_, let user), .removePassword(let user), .forgetAppleTokens(let user, _),
                .revokeAppleTokens(let user, _), .noteAdded(_, _, let user), .endRestored(let user, _),
                .endClaims(let user), .endWaitingPasskeys(let user), .endLinks(let user), .endNotMeLinks(let user, _),
                .openReview(let user, _, _),
                .closeReview(let user), .noteOrigins(_, let user), .forgetOrigins(_, let user),
                .forgetReportedOrigins(let user, _), .setSecondFactor(_, let user), .setRecoveryCodes(_, let user),
                .useRecoveryCode(_, let user), .endSecondFactor(let user, _):
                [.user(user)]
            case .resolve(let proof, _): proof.identity.map { [.identity($0)] } ?? []
            case .addRegistration(let registration): [.address(registration.address)]
            case .endRegistrations(let address): [.address(address)]
            case .addLink(let link): [link.identity.map { .identity($0) } ?? .user(link.subject)]
            case .addInvitation(let invitation), .endInvitation(let invitation): [.identity(invitation.identity)]
            case .renameInvitation(let invitation, let new): [.identity(invitation.identity), .identity(new)]
            case .addPending(let change):
                [.user(change.user)] + [change.other].compactMap { $0.map { .user($0) } }
                    + [change.number].compactMap { $0.map { .identity(.phone($0)) } }
            case .renamePending(let change, let new):
                [.identity(new)] + [change.number].compactMap { $0.map { .identity(.phone($0)) } }
            case .startPending(let change, _): [change.number].compactMap { $0.map { .identity(.phone($0)) } }
            case .endPending(let user, _): [.user(user)]
            case .endPendingChange(let change): [.user(change.user)]
            case .storeClient(let client): [.client(client.id)]
            case .removeClient(let id): [.client(id)]
            case .answer, .endRegistration, .noteGivenUp, .audit, .tell: []
            }
        let call: [UserQuestion] =
            if case .answer(let answer) = self {
                [UserQuestion(.user(answer.user ?? .new()), call: answer.call, askedAt: 0)]
            } else { [] }
        return subjects.map { UserQuestion($0, askedAt: 0) } + call
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

/// A store in which another request is faster than the first decision.
final class InterruptedStore: UserStore {
    private let store: any UserStore
    private let interruption: Mutex<(@Sendable () async throws -> Void)?>

    init(_ store: any UserStore, _ interruption: @escaping @Sendable () async throws -> Void) {
        self.store = store
        self.interruption = Mutex(interruption)
    }

    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] { try await store.facts(questions) }

    func decide<Outcome: Sendable>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: @escaping @Sendable ([UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        try await interruption.withLock { $0.take() }?()
        return try await store.decide(questions, now: now, decide)
    }

    func note(_ changes: [UserChange], now: Int64) async throws { try await store.note(changes, now: now) }

    func confirm() async throws { try await store.confirm() }
}
