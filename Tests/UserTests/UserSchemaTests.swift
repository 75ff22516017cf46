import AuthAPI
import GRDB
import Logging
import SQLiteStore
import TestSupport
import Testing

@testable import UserCore
@testable import UserSQLite

@Suite struct UserSchemaTests {
    private static let rows = """
        INSERT INTO users VALUES (x'0102030405060708090a0b0c0d0e0f10', x'a102030405060708090a0b0c0d0e0f10', 'Ann',
            'ann@example.org', 1, 'admin', 1, 3, 4, 5, 6, 7, 8);
        INSERT INTO identities VALUES ('phone', '+15551234567', x'0102030405060708090a0b0c0d0e0f10', 9, 10);
        INSERT INTO resolutions VALUES ('attested', x'0102030405060708090a0b0c0d0e0f10', 1, 0, 11);
        """
    /// The tables, with the columns that exist both before and after the newest steps.
    private static let tables = [
        """
        (SELECT id, pseudonym, name, email, is_checker, role, is_active, epoch, version, created_at, updated_at,
            deletion_requested_at, deletion_due_at FROM users)
        """, "(SELECT kind, value, user_id, created_at, last_used_at FROM identities)",
        "(SELECT attestation_id, user_id, is_new_user, restored, expires_at FROM resolutions)",
    ]

    @Test func `what a file held before its newest steps is as it was, and a user still takes identities along`()
        async throws
    {
        let fixture = try UserFixture()
        let path = fixture.folder + "/older.sqlite"
        let before = try await fill(path, fixture.logger)
        let database = try SQLiteDatabase.open(path: path, migrations: UserSchema.migrations, logger: fixture.logger)
        #expect(try await contents(database) == before)
        #expect(try await database.integrityProblems().isEmpty)
        #expect(try await indexes(database) == ["identities_by_user", "users_by_deletion", "users_by_legacy_id"])
        try await database.write { try $0.execute(sql: "DELETE FROM users") }
        #expect(try await contents(database).map(\.count) == [0, 0, 1])
    }

    @Test func `isChecker becomes an attribute, and a replica of 0_6 on the same file reads and writes it still`()
        async throws
    {
        let fixture = try UserFixture()
        let path = fixture.folder + "/older.sqlite"
        _ = try await fill(path, fixture.logger)
        let database = try SQLiteDatabase.open(path: path, migrations: UserSchema.migrations, logger: fixture.logger)
        let store = SQLiteUserStore(database: database)
        let id = try #require(UserID(bytes: (1...16).map { $0 }))
        var user = try #require(try await store.user(id))
        #expect(user.attributes == UserAttributes(["isChecker": .boolean(true)]))
        for isChecker in [false, true] {
            user.attributes["isChecker"] = .boolean(isChecker)
            user.attributes["plan"] = .string("pro")
            try await database.write { [user] in try UserRows(database: $0).update(user) }
            #expect(try await isCheckerColumn(database) == (isChecker ? 1 : 0))
        }
        for isChecker in [false, true] {
            try await database.write { try $0.execute(sql: "UPDATE users SET name = 'B', is_checker = \(isChecker)") }
            let attributes = try await store.user(id)?.attributes
            #expect(attributes?.values == ["isChecker": .boolean(isChecker), "plan": .string("pro")])
            #expect(try await isCheckerColumn(database) == (isChecker ? 1 : 0))
        }
        // Of another type, it is false to the older one.
        for other in [AttributeValue.string("yes"), .integer(7)] {
            user.attributes["isChecker"] = other
            try await database.write { [user] in try UserRows(database: $0).update(user) }
            #expect(try await store.user(id)?.attributes["isChecker"] == other)
            #expect(try await isCheckerColumn(database) == 0)
        }
        // And unset.
        user.attributes = UserAttributes()
        try await database.write { [user] in try UserRows(database: $0).update(user) }
        #expect(try await isCheckerColumn(database) == 0)
        #expect(try await store.user(id)?.attributes.isEmpty == true)
    }

    @Test func `numbers get their canonical form once, where it is free`() async throws {
        let fixture = try UserFixture()
        let path = fixture.folder + "/older.sqlite"
        let steps = UserSchema.migrations.prefix { $0.name != "canonical numbers" }
        #expect(steps.count < UserSchema.migrations.count)
        let older = try SQLiteDatabase.open(path: path, migrations: Array(steps), logger: fixture.logger)
        let numbers = [
            "+541140206271", "+5491140206272", "+541140206272", "+551187654321", "+551133334444", "+3750291234567",
            "+15551234567", "+22507123456",
        ]
        try await older.write { [numbers] database in
            for (place, number) in numbers.enumerated() {
                let id = "x'\(String(repeating: "0", count: 31))\(place)'"
                try database.execute(
                    sql: """
                        INSERT INTO users (id, pseudonym, is_checker, role, is_active, epoch, version, created_at,
                            updated_at) VALUES (\(id), \(id), 0, 'user', 1, 1, 1, 1, 1);
                        INSERT INTO identities VALUES ('phone', '\(number)', \(id), 1, 1)
                        """)
            }
            try database.execute(
                sql: """
                    INSERT INTO identities VALUES ('email', '+541140206271@x.io', x'\(String(repeating: "0", count: 32))', 1, 1);
                    INSERT INTO invitations VALUES ('phone', '+551187654321', x'\(String(repeating: "1", count: 32))', 'user', 9)
                    """)
        }
        let database = try SQLiteDatabase.open(path: path, migrations: UserSchema.migrations, logger: fixture.logger)
        let stored = try await database.read {
            try String.fetchAll($0, sql: "SELECT value FROM identities WHERE kind = 'phone' ORDER BY user_id")
        }
        #expect(
            stored == [
                "+5491140206271", "+5491140206272", "+541140206272", "+5511987654321", "+551133334444", "+375291234567",
                "+15551234567", "+22507123456",
            ])
        let others = try await database.read {
            try String.fetchAll(
                $0, sql: "SELECT value FROM identities WHERE kind = 'email' UNION ALL SELECT value FROM invitations")
        }
        #expect(others == ["+541140206271@x.io", "+5511987654321"])
    }

    private func isCheckerColumn(_ database: SQLiteDatabase) async throws -> Int? {
        try await database.read { try Int.fetchOne($0, sql: "SELECT is_checker FROM users") }
    }

    @Test func `an index leads to a user's phone, in order`() async throws {
        let fixture = try UserFixture()
        let plan = try await fixture.database.read { try QueryPlan.of(UserRows.byID, in: $0) }
        #expect(plan.contains("identities_by_user (user_id=? AND kind=?)") && !plan.contains("TEMP"), "\(plan)")
    }

    @Test func `a page of users is a walk along their ids, wherever it begins`() async throws {
        let fixture = try UserFixture()
        for (sql, walk) in [
            (SQLiteUserStore.newestIDs, "SCAN users"),
            (SQLiteUserStore.olderIDs, "SEARCH users USING PRIMARY KEY (id<?)"),
        ] {
            let plan = try await fixture.database.read { try QueryPlan.of(sql, in: $0) }
            #expect(plan == walk, "\(plan)")
        }
    }

    /// A file as it was while resolutions had indexes.
    private func fill(_ path: String, _ logger: Logger) async throws -> [[String]] {
        let steps = UserSchema.migrations.prefix { $0.name != "lean resolutions" }
        let older = try SQLiteDatabase.open(path: path, migrations: Array(steps), logger: logger)
        #expect(try await indexes(older).count == 3)
        try await older.write { try $0.execute(sql: Self.rows) }
        return try await contents(older)
    }

    private func contents(_ database: SQLiteDatabase) async throws -> [[String]] {
        try await database.read { database in
            try Self.tables.map { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { String(describing: $0) }
            }
        }
    }

    private func indexes(_ database: SQLiteDatabase) async throws -> [String] {
        let query = """
            SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
            AND tbl_name IN ('users', 'identities', 'resolutions')
            """
        return try await database.read { try String.fetchAll($0, sql: query) }
    }
}
