import CryptoPrimitives
import Foundation
import GRDB
import Logging
import Policies
import PostgreSQL
import PrivateFiles
import Storage
import Synchronization
import TestSupport
import Testing
import TokenCore

@testable import ControlCore
@testable import SQLiteStore
@testable import TokenTables
@testable import UserTables

/// The two services whose files can be moved.
enum MovedService: CaseIterable, Sendable {
    case token, user

    var schema: DatabaseSchema { self == .token ? .token : .user }
    var rules: CopyRules { self == .token ? .token : .user }
    var fileMigrations: [Migration] {
        self == .token ? TokenDatabase.fileSteps : UserDatabase.fileSteps
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
        ).withWriter(body)
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
            ? TokenDatabase.openExclusively(path, now: 1_000) : UserDatabase.openExclusively(path, now: 1_000)
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
            file.tables(), CopyTarget(schema, migrations: service.schema.migrations).columns(), service.rules)
    }
}

// MARK: - Rows

extension MoveUnderTest {
    private static let ownRows = CopyRules.startedTables.union(["audit", "audit_slots"])

    /// Puts two rows into every table: one with all values, and one without those that may be missing.
    private func fill() async throws {
        let (plan, service) = (try plan(), service)
        try await change { database in
            for table in plan.tables where !Self.ownRows.contains(table.name) {
                for row in 1...2 {
                    let columns = table.columns
                    try database.execute(
                        sql: """
                            INSERT INTO \(table.name) (\(columns.map(\.expression).joined(separator: ", ")))
                            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                            """,
                        arguments: StatementArguments(columns.map { Self.value(of: $0, in: table.name, row) }))
                }
            }
            try Self.addRecords(4, service, in: database)
            try database.execute(sql: "UPDATE restore_floor SET epoch = 77")
            if service == .token { try database.execute(sql: "UPDATE session_blocks SET last = 12") }
            if service == .user { try database.execute(sql: "UPDATE decision_count SET last = 900000") }
        }
    }

    /// Adds audit records in all forms: with and without values, and with an id of another form.
    static func addRecords(_ count: Int, _ service: MovedService, in database: Database) throws {
        let chain = AuditChain(columns: service.auditColumns)
        for number in 0..<count {
            let id = service == .token && number == 1 ? otherID : [UInt8](repeating: UInt8(number), count: 16)
            let values: [SQLValue] =
                [.integer(Int64(1_000 + number)), .text("event"), .bytes(id)]
                + service.auditColumns.dropFirst(3).map { column in
                    guard number % 2 == 1 else { return .null }
                    return column == "sid" ? .bytes([UInt8](repeating: 1, count: 16)) : .text("détail \(number)")
                }
            try SQLiteTransaction.run(in: database) { try chain.append(values, in: $0) }
        }
    }

    /// An id of another form than this deployment's, as token-service stores it.
    private static let otherID = StoredUserID.padded(Array("usr_1".utf8))

    private static func bytes(_ seed: Int, _ count: Int) -> DatabaseValue {
        Data([UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: count)).databaseValue
    }

    private static func value(of column: CopyPlan.Column, in table: String, _ row: Int) -> DatabaseValue {
        if row == 2, !column.target.isNotNull { return .null }
        if row == 2, column.target.name == "user_id", table == "sessions" { return Data(otherID).databaseValue }
        switch column.type {
        case .bigint: return (1_000 * row + column.target.name.utf8.count).databaseValue
        case .boolean: return (row % 2).databaseValue
        case .text: return "\(column.target.name) \(row) é 🎈".databaseValue
        case .bytea:
            let lengths = [
                "account_links.hash": 32, "sessions.sid": 12, "clients.sid": 12, "clients.secret": 32,
                "clients.older_secret": 32, "passkeys.key": 32, "recovery_codes.code": 32,
            ]
            return bytes(row, lengths["\(table).\(column.target.name)"] ?? 16)
        }
    }

    /// The rows of a table of the file, with all values as texts.
    func rowsOfFile(_ table: CopyPlan.Table) throws -> [String] {
        let values = table.columns.map { column in
            let value = column.expression
            return """
                CASE typeof(\(value)) WHEN 'null' THEN '-' WHEN 'blob' THEN lower(hex(\(value))) ELSE CAST(\(value) AS TEXT) END
                """
        }
        let queue = try DatabaseQueue(path: path)
        return try queue.read {
            try String.fetchAll($0, sql: "SELECT \(values.joined(separator: " || '|' || ")) FROM \(table.name)")
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
