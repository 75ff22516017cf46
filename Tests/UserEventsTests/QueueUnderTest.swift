import Foundation
import Logging
import PostgreSQL
import SQLiteStore
import Storage
import TestSupport

@testable import UserEvents

/// The queue of events in a database of one kind, with the leases that each service has.
final class QueueUnderTest: Sendable {
    let database: any StorageDatabase
    let queue: EventQueue
    private let home: StorageUnderTest

    private static let leases =
        "CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL)"
    private static let fileSteps = [Migration.first(leases), EventRows.fileStep]
    private static let schemaSteps = [Migration.firstOfSchema(leases), EventRows.schemaStep]

    init(_ kind: DatabaseKind) async throws {
        home = try await StorageUnderTest(kind, at: nil, migrations: Self.schemaSteps)
        let logger = Logger(label: "test")
        database =
            if let schema = home.schema {
                try PostgreSQLDatabase.open(schema, migrations: Self.schemaSteps, logger: logger)
            } else {
                try SQLiteDatabase.open(
                    path: home.folder + "/events.sqlite", migrations: Self.fileSteps, logger: logger)
            }
        queue = EventQueue(database: database)
    }

    static func user(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }

    static func lease(_ holder: String) -> Lease { Lease(name: "user events", holder: holder, lifetimeSeconds: 30) }

    /// Writes events of users, each in a transaction of its own, as the services do.
    func add(_ users: [UInt8], _ kind: UserEvent.Kind = .updated, now: Int64) async throws {
        for user in users {
            try await database.write { transaction in
                transaction.lock(AdvisoryLock(.user, Self.user(user)))
                try EventRows.insert([UserEvent(kind, of: Self.user(user))], now: now, in: transaction)
            }
        }
    }

    /// Stores results, and claims what is due, as replica `a`.
    func turn(
        _ results: [EventResult] = [], besides users: [UInt8] = [], limit: Int = 99, now: Int64
    ) async throws -> [QueuedEvent] {
        try await queue.turn(
            results, besides: Set(users.map(Self.user)), limit: limit, lease: Self.lease("a"), now: now) ?? []
    }

    func rows(_ condition: SQL = "true") async throws -> Int {
        try await database.read {
            Int(try $0.rows("SELECT count(*) FROM user_events WHERE \(condition)").first?.integer(0) ?? 0)
        }
    }
}
