import Foundation
import GRDB
import Logging
import SQLiteStore
import Storage
import TestSupport
import Testing

@Suite struct WriteAheadLogTests {
    private static let bytesMax: Int64 = 1 << 20

    private func walBytes(_ folder: ScratchFolder) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.databasePath + "-wal")
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private func fill(_ database: SQLiteDatabase, round: Int) async throws {
        for part in 0..<40 {
            try await database.write { database in
                for number in 0..<100 {
                    let name = "\(round)-\(part)-\(number)-" + String(repeating: "x", count: 1_000)
                    try database.run("INSERT INTO items (name) VALUES ($1)", name)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a reader that stays lets the log grow, holds up no write, and when it ends the log is folded`() async throws {
        let folder = try ScratchFolder()
        let database = try SQLiteDatabase.open(
            path: folder.databasePath, migrations: [ScratchFolder.items], logger: Logger(label: "test"),
            walBytesMax: Self.bytesMax)
        let reader = try folder.outsider()
        try await reader.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM items")
        }
        try await fill(database, round: 0)
        // 20 ms are waited for the reader, who ends only afterwards; the rest is the folding of what can be folded.
        try await promptly("a look at the log") { await database.boundLog() }
        #expect(try walBytes(folder) > Int(Self.bytesMax))
        try await database.add("goes on")

        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        await database.boundLog()
        #expect(try walBytes(folder) == 0)
        try await fill(database, round: 1)
        #expect(try await database.integrityProblems() == [])
    }
}
