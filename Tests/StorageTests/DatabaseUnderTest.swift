import Foundation
import Logging
import PostgreSQL
import SQLiteStore
import Storage
import TestSupport
import TokenTables

/// A database of one kind with the tables of token-service, whose audit and leases are used here, and a few more.
final class DatabaseUnderTest: Sendable {
    private static let more = SQL(
        sqlite: """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, part BLOB);
            CREATE TABLE numbered (id INTEGER PRIMARY KEY, expires_at INTEGER NOT NULL);
            CREATE TABLE named (id BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE lettered (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID
            """,
        postgreSQL: """
            CREATE TABLE items (id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, part bytea);
            CREATE TABLE numbered (id bigint PRIMARY KEY, expires_at bigint NOT NULL);
            CREATE TABLE named (id bytea PRIMARY KEY, expires_at bigint NOT NULL);
            CREATE TABLE lettered (id text COLLATE "C" PRIMARY KEY, expires_at bigint NOT NULL)
            """)

    let kind: DatabaseKind
    /// The schema, if it is one of PostgreSQL.
    private let schema: PostgreSQLConfiguration?
    private let folder: String
    /// The database, as the first process has it open.
    let database: any StorageDatabase

    /// The file, if it is one of SQLite.
    var path: String { folder + "/test.sqlite" }
    /// The first slot of its audit.
    var firstSlot: Int64 { kind == .sqlite ? AuditSlot.ofFile : 1 }

    init(_ kind: DatabaseKind) async throws {
        self.kind = kind
        schema = kind == .sqlite ? nil : try await PostgreSQLServer.newSchema(Self.steps(of: kind))
        folder = FileManager.default.temporaryDirectory.path + "/latchkey-storage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        database = try Self.open(kind, path: folder + "/test.sqlite", schema)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
    }

    private static func steps(of kind: DatabaseKind) -> [Migration] {
        kind == .sqlite
            ? TokenDatabase.fileSteps + [Migration("more", more.sqlite)]
            : TokenDatabase.schemaSteps + [Migration("more", more.postgreSQL)]
    }

    /// Opens the database, as one more replica does.
    func open() throws -> any StorageDatabase { try Self.open(kind, path: path, schema) }

    private static func open(
        _ kind: DatabaseKind, path: String, _ schema: PostgreSQLConfiguration?
    ) throws -> any StorageDatabase {
        let (migrations, logger) = (steps(of: kind), Logger(label: "test"))
        guard let schema else { return try SQLiteDatabase.open(path: path, migrations: migrations, logger: logger) }
        return try PostgreSQLDatabase.open(schema, migrations: migrations, logger: logger)
    }
}

extension StorageDatabase {
    /// Runs the statements of a text, separated by semicolons, in one transaction.
    func run(_ text: String) async throws {
        let statements = text.split(separator: ";").map { Statement(SQL(String($0))) }
        try await write { try $0.run(statements) }
    }

    /// Returns the integer that a statement selects.
    func integer(_ sql: SQL) async throws -> Int64? { try await read { try $0.rows(sql).first?.integer(0) } }

    func add(_ id: Int64, _ name: String) async throws {
        try await write { try $0.run("INSERT INTO items (id, name) VALUES ($1, $2)", id, name) }
    }

    /// The names of all items, in the order of their ids.
    func names() async throws -> [String] {
        try await read { try $0.rows("SELECT name FROM items ORDER BY id").map { $0.text(0) } }
    }

    /// Makes the leases older, as if time had passed.
    func age(_ seconds: Int64) async throws {
        try await write { try $0.run("UPDATE leases SET until = until - $1", seconds) }
    }
}
