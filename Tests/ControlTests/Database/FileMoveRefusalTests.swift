import GRDB
import Logging
import PostgreSQL
import PrivateFiles
import SQLiteStore
import Storage
import Testing
import TokenTables

@testable import ControlCore

/// A move's refusals, and how it goes on after an interruption.
@Suite(.timeLimit(.minutes(5))) struct FileMoveRefusalTests {
    /// Returns why a move fails, after which nothing is in the schema and the file can be used.
    private func refusal(_ home: MoveUnderTest, from other: String? = nil) async throws -> String {
        do {
            try home.move(from: other)
            return "it was moved"
        } catch {
            try await home.change { _ in }
            return "\(error)"
        }
    }

    private func expectEmpty(_ home: MoveUnderTest) async throws {
        for table in ["copied_file", "sessions", "audit"] {
            #expect(try await home.sql("SELECT count(*) FROM \(table)") == "0", "\(table)")
        }
    }

    @Test func `nothing is copied while a service runs on either side`() async throws {
        let home = try await MoveUnderTest.make(.token)
        do {
            let open = try SQLiteDatabase.open(
                path: home.path, migrations: home.service.fileMigrations, logger: Logger(label: "test"))
            let failure = #expect(throws: FileFailure.self) { try home.move() }
            #expect(failure.map { "\($0)" }?.hasSuffix("data.sqlite is in use: stop the services first") == true)
            _ = await open.problem()
        }
        try await home.untilClosed()
        do {
            let open = try await home.openSchema()
            let text = try await refusal(home)
            #expect(text.contains("stop the services first"), "\(text)")
            _ = await open.problem()
        }
        try await expectEmpty(home)
        try home.move()
    }

    @Test func `only an empty schema is filled`() async throws {
        let home = try await MoveUnderTest.make(.token)
        _ = try await home.sql("INSERT INTO used_grants VALUES ('a', 1, 1)")
        let text = try await refusal(home)
        #expect(text.contains("is not empty: used_grants has rows"), "\(text)")
        #expect(try await home.sql("SELECT count(*) FROM copied_file") == "0")
        #expect(try await home.sql("SELECT count(*) FROM used_grants") == "1")
    }

    @Test func `a schema that was not migrated names the command`() async throws {
        let home = try await MoveUnderTest.make(.token, isFilled: false)
        _ = try await home.sql("DROP SCHEMA \"\(home.schema.schema)\" CASCADE")
        let text = try await refusal(home)
        #expect(text.contains("Run latchkeyctl database migrate"), "\(text)")
    }

    @Test func `rows that PostgreSQL cannot hold are named, and nothing is copied`() async throws {
        let home = try await MoveUnderTest.make(.user)
        try await home.change { database in
            try database.execute(
                sql: """
                    UPDATE users SET name = 'a' || char(0) || 'b' WHERE id = x'\(String(repeating: "01", count: 16))';
                    UPDATE identities SET value = CAST(x'80' AS TEXT) WHERE user_id = x'\(String(repeating: "02", count: 16))';
                    UPDATE registrations SET expires_at = 1.5 WHERE name IS NULL;
                    INSERT INTO audit_moved VALUES ('\(String(repeating: "k", count: 3_000))', 1)
                    """)
        }
        let text = try await refusal(home)
        let parts = [
            "PostgreSQL cannot hold 4 rows; nothing was copied",
            "users, id x'\(String(repeating: "01", count: 16))': name contains U+0000",
            ": value is not UTF-8", "expires_at does not have the type bigint", "the key is longer than",
        ]
        for part in parts { #expect(text.contains(part), "\(part) is not in \(text)") }
        #expect(try await home.sql("SELECT count(*) FROM copied_file") == "0")
        #expect(try await home.sql("SELECT count(*) FROM users") == "0")
    }

    @Test func `an audit that was changed is not copied`() async throws {
        let home = try await MoveUnderTest.make(.token)
        let queue = try DatabaseQueue(path: home.path)
        try await queue.write {
            try $0.execute(sql: "UPDATE audit SET detail = 'x' WHERE number = 3")
        }
        try queue.close()
        let text = try await refusal(home)
        #expect(text.contains("the audit has been changed: slot 0: record 3"), "\(text)")
        try await expectEmpty(home)
    }

    @Test func `an unfinished copy is not used by services, and is begun again`() async throws {
        let home = try await MoveUnderTest.make(.token)
        let other = try await MoveUnderTest.make(.token)
        // A copy that was killed after its rows were durable leaves this state.
        _ = try await home.sql(
            """
            INSERT INTO copied_file (id, path, digest, begun_at) VALUES (1, '\(home.path)', '', 1);
            INSERT INTO used_grants VALUES ('of the copy before', 1, 1)
            """)
        let waiting = await #expect(throws: StorageError.self) { try await home.openSchema() }
        #expect(waiting?.message.contains("is not finished. Run latchkeyctl database copy again") == true)
        #expect(waiting?.code == .schema)
        let text = try await refusal(home, from: other.path)
        #expect(text.contains("has an unfinished copy of \(home.path)"), "\(text)")
        try home.move()
        #expect(home.lines.contains("an earlier copy was not finished: beginning again"))
        #expect(try await home.sql("SELECT count(*) FROM used_grants") == "2")
        _ = try await home.openSchema()
    }

    @Test func `a copy that lacks only the mark in the file gets it, unless the file was used since`() async throws {
        let home = try await MoveUnderTest.make(.token)
        func unmark() throws {
            let queue = try DatabaseQueue(path: home.path)
            try queue.write { try $0.execute(sql: "DROP TABLE moved_to") }
            try queue.close()
        }
        try home.move()
        try unmark()
        _ = try await home.sql("INSERT INTO used_grants VALUES ('later', 1, 1)")
        try home.move()
        #expect(try await home.sql("SELECT count(*) FROM used_grants") == "3")
        await #expect(throws: StorageError.self) { try await home.change { _ in } }
        try unmark()
        try await home.change { try $0.execute(sql: "UPDATE user_epochs SET epoch = epoch + 1") }
        let text = try await refusal(home)
        #expect(text.contains("has a finished copy of \(home.path) as it was then"), "\(text)")
    }

    @Test func `a lost connection leaves nothing, and the next attempt succeeds`() async throws {
        let home = try await MoveUnderTest.make(.token)
        _ = try await home.sql(
            """
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
                PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $f$;
            CREATE TRIGGER cut BEFORE INSERT ON version_floors FOR EACH ROW EXECUTE FUNCTION cut()
            """)
        let text = try await refusal(home)
        #expect(text.contains("terminat") || text.contains("clos"), "\(text)")
        #expect(try await home.sql("SELECT count(*) FROM sessions") == "0")
        await #expect(throws: StorageError.self) { try await home.openSchema() }
        _ = try await home.sql("DROP TRIGGER cut ON version_floors")
        try home.move()
        #expect(try await home.sql("SELECT count(*) FROM sessions") == "2")
    }

    @Test func `a table in use is waited for two seconds, and then nothing is copied`() async throws {
        let home = try await MoveUnderTest.make(.token)
        let dump = try await MoveUnderTest.make(.token, isFilled: false)
        // A dump of the database holds such a lock until its end.
        try await dump.openSchema().write { transaction in
            _ = try transaction.rows(SQL("SELECT 1 FROM \"\(home.schema.schema)\".sessions"))
            let error = #expect(throws: StorageError.self) { try home.move() }
            #expect(error?.code == .busy && error?.message.hasSuffix("was in use for 2 s. Run it again") == true)
        }
        #expect(try await home.sql("SELECT count(*) FROM sessions") == "0")
        try home.move()
    }

    @Test func `an error of the server is reported as it is`() async throws {
        let home = try await MoveUnderTest.make(.token)
        _ = try await home.sql("ALTER TABLE sessions ADD CHECK (locator < 1500)")
        let text = try await refusal(home)
        #expect(text.contains("violates check constraint"), "\(text)")
    }
}
