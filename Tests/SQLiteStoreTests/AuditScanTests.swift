import Foundation
import GRDB
import SQLiteStore
import Testing

@Suite struct AuditScanTests {
    /// An audit of rows at the seconds 1 to `count`, of which only the first has the event `rare`.
    private func database(_ folder: ScratchFolder, rows count: Int) async throws -> SQLiteDatabase {
        let database = try folder.open([AuditChainTests.audit, ScratchFolder.leases])
        try await database.write { database in
            for second in 1...count {
                try AuditChainTests.chain.append(
                    [Int64(second).databaseValue, (second == 1 ? "rare" : "often").databaseValue, .null], in: database)
            }
        }
        return database
    }

    private func page(
        _ database: SQLiteDatabase, event: String, before: Int64? = nil, since: Int64 = 0
    ) async throws -> (times: [Int64], next: Int64?) {
        let scan = AuditScan(before: before, since: since, limit: 50, rowsMax: 10)
        return try await database.read { database in
            let (rows, next) = try scan.rows(
                ["at"], where: [(column: "event", value: event.databaseValue)], in: database)
            return (rows.map { $0[1] }, next)
        }
    }

    @Test func `a rare event in a long audit is found, part by part`() async throws {
        let folder = try ScratchFolder()
        let database = try await database(folder, rows: 35)
        var (pages, found, before) = (0, [Int64](), Int64?.none)
        repeat {
            let page = try await page(database, event: "rare", before: before)
            pages += 1
            found += page.times
            before = page.next
        } while before != nil
        #expect(found == [1] && pages == 4)
    }

    @Test func `nothing is read beyond the part in which all rows are too old`() async throws {
        let folder = try ScratchFolder()
        let database = try await database(folder, rows: 35)
        let first = try await page(database, event: "rare", since: 30)
        #expect(first.times == [] && first.next != nil)
        let second = try await page(database, event: "rare", before: first.next, since: 30)
        #expect(second.times == [] && second.next == nil)
    }

    @Test func `an empty audit has no rows and no next page`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open([AuditChainTests.audit, ScratchFolder.leases])
        let page = try await page(database, event: "rare")
        #expect(page.times == [] && page.next == nil)
    }
}
