import Foundation
import GRDB
import Logging
import SQLiteStore
import Storage
import Testing

@Suite struct AuditChainTests {
    static let audit = Migration(
        "audit", AuditChain.tables(columns: "at INTEGER NOT NULL, event TEXT NOT NULL, detail BLOB"))
    static let chain = AuditChain(columns: ["at", "event", "detail"])

    private func open(_ folder: ScratchFolder) throws -> SQLiteDatabase {
        try folder.open([Self.audit, ScratchFolder.leases])
    }

    private static func row(_ number: Int) -> [DatabaseValue] {
        [Int64(number).databaseValue, "event \(number)".databaseValue, .null]
    }

    private func append(_ count: Int, to database: SQLiteDatabase) async throws {
        for number in 0..<count { try await database.write { try Self.chain.append(Self.row(number), in: $0) } }
    }

    private func verify(_ database: SQLiteDatabase) async throws -> AuditVerification {
        try await database.write { try AuditVerification.run(in: $0) }
    }

    /// Changes the file like an attacker who has access to it: the triggers do not prevent that.
    private func tamper(_ folder: ScratchFolder, _ sql: String) async throws -> String {
        let outsider = try folder.outsider()
        try await outsider.writeWithoutTransaction { database in
            for name in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
                try database.execute(sql: "DROP TRIGGER \(name)")
            }
            try database.execute(sql: sql)
        }
        do {
            return try await outsider.read { "ok \(try AuditVerification.run(in: $0).rows)" }
        } catch let row as AuditVerification.BadRow {
            return row.description
        }
    }

    @Test func `rows of two processes in groups make one chain, and an undone act leaves no hole`() async throws {
        struct Undone: Error {}
        let folder = try ScratchFolder()
        let databases = [try open(folder), try open(folder)]
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    do {
                        try await databases[number % 2].write { database in
                            try Self.chain.append(Self.row(number), in: database)
                            if number.isMultiple(of: 5) { throw Undone() }
                        }
                    } catch is Undone {} catch { Issue.record(error) }
                }
            }
        }
        let found = try await verify(databases[0])
        #expect(found.rows == 320)
        #expect(found.newest == 320)
    }

    @Test(arguments: [
        ("", "ok 9"),
        ("UPDATE audit SET event = 'event X' WHERE number = 4", "row 4: is not as it was written"),
        ("UPDATE audit SET detail = x'' WHERE number = 4", "row 4: is not as it was written"),
        ("UPDATE audit SET at = CAST(at AS REAL) + 0.5 WHERE number = 4", "row 4: is not as it was written"),
        ("UPDATE audit SET hash = zeroblob(32) WHERE number = 9", "row 9: is not as it was written"),
        ("DELETE FROM audit WHERE number = 4", "row 4: is missing"),
        ("DELETE FROM audit WHERE number = 1", "row 1: is missing"),
        ("DELETE FROM audit WHERE number = 9", "row 9: is missing"),
        (
            """
            UPDATE audit SET number = 99 WHERE number = 4; UPDATE audit SET number = 4 WHERE number = 5;
            UPDATE audit SET number = 5 WHERE number = 99
            """, "row 4: is not as it was written"
        ),
        (
            "INSERT INTO audit SELECT 10, at, event, detail, hash FROM audit WHERE number = 9",
            "row 10: is not as it was written"
        ),
        (
            "INSERT INTO audit SELECT 0, at, event, detail, hash FROM audit WHERE number = 9",
            "row 0: is older than the last removed row"
        ),
        ("INSERT INTO audit VALUES (-1, 0, 'user.created', NULL, x'')", "row -1: is older than the last removed row"),
    ])
    func `the first row that is not as it was written is named`(sql: String, finding: String) async throws {
        let folder = try ScratchFolder()
        try await append(9, to: try open(folder))
        #expect(try await tamper(folder, sql) == finding)
    }

    @Test func `a flipped byte in the file is found`() async throws {
        let folder = try ScratchFolder()
        do {
            let database = try open(folder)
            try await append(9, to: database)
            try await folder.outsider().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
        let url = URL(fileURLWithPath: folder.databasePath)
        var bytes = try Data(contentsOf: url)
        let place = try #require(bytes.firstRange(of: Data("event 6".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: url)
        let found = #expect(throws: AuditVerification.BadRow.self) {
            try AuditVerification.run(file: folder.databasePath)
        }
        #expect(found?.description == "row 7: is not as it was written")
    }

    @Test(arguments: [
        "UPDATE audit SET event = 'x'", "DELETE FROM audit WHERE number = 3", "DELETE FROM audit",
        "INSERT INTO audit (at, event) VALUES (1, 'x')", "DELETE FROM audit_ends",
        "INSERT OR REPLACE INTO audit (number, at, event, hash) VALUES (3, 1, 'x', zeroblob(32))",
        "UPDATE audit_ends SET removed = 5", "UPDATE audit_ends SET removed = 99, removed_hash = zeroblob(32)",
    ])
    func `no statement of the service's own connection changes the audit`(sql: String) async throws {
        let folder = try ScratchFolder()
        let database = try open(folder)
        try await append(5, to: database)
        await #expect(throws: StorageError.self) { try await database.write { try $0.execute(sql: sql) } }
        #expect(try await verify(database).rows == 5)
    }

    @Test func `nothing is written behind ends that are gone`() async throws {
        let folder = try ScratchFolder()
        let database = try open(folder)
        try await append(2, to: database)
        try await folder.outsider().writeWithoutTransaction { database in
            for name in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
                try database.execute(sql: "DROP TRIGGER \(name)")
            }
            try database.execute(sql: "DELETE FROM audit_ends")
        }
        let failure = await #expect(throws: StorageError.self) { try await append(1, to: database) }
        #expect(failure?.code == .corrupt)
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit") } == 2)
    }

    @Test func `a column that comes later leaves older hashes as they are`() async throws {
        let folder = try ScratchFolder()
        try await append(3, to: try open(folder))
        let wider = try folder.open([
            Self.audit, ScratchFolder.leases,
            Migration("wider", "ALTER TABLE audit ADD COLUMN place TEXT"),
        ])
        let chain = AuditChain(columns: ["at", "event", "detail", "place"])
        try await wider.write { try chain.append(Self.row(4) + ["here".databaseValue], in: $0) }
        #expect(try await verify(wider).rows == 4)
    }

    private func sweeper(_ database: SQLiteDatabase, now: Int64) -> Sweeper {
        Sweeper(
            database: database, sweeps: [], holder: "a", now: { now }, logger: Logger(label: "test"), pause: { _ in })
    }

    @Test func `the retention removes a prefix in batches and leaves an anchor`() async throws {
        let folder = try ScratchFolder()
        let database = try open(folder)
        try await append(300, to: database)
        let removed = try await sweeper(database, now: 2 * 86_400 + 200).pass(AuditRetention(days: 2))
        #expect(removed == 200)
        #expect(try await verify(database).rows == 100)
        try await append(1, to: database)
        #expect(try await verify(database).newest == 301)
        #expect(try await tamper(folder, "DELETE FROM audit WHERE number = 201") == "row 201: is missing")
    }

    @Test func `an audit that was removed whole goes on where it was`() async throws {
        let folder = try ScratchFolder()
        let database = try open(folder)
        try await append(70, to: database)
        #expect(try await sweeper(database, now: 1 << 40).pass(AuditRetention(days: 1)) == 70)
        try await append(2, to: database)
        let found = try await verify(database)
        #expect(found.rows == 2 && found.newest == 72)
    }
}
