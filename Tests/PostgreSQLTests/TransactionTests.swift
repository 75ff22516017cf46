import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// Transactions on a real server.
@Suite(.timeLimit(.minutes(5))) struct TransactionTests {
    @Test func `arrays arrive as they were sent`() async throws {
        let database = try await DatabaseUnderTest().open()
        let parts = try await database.read { reading in
            try reading.rows(
                "SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[])", SQLValue.integers([-1, 2]),
                SQLValue.byteStrings([nil, [7]]), SQLValue.texts(["x", "ö"])
            ).map { "\($0.integer(0)) \($0.optionalBytes(1) ?? []) \($0.text(2))" }
        }
        #expect(parts == ["-1 [] x", "2 [7] ö"])
    }

    @Test func `a deadlock is undone and tried again`() async throws {
        let test = try await DatabaseUnderTest()
        let database = try test.open()
        for id in 1...2 as ClosedRange<Int64> { try await database.add(id, "\(id)") }
        let attempts = Mutex(0)
        // Each of the two waits until both have their first row.
        _ = try await concurrently(2) { number in
            try await database.write { transaction in
                // Well before the time limit of a statement, also on a busy machine.
                try transaction.run("SET LOCAL deadlock_timeout = '50ms'")
                let update: SQL = "UPDATE items SET part = $2 WHERE id = $1 RETURNING 1"
                _ = try transaction.rows(update, 1 + number, [UInt8(number)])
                let isFirstTry = attempts.withLock { attempts in
                    attempts += 1
                    return attempts <= 2
                }
                while isFirstTry, attempts.withLock({ $0 }) < 2 { pauseThread() }
                _ = try transaction.rows(update, 2 - number, [UInt8(number)])
            }
        }
        // The server may end both, if both notice the deadlock before one has given way.
        #expect(attempts.withLock { $0 } >= 3)
    }

    @Test func `locks are taken in one order, whatever order they are named in`() async throws {
        let database = try await DatabaseUnderTest().open()
        let locks = (0..<8).map { AdvisoryLock(.identity, "\($0)") } + [AdvisoryLock(.user, "0")]
        try await withThrowingTaskGroup { group in
            for _ in 0..<24 {
                group.addTask {
                    let shuffled = locks.shuffled()
                    try await database.write { $0.lock(shuffled) }
                }
            }
            try await group.waitForAll()
        }
        let deadlocks = try await database.read { reading in
            try reading.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
                .first?.integer(0)
        }
        // Other tests of this server make one on purpose.
        #expect((deadlocks ?? 0) <= 1)
    }

    @Test func `an empty schema is refused, and one that is complete is left as it is`() async throws {
        let test = try await DatabaseUnderTest()
        let schema = "\"\(test.configuration.schema)\""
        _ = try await PostgreSQLServer.sharedServer().psql("DROP SCHEMA \(schema) CASCADE; CREATE SCHEMA \(schema)")
        #expect { try test.open() } throws: { "\($0)".contains("Run latchkeyctl database migrate") }
        for _ in 0..<2 { try Migration.run([DatabaseUnderTest.items], test.configuration) }
        try await test.open().add(1, "a")
    }

    @Test func `a server that can lose commits is refused in production`() async throws {
        let test = try await DatabaseUnderTest(durability: .settings)
        #expect { try test.open() } throws: { "\($0)".contains("fsync is off") }
    }

    @Test(arguments: [
        ("postgres://postgres@127.0.0.1:1/postgres", "refused"),
        ("postgres://nobody@127.0.0.1:PORT/postgres", "nobody"),
        ("postgres://postgres@127.0.0.1:PORT/none", "none"),
        ("postgres://postgres@nowhere.invalid/db", "nowhere.invalid"),
    ])
    func `a start that fails says why in one line`(_ address: String, _ word: String) async throws {
        let port = try await PostgreSQLServer.sharedServer().port
        let url = try DatabaseURL(address.replacing("PORT", with: "\(port)"))
        let configuration = PostgreSQLConfiguration(
            url: url, schema: "s", isProduction: false, durability: .unchecked)
        #expect { try PostgreSQLDatabase.open(configuration, migrations: [], logger: .init(label: "test")) } throws: {
            let error = $0 as? StorageError
            return error?.code == .io && error?.message.contains(word) == true && error?.message.contains("\n") == false
        }
    }
}
