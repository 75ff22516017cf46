import AuthAPI
import CryptoPrimitives
import Foundation
import GRDB
import InternalAPI
import Logging
import Policies
import PostgreSQL
import Storage
import TestSupport
import Testing
import UserTables

@testable import SQLiteStore
@testable import UserCore

extension StorageUnderTest {
    /// Raises the storage's epoch, as a restore does.
    fileprivate func raiseEpoch() async throws {
        guard let schema else {
            return try await DatabaseQueue(path: folder + "/users.sqlite").write {
                try $0.execute(sql: "UPDATE restore_floor SET epoch = epoch + 1")
            }
        }
        let database = try PostgreSQLDatabase.open(schema, migrations: [], logger: Logger(label: "test"))
        try await database.write { try $0.run("UPDATE restore_floor SET epoch = epoch + 1") }
    }

    /// - Parameter server: The address of another PostgreSQL than the shared one.
    convenience init(_ engine: DatabaseKind, at server: String? = nil) async throws {
        try await self.init(engine, at: server, migrations: UserDatabase.schemaSteps)
    }

    /// Returns the view of one process among several.
    ///
    /// - Parameter writesEvents: Whether the process has a hook for events.
    func replica(writesEvents: Bool = false) throws -> StorageReplica {
        let logger = Logger(label: "test")
        let storage =
            if let schema {
                try UserDatabase.open(schema, policy: policy, logger: logger, writesEvents: writesEvents)
            } else {
                try UserDatabase.open(
                    path: folder + "/users.sqlite", policy: policy, logger: logger, writesEvents: writesEvents)
            }
        return StorageReplica(storage: storage, home: self)
    }
}

/// The storage as one replica has it; what lies below lives as long.
struct StorageReplica: Sendable {
    let storage: UserStorage
    let home: StorageUnderTest

    var users: any UserStore { storage.users }
    var queries: any UserQueries { storage.queries }
    var removals: any RemovalStore { storage.removals }
    var outbox: any OutboxStore { storage.outbox }

    /// Returns the outcome of a proof of a phone, decided like in the use case.
    func signIn(
        _ phone: String = "+15551234567", proofID: String = UUID().uuidString, now: Int64 = 1_000
    ) async throws -> SignInAttempt.Outcome {
        try await signIn(.phone(phone), proofID: proofID, now: now)
    }

    func signIn(
        _ identity: VerifiedIdentity, proofID: String = UUID().uuidString, reviewEndsAt: Int64? = nil,
        token: PresentedToken? = nil, newUsers: NewUsersPolicy = NewUsersPolicy(), call: CallTag? = nil,
        now: Int64 = 1_000
    ) async throws -> SignInAttempt.Outcome {
        let proof = SignInProof(
            id: proofID, expiresAt: now + 60, identity: identity, reviewEndsAt: reviewEndsAt, token: token)
        let attempt = SignInAttempt(
            proof: proof, origin: RequestOrigin(method: "sms"),
            newcomer: Newcomer(
                id: UserID(milliseconds: now * 1_000, random: SecureRandom.bytes),
                pseudonym: .new(), isForReview: proof.isForReview),
            rule: SignInRule(onScheduledDeletion: .restore, newUsers: newUsers),
            takeover: AccountTakeover(userIDPrefix: "usr_"),
            seal: OutboxSeal(ring: try UserFixture.ring()))
        let question = UserQuestion(.identity(identity), proofID: proofID, call: call, askedAt: now)
        return try await users.decide(question, attempt.decide)
    }

    /// A user who has signed in.
    func user(_ phone: String = "+15551234567", now: Int64 = 1_000) async throws -> User {
        try await signIn(phone, now: now).user
    }

    func raiseEpoch() async throws { try await home.raiseEpoch() }

    /// Gives a user up, to be removed at `dueAt`.
    func giveUp(_ user: User, dueAt: Int64, now: Int64 = 1_000) async throws -> User {
        var after = user
        after.deletion = ScheduledDeletion(requestedAt: now, dueAt: dueAt)
        after.epoch += 1
        let message = OutboxMessage(kind: .revokeUser, payload: "{}")
        guard try await users.change(user, to: after, telling: [message], dueAt: now + 5, now: now) == .applied
        else { throw Unexpected() }
        return after
    }

    /// Gives a user up and removes the user at once.
    func remove(_ user: User) async throws {
        let givenUp = try await giveUp(user, dueAt: 1_100)
        let lease = Lease(name: "job", holder: "a", lifetimeSeconds: 30)
        let due = DueUser(user: givenUp, proofIDs: [])
        guard try await removals.remove(due, messages: [], lease: lease, now: 1_100) == .removed else {
            throw Unexpected()
        }
    }

    struct Unexpected: Error {}
}
