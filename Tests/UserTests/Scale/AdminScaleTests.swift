import Foundation
import InternalAPI
import Logging
import PostgreSQL
import Storage
import TestSupport
import Testing
import UserTables

@testable import SQLiteStore
@testable import UserCore

/// The queries of administrators among a million users and ten million records, on both engines. It needs some gigabytes and minutes:
/// `LATCHKEY_SCALE=1 swift test --filter AdminScaleTests`.
@Suite(
    .serialized, .timeLimit(.minutes(30)), .enabled(if: ProcessInfo.processInfo.environment["LATCHKEY_SCALE"] == "1"))
struct AdminScaleTests {
    private static let (users, records): (Int64, Int64) = (1_000_000, 10_000_000)
    private static let (start, now): (Int64, Int64) = (1_700_000_000, 1_700_000_000 + 20_000_000)
    /// The rows of one transaction, which stays within the limits of a write.
    private static let batch: Int64 = 5_000
    private static let holdMax: Duration = .milliseconds(50)

    /// The numbers of a range as rows `n`.
    private static func numbers(_ range: Range<Int64>, on kind: DatabaseKind) -> String {
        kind == .sqlite
            ? "WITH RECURSIVE n(n) AS (SELECT \(range.lowerBound) UNION ALL SELECT n + 1 FROM n WHERE n < \(range.upperBound - 1))"
            : "WITH n AS (SELECT generate_series(\(range.lowerBound)::bigint, \(range.upperBound - 1)::bigint) AS n)"
    }

    /// 16 bytes that are in the order of the numbers.
    private static func bytes(_ number: String, on kind: DatabaseKind) -> String {
        kind == .sqlite
            ? "CAST(printf('%016d', \(number)) AS BLOB)" : "convert_to(lpad((\(number))::text, 16, '0'), 'UTF8')"
    }

    private static func fill(_ database: any StorageDatabase) async throws {
        let kind = database.kind
        let (id, pseudonym) = (bytes("n", on: kind), bytes("n % \(users) + 1", on: kind))
        let (yes, no) = kind == .sqlite ? ("1", "0") : ("true", "false")
        let text = kind == .sqlite ? "printf('+1555%07d', n)" : "'+1555' || lpad(n::text, 7, '0')"
        let hash = kind == .sqlite ? "zeroblob(32)" : "decode(repeat('00', 32), 'hex')"
        for part in stride(from: Int64(1), through: users, by: Int(batch)) {
            let numbers = numbers(part..<part + batch, on: kind)
            try await database.write { transaction in
                try transaction.run(
                    SQL(
                        """
                        INSERT INTO users (id, pseudonym, attributes, role, is_active, epoch, version, created_at, updated_at,
                            is_for_review)
                        \(numbers) SELECT \(id), \(bytes("n + 1", on: kind)), '{}', 'user', \(yes), 0, 1, \(start) + n,
                            \(start) + n, \(no) FROM n
                        """))
                try transaction.run(
                    SQL(
                        """
                        INSERT INTO identities (kind, value, user_id, created_at, last_used_at)
                        \(numbers) SELECT 'phone', \(text), \(id), 1, 1 FROM n
                        """))
            }
        }
        let slot = kind == .sqlite ? AuditSlot.ofFile : 1
        for part in stride(from: Int64(1), through: records, by: Int(batch)) {
            let numbers = numbers(part..<part + batch, on: kind)
            try await database.write { transaction in
                try transaction.run(
                    SQL(
                        """
                        INSERT INTO audit (slot, number, hash, at, event, subject, method, session_id, request_id, detail)
                        \(numbers) SELECT \(slot), n, \(hash), \(start) + n, 'user.looked_up', \(pseudonym), 'operator',
                            'sssssssssssssssssssssssss', 'rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr', 'find' FROM n
                        """))
            }
        }
    }

    /// Runs a query three times and expects the fastest within the bound. The call includes the wait for a connection.
    private static func measure(_ name: String, on kind: DatabaseKind, _ query: () async throws -> Void) async throws {
        var best = Duration.seconds(60)
        for _ in 0..<3 { best = min(best, try await ContinuousClock().measure { try await query() }) }
        print("\(kind) \(name): \(best)")
        #expect(best <= holdMax, "\(kind) \(name)")
    }

    @Test(arguments: DatabaseKind.allCases)
    func `no query keeps a reader for longer than 50 ms`(engine: DatabaseKind) async throws {
        let replica = try await StorageUnderTest(engine).replica()
        let (storage, queries) = (replica.storage, replica.queries)
        let database = try #require(storage.engine as? any StorageDatabase)
        try await Self.fill(database)
        for hour in 0..<Int64(720) {
            let counts = Dictionary(uniqueKeysWithValues: (0..<40).map { ("s/\($0)", Int64(1)) })
            try await storage.counts.add(counts, at: Self.now - hour * 3_600)
        }
        // Autovacuum would do so within a minute.
        for table in engine == .postgreSQL ? ["users", "identities", "audit", "hourly_counts"] : [] {
            try await database.write { try $0.run(SQL("ANALYZE \(table)")) }
        }
        let middle = Self.records / 2
        let someone = Pseudonym(bytes: Array("0000000000500000".utf8))
        func audit(_ of: Pseudonym?, since: Int64, event: String? = nil) async throws {
            let request = AuditRequest(event: event, since: since, until: Self.now, limit: 200, before: middle)
            _ = try await queries.audit(request, of: of)
        }
        try await Self.measure("audit of a period", on: engine) { try await audit(nil, since: Self.start) }
        try await Self.measure("audit of a user", on: engine) { try await audit(someone, since: Self.start) }
        try await Self.measure("audit of a rare event", on: engine) {
            try await audit(nil, since: Self.start, event: "user.removed")
        }
        try await Self.measure("audit of no records", on: engine) { try await audit(nil, since: Self.now - 1) }
        try await Self.measure("search by a beginning", on: engine) {
            let beginning = IdentityBeginning(kind: .phone, text: "+1555")
            _ = try await queries.search(beginning, after: nil, limit: 100)
        }
        try await Self.measure("users changed since", on: engine) {
            _ = try await queries.changed(since: Self.now, behind: nil, limit: 100)
        }
        try await Self.measure("a user by number", on: engine) {
            _ = try await queries.find(.identity(.phone("+15550500000")))
        }
        try await Self.measure("reviews", on: engine) { _ = try await queries.reviews(behind: nil, limit: 100) }
        try await Self.measure("counts of a day", on: engine) {
            _ = try await storage.counts.sums(steps: 24, of: HourlyCounts.hourSeconds, now: Self.now)
        }
        try await Self.measure("counts of 30 days", on: engine) {
            _ = try await storage.counts.sums(steps: 30, of: HourlyCounts.daySeconds, now: Self.now)
        }
    }
}
