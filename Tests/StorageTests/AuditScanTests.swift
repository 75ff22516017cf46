import TestSupport
import Testing

@testable import Storage

/// Pages of a long audit.
@Suite(.timeLimit(.minutes(5))) struct AuditScanTests {
    /// Returns an audit of records at the seconds 1 to `count`, of which only the first has the event `rare`.
    private func audit(_ kind: DatabaseKind, records count: Int64) async throws -> DatabaseUnderTest {
        let test = try await DatabaseUnderTest(kind)
        try await test.database.write { transaction in
            for second in 1...count {
                try AuditTests.append(at: second, second == 1 ? "rare" : "often", in: transaction)
            }
        }
        return test
    }

    private func page(
        _ database: any StorageDatabase, before: Int64? = nil, since: Int64 = 0
    ) async throws -> (times: [Int64], next: Int64?) {
        let scan = AuditScan(before: before, since: since, limit: 50, rowsMax: 10)
        return try await database.read { reader in
            let (rows, next) = try scan.rows(["at"], where: [(column: "event", value: "rare")], in: reader)
            return (rows.map { $0.integer(1) }, next)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a rare event in a long audit is found, part by part`(kind: DatabaseKind) async throws {
        let test = try await audit(kind, records: 35)
        var (pages, found, before) = (0, [Int64](), Int64?.none)
        repeat {
            let page = try await page(test.database, before: before)
            pages += 1
            found += page.times
            before = page.next
        } while before != nil
        #expect(found == [1] && pages == 4)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `nothing is read beyond the part in which all records are too old`(kind: DatabaseKind) async throws {
        let test = try await audit(kind, records: 35)
        let first = try await page(test.database, since: 30)
        #expect(first.times == [] && first.next != nil)
        let second = try await page(test.database, before: first.next, since: 30)
        #expect(second.times == [] && second.next == nil)
    }

    /// The times of all records of a period, page by page.
    private func times(
        _ database: any StorageDatabase, from since: Int64, to until: Int64, rowsMax: Int64
    ) async throws -> [Int64] {
        var (found, before) = ([Int64](), Int64?.none)
        repeat {
            let scan = AuditScan(before: before, since: since, until: until, limit: 3, rowsMax: rowsMax)
            let part = try await database.read { reader in
                let (rows, next) = try scan.rows(["at"], where: [], in: reader)
                return (times: rows.map { $0.integer(1) }, next: next)
            }
            found += part.times
            before = part.next
        } while before != nil
        return found
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the records of a period are all found, however far back it is`(kind: DatabaseKind) async throws {
        let test = try await audit(kind, records: 35)
        for rowsMax: Int64 in [1, 4, 10, 1_000] {
            #expect(
                try await times(test.database, from: 3, to: 9, rowsMax: rowsMax) == [8, 7, 6, 5, 4, 3], "\(rowsMax)")
            #expect(try await times(test.database, from: 36, to: 99, rowsMax: rowsMax) == [])
            #expect(try await times(test.database, from: 9, to: 9, rowsMax: rowsMax) == [])
            #expect(try await times(test.database, from: .min, to: .max, rowsMax: rowsMax).count == 35)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `records with one time are found once each`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        try await test.database.write { transaction in
            for _ in 1...20 { try AuditTests.append(at: 5, "often", in: transaction) }
        }
        #expect(try await times(test.database, from: 5, to: 6, rowsMax: 7).count == 20)
    }

    @Test func `a page reads a range of the key, and no more`() async throws {
        let test = try await DatabaseUnderTest(.sqlite)
        let sql = AuditScan.selection(["at"], where: ["event"])
        let plan = try await test.database.read { try QueryPlan.of(sql, in: $0) }
        #expect(plan == "SEARCH audit USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)")
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an empty audit has no records and no next page`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let page = try await page(test.database)
        #expect(page.times == [] && page.next == nil)
    }
}
