import FoundationEssentials
import GRDB
import Logging
import SQLiteStore

/// The cost of one durable commit of one row: an immediate transaction with `synchronous=FULL`, through our group commit.
package enum CommitCost {
    private static let commitsPerRound = 200
    private static let migration = Migration(
        "bench", "CREATE TABLE bench (id INTEGER PRIMARY KEY, token BLOB NOT NULL) STRICT")

    /// CPU µs of all threads, and µs until it was answered.
    package struct Round: Sendable {
        package let cpu: Double
        package let wall: Double
    }

    /// So many rounds of commits one after another, in a file of its own in `folder`.
    package static func measure(rounds: Int, in folder: String) async throws -> [Round] {
        let path = folder + "/commit-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do {
            let measured = try await measure(rounds: rounds, file: path + "/bench.sqlite")
            try FileManager.default.removeItem(atPath: path)
            return measured
        } catch {
            try FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    private static func measure(rounds: Int, file: String) async throws -> [Round] {
        let database = try SQLiteDatabase.open(path: file, migrations: [migration], logger: Logger(label: "bench"))
        var measured: [Round] = []
        for _ in 0..<rounds {
            let (cpu, start) = (Machine.ownMicroseconds, ContinuousClock.now)
            for _ in 0..<commitsPerRound { try await commit(to: database) }
            measured.append(
                Round(
                    cpu: (Machine.ownMicroseconds - cpu) / Double(commitsPerRound),
                    wall: (ContinuousClock.now - start) / .microseconds(1) / Double(commitsPerRound)))
        }
        return measured
    }

    /// A row of 32 bytes, as a token's hash has.
    private static func commit(to database: SQLiteDatabase) async throws {
        try await database.write { database in
            try database.execute(sql: "INSERT INTO bench (token) VALUES (randomblob(32))")
        }
    }
}
