import CryptoPrimitives
import Foundation
import GRDB
import Logging
import Policies
import PostgreSQL
import PrivateFiles
import SQLiteStore
import Storage
import Synchronization
import TestSupport
import Testing
import TokenCore
import TokenPostgres
import UserPostgres

@testable import ControlCore
@testable import TokenSQLite
@testable import UserSQLite

/// The two services whose files can be moved.
enum MovedService: CaseIterable, Sendable {
    case token, user

    var schema: DatabaseSchema { self == .token ? .token : .user }
    var rules: CopyRules { self == .token ? .token : .user }
    var fileMigrations: [SQLiteStore.Migration] {
        self == .token ? TokenSchema.migrations : UserSchema.migrations
    }
    /// The columns of the audit's content.
    var auditColumns: [String] {
        self == .token
            ? ["at", "event", "user_id", "sid", "detail"]
            : ["at", "event", "subject", "method", "session_id", "request_id", "detail"]
    }
}

/// A new file of a service, and an empty migrated schema on the server that all tests share.
final class MoveUnderTest: Sendable {
    let service: MovedService
    let path: String
    let schema: PostgreSQLConfiguration
    private let folder: String
    private let printed = Mutex<[String]>([])

    private init(_ service: MovedService, _ schema: PostgreSQLConfiguration) throws {
        self.service = service
        self.schema = schema
        folder = FileManager.default.temporaryDirectory.path + "/latchkey-move-\(UUID().uuidString)"
        path = URL(filePath: folder).resolvingSymlinksInPath().path(percentEncoded: false) + "/data.sqlite"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// - Parameter isFilled: whether every table of the file has two rows.
    static func make(_ service: MovedService, isFilled: Bool = true) async throws -> MoveUnderTest {
        let home = try MoveUnderTest(service, try await newSchema(service))
        try await home.change { _ in }
        if isFilled { try await home.fill() }
        return home
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
    }

    static func newSchema(_ service: MovedService) async throws -> PostgreSQLConfiguration {
        try await PostgreSQLServer.newSchema(service.schema.migrations, connections: 2)
    }

    var lines: [String] { printed.withLock { $0 } }

    /// Opens the file as a service does, and changes it.
    func change<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let value = try await SQLiteDatabase.open(
            path: path, migrations: service.fileMigrations, logger: Logger(label: "test")
        ).write(body)
        try await untilClosed()
        return value
    }

    /// Waits until this process has closed the file, which the threads of a store do a moment after its last use.
    func untilClosed() async throws {
        try await eventually("the file is closed") {
            try !FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { number in
                // One that was closed meanwhile has no link.
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target?.hasPrefix(path) == true
            }
        }
    }

    /// Moves the file, or another one into the same schema, as the command does.
    func move(from other: String? = nil) throws {
        let path = other ?? path
        let file =
            try service == .token
            ? TokenSQLite.openExclusively(path, now: 1_000) : UserSQLite.openExclusively(path, now: 1_000)
        defer { #expect(throws: Never.self) { try file.close() } }
        try FileMove(
            file: file, schema: service.schema, rules: service.rules, configuration: schema,
            print: { line in self.printed.withLock { $0.append(line) } }
        ).run(now: 1_000)
    }

    /// Runs a statement in the schema, as the superuser.
    func sql(_ text: String) async throws -> String {
        try await PostgreSQLServer.sharedServer().psql("SET search_path = \"\(schema.schema)\"; \(text)")
    }

    /// Opens the schema as the service's engine does, once the server has noticed that a move has ended.
    func openSchema() async throws -> PostgreSQLDatabase {
        var opened: PostgreSQLDatabase?
        try await eventually("the server has noticed the end of the move") {
            opened = try openUnlessBusy()
            return opened != nil
        }
        return try opened ?? open()
    }

    private func openUnlessBusy() throws -> PostgreSQLDatabase? {
        do { return try open() } catch let error as StorageError {
            guard error.code == .busy else { throw error }
            return nil
        }
    }

    private func open() throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase.open(schema, migrations: service.schema.migrations, logger: Logger(label: "test"))
    }

    func plan() throws -> CopyPlan {
        let file = try ExclusiveFile.open(path, migrations: service.fileMigrations) { _, _ in }
        defer { #expect(throws: Never.self) { try file.close() } }
        return try CopyPlan(
            file.tables(), CopyTarget(schema, migrations: service.schema.migrations).tables(), service.rules)
    }
}

// MARK: - Rows

extension MoveUnderTest {
    private static let chainTables: Set = ["audit", "audit_slots", "restore_floor"]

    /// Puts two rows into every table: one with all values, and one without those that may be missing.
    private func fill() async throws {
        let (plan, service) = (try plan(), service)
        try await change { database in
            for table in plan.tables where !Self.chainTables.contains(table.name) {
                for row in 1...2 {
                    let columns = table.columns
                    try database.execute(
                        sql: """
                            INSERT INTO \(table.source) (\(columns.map(\.expression).joined(separator: ", ")))
                            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                            """,
                        arguments: StatementArguments(columns.map { Self.value(of: $0, in: table.name, row) }))
                }
            }
            try Self.addRecords(4, service, in: database)
            try database.execute(sql: "UPDATE restore_floor SET epoch = 77")
        }
    }

    /// Adds audit records in all forms: with and without values, and with an id of another form.
    static func addRecords(_ count: Int, _ service: MovedService, in database: Database) throws {
        let chain = SQLiteStore.AuditChain(columns: service.auditColumns)
        for number in 0..<count {
            let id: DatabaseValue = service == .token && number == 1 ? "usr_1".databaseValue : bytes(number, 16)
            let values: [DatabaseValue] =
                [(1_000 + number).databaseValue, "event".databaseValue, id]
                + (3..<service.auditColumns.count).map { position in
                    let text: DatabaseValue = "détail \(number)".databaseValue
                    let isSession = service.auditColumns[position] == "sid"
                    return number % 2 == 0 ? .null : isSession ? bytes(number, 16) : text
                }
            try chain.append(values, in: database)
        }
    }

    private static func bytes(_ seed: Int, _ count: Int) -> DatabaseValue {
        Data([UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: count)).databaseValue
    }

    private static func value(of column: CopyPlan.Column, in table: String, _ row: Int) -> DatabaseValue {
        if row == 2, !column.target.isNotNull { return .null }
        if row == 2, column.acceptsIDText { return "usr_1".databaseValue }
        switch column.type {
        case .bigint: return (1_000 * row + column.target.name.utf8.count).databaseValue
        case .boolean: return (row % 2).databaseValue
        case .text: return "\(column.target.name) \(row) é 🎈".databaseValue
        case .bytea:
            let lengths = ["account_links.hash": 32, "sessions.sid": 12]
            return bytes(row, lengths["\(table).\(column.target.name)"] ?? 16)
        }
    }

    /// The rows of a table of the file, with all values as texts.
    func rowsOfFile(_ table: CopyPlan.Table) throws -> [String] {
        let values = table.columns.map { column in
            let value = column.expression
            let padded = "hex(\(value)) || substr('\(String(repeating: "00", count: 17))', 1 + 2 * length(\(value)))"
            return """
                CASE typeof(\(value)) WHEN 'null' THEN '-' WHEN 'blob' THEN lower(hex(\(value)))
                WHEN 'text' THEN \(column.type == .bytea ? "lower(\(padded))" : value) ELSE CAST(\(value) AS TEXT) END
                """
        }
        let queue = try DatabaseQueue(path: path)
        return try queue.read {
            try String.fetchAll($0, sql: "SELECT \(values.joined(separator: " || '|' || ")) FROM \(table.source)")
        }.sorted()
    }

    /// The rows of a table of the schema, in the same form.
    func rowsOfSchema(_ table: CopyPlan.Table) async throws -> [String] {
        let values = table.columns.map { column in
            let name = "\"\(column.target.name)\""
            let text =
                switch column.type {
                case .bytea: "encode(\(name), 'hex')"
                case .boolean: "\(name)::int::text"
                case .bigint, .text: "\(name)::text"
                }
            return "coalesce(\(text), '-')"
        }
        return try await sql("SELECT \(values.joined(separator: " || '|' || ")) FROM \"\(table.name)\"")
            .split(separator: "\n").map(String.init).sorted()
    }
}
