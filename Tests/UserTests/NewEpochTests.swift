import AuthAPI
import CryptoPrimitives
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import PostgreSQL
@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// A new epoch of users in PostgreSQL, with the operator's lists of what happened after the restored moment.
@Suite(.timeLimit(.minutes(5))) struct NewEpochTests {
    private static let floor: Int64 = 1_800_000_000
    private static let now: Int64 = 1_000

    private let home: StorageUnderTest
    private let restored: StorageReplica

    init() async throws {
        home = try await StorageUnderTest(.postgreSQL)
        restored = try home.replica()
    }

    /// Begins an epoch after the replica of the restored database has ended, and returns a new replica.
    private func begun(
        floor: Int64 = floor, removed: [UserID] = [], decisions: [OrderedDecision]? = nil
    ) async throws -> (taken: UserDatabase.TakenByEpoch, replica: StorageReplica) {
        try await (restored.storage.engine as? PostgreSQLDatabase)?.shutDown()
        return (try begin(floor, removed, decisions), try await eventualReplica())
    }

    /// Does what the command does, which has ended afterwards.
    private func begin(
        _ floor: Int64, _ removed: [UserID], _ decisions: [OrderedDecision]?
    ) throws -> UserDatabase.TakenByEpoch {
        let schema = try #require(home.schema)
        return try WholeSchema(schema, migrations: UserDatabase.schemaSteps, isAlone: true).write {
            try UserDatabase.beginEpoch(
                floor, removed: removed.map(\.bytes), decisions: decisions, now: floor, in: $0)
        }
    }

    /// The server notices within moments that the command has ended.
    private func eventualReplica() async throws -> StorageReplica {
        var replica: StorageReplica?
        try await eventually("the lock is free") {
            replica = try? home.replica()
            return replica != nil
        }
        return try #require(replica)
    }

    private func decision(
        _ sequence: Int64, _ kind: SecurityDecision.Kind, _ id: UserID, _ detail: String? = nil
    ) -> OrderedDecision {
        OrderedDecision(sequence: sequence, kind: kind.rawValue, subject: id.bytes, detail: detail)
    }

    private func records(_ event: AuditEntry.Event, _ replica: StorageReplica) async throws -> [String?] {
        try await replica.queries.audit(AuditRequest(event: event.rawValue, limit: 50), of: nil).records.map(\.detail)
    }

    @Test func `everyone's epoch is that of the database, and later users begin with it`() async throws {
        let user = try await restored.user()
        let replica = try await begun().replica
        #expect(try await replica.queries.user(user.id)?.epoch == Self.floor)
        #expect(try await replica.user("+15551234568", now: Self.floor).epoch == Self.floor)
        #expect(try await records(.epochBegun, replica) == ["epoch \(Self.floor)"])
    }

    @Test func `removed users are removed again, and others are there`() async throws {
        let (user, other) = (try await restored.user(), try await restored.user("+15551234568"))
        _ = try await restored.signIn(proofID: "early")
        let unknown = UserID.new()
        let (taken, replica) = try await begun(removed: [user.id, unknown])
        #expect(taken.users == 1)
        #expect(try await replica.queries.user(user.id) == nil)
        #expect(try await replica.queries.user(other.id) != nil)
        #expect(try await Set(replica.queries.removed(behind: nil, limit: 9)) == [user.id, unknown])
        let facts = try await replica.users.signInFacts(.phone("+15551234567"), proofID: "early")
        #expect(facts.holder == nil && facts.earlier?.user == nil && facts.earlier != nil)
        #expect(try await records(.removed, replica).count == 1)
        #expect(try await replica.outbox.pending(.token, about: user.id, limit: 9).isEmpty)
    }

    @Test func `second factors that users lost are lost again, and a used recovery code stays used`() async throws {
        let (user, other) = (try await restored.user(), try await restored.user("+15551234568"))
        let tags = (0..<2).map { [UInt8](repeating: $0, count: 32) }
        for id in [user.id, other.id] {
            try await restored.users.put(
                [.setSecondFactor(SecondFactor(activatedAt: 1_000), of: id), .setRecoveryCodes(tags, of: id)],
                now: Self.now)
        }
        let replica = try await begun(decisions: [
            decision(100, .secondFactorLost, user.id, SecondFactorLoss.all),
            decision(101, .secondFactorLost, user.id, SecondFactorLoss.codes),
            decision(102, .secondFactorLost, other.id, Hex.encode(tags[0])),
        ]).replica
        let facts = try await replica.users.facts(
            [user, other].map { UserQuestion(.account($0.id), askedAt: Self.now, readsSecondFactor: true) })
        #expect(facts[0].secondFactor == SecondFactor())
        #expect(facts[1].secondFactor?.codes == [StoredRecoveryCode(tag: tags[1])])
        #expect(try await records(.decisionApplied, replica).filter { $0 == "second factor" }.count == 3)
    }

    @Test func `a registration that became a removed user is over, and messages about known removals stay`()
        async throws
    {
        let (mine, others) = (UserID.new(), UserID.new())
        for (id, address) in [(mine, "ann@example.com"), (others, "bob@example.com")] {
            let registration = Registration(
                id: id, address: address, passwordHash: "x", name: nil, createdAt: Self.now, expiresAt: Self.now + 60)
            let mail = OutboxMessage(kind: .notice, payload: "x")
            try await restored.users.put(
                [.addRegistration(registration), .tell(mail, about: id, dueAt: Self.now)], now: Self.now)
        }
        let gone = try await restored.user()
        try await restored.remove(gone)
        try await restored.users.put(
            [.tell(OutboxMessage(kind: .removeUser, payload: "x"), about: gone.id, dueAt: Self.now)], now: Self.now)
        let (taken, replica) = try await begun(removed: [mine, gone.id])
        #expect(taken.users == 0)
        for (address, isOpen) in [("ann@example.com", false), ("bob@example.com", true)] {
            let facts = try await replica.users.facts(UserQuestion(.address(address), call: nil, askedAt: Self.now))
            #expect(facts.registrations.isEmpty != isOpen)
        }
        #expect(try await replica.outbox.pending(.mail, about: mine, limit: 9).isEmpty)
        #expect(try await replica.outbox.pending(.mail, about: others, limit: 9).count == 1)
        #expect(try await replica.outbox.pending(.token, about: gone.id, limit: 9).count == 1)
    }

    @Test func `later decisions take rights away, and give none`() async throws {
        let (first, second) = (try await restored.user(), try await restored.user("+15551234568"))
        let (third, fourth) = (try await restored.user("+15551234569"), try await restored.user("+15551234570"))
        for user in [second, third] {
            var admin = user
            admin.role = "admin"
            #expect(try await restored.users.change(user, to: admin) == .applied)
        }
        let password = StoredPassword(hash: "a", version: 1)
        try await restored.users.put([.setPassword(password, of: third.id)], now: Self.now)
        let known = try #require(try await restored.queries.decisions(after: 0, limit: 50).last?.sequence)
        let (taken, replica) = try await begun(decisions: [
            decision(known, .passwordChanged, third.id), decision(known + 1, .deactivated, first.id),
            decision(known + 2, .roleLost, second.id, "admin"), decision(known + 3, .roleGiven, first.id, "admin"),
            decision(known + 4, .roleLost, third.id, "admin"), decision(known + 5, .roleGiven, third.id, "admin"),
            decision(known + 6, .identityLost, fourth.id, "phone/1000"), decision(known + 7, .deactivated, .new()),
        ])
        #expect(taken.decisions == 7)
        let after = try await replica.queries.user(first.id)
        #expect(after?.isActive == false && after?.role == "user")
        #expect(try await replica.queries.user(second.id)?.role == "user")
        #expect(try await replica.queries.user(third.id)?.role == "admin")
        #expect(try await replica.users.facts(UserQuestion(.account(third.id), call: nil, askedAt: 1)).password != nil)
        #expect(try await !replica.queries.isOwned(.phone("+15551234570")))
        #expect(try await records(.decisionApplied, replica) == ["identity phone", "role", "deactivated"])
    }

    @Test(arguments: [true, false])
    func `what users asked for about their accounts' deletion survives, and no removal comes within a week`(
        withList: Bool
    ) async throws {
        let day: Int64 = 86_400
        var users: [User] = []
        for number in 0..<5 { users.append(try await restored.user("+1555123456\(number)")) }
        users[0] = try await restored.giveUp(users[0], dueAt: Self.now + 1)
        users[1] = try await restored.giveUp(users[1], dueAt: Self.floor + 20 * day)
        let known = try #require(try await restored.queries.decisions(after: 0, limit: 50).last)
        #expect(known.kind == .deletionRequested && known.detail == "\(1_000)/\(Self.floor + 20 * day)")
        func asked(_ days: Int64) -> String { "\(Self.now)/\(Self.floor + days * day)" }
        let list = [
            decision(known.sequence + 1, .deletionWithdrawn, users[0].id),
            decision(known.sequence + 2, .deletionRequested, users[2].id, asked(1)),
            decision(known.sequence + 3, .deletionRequested, users[3].id, asked(25)),
            decision(known.sequence + 4, .deletionRequested, users[4].id, asked(1)),
            decision(known.sequence + 5, .deletionWithdrawn, users[4].id),
        ]
        let replica = try await begun(decisions: withList ? list : nil).replica
        var due: [Int64?] = []
        for user in users {
            due.append(try await replica.queries.user(user.id)?.deletion.map { ($0.dueAt - Self.floor) / day })
        }
        #expect(due == (withList ? [nil, 20, 7, 25, nil] : [7, 20, nil, nil, nil]))
        #expect(try await replica.removals.due(limit: 9, now: Self.floor + 7 * day - 1).isEmpty)
    }

    @Test(arguments: [true, false])
    func `with the list the named invitations end, without it all`(withList: Bool) async throws {
        let invitations = ["+15551234567", "+15551234568"].map {
            Invitation(id: .new(), identity: .phone($0), role: "admin", expiresAt: Self.floor + 60)
        }
        try await restored.users.put(invitations.map { .addInvitation($0) }, now: Self.now)
        let list = [decision(1, .invitationEnded, invitations[0].id)]
        let replica = try await begun(decisions: withList ? list : nil).replica
        let open = try await replica.queries.invitations(limit: 9, now: Self.floor).map(\.id)
        #expect(open == (withList ? [invitations[1].id] : []))
    }

    @Test func `a client that was revoked later gets no token after a restore`() async throws {
        let clients = ["billing", "reports"].map {
            APIClient.new($0, role: "admin", secretHash: [UInt8](repeating: 7, count: 32), now: Self.now)
        }
        try await restored.users.put(clients.map { .storeClient($0) }, now: Self.now)
        let subject = try #require(clients[0].decisionSubject)
        let replica = try await begun(decisions: [decision(1, .clientRevoked, subject)]).replica
        #expect(try await replica.queries.clients().map(\.revokedAt) == [Self.floor, nil])
        // Another restore may follow.
        let decisions = try await replica.queries.decisions(after: 0, limit: 9)
        #expect(decisions.map(\.kind) == [.clientRevoked] && decisions.map(\.subject) == [subject])
    }
}
