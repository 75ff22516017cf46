import Foundation
import GRDB
import GRDBSQLite
package import PrivateFiles
package import Storage

/// A database file that no other process can open, to move its data elsewhere.
///
/// The lock is SQLite's own and lasts until the file is closed: a service that starts meanwhile is refused, as long as the
/// data is moved.
package final class ExclusiveFile {
    /// A column of a table.
    package struct Column: Sendable, Equatable {
        package let name: String
        /// Whether it belongs to the primary key.
        package let isKey: Bool

        package init(name: String, isKey: Bool) { (self.name, self.isKey) = (name, isKey) }
    }

    package let path: String
    private let queue: DatabaseQueue

    private init(path: String, queue: DatabaseQueue) { (self.path, self.queue) = (path, queue) }

    /// Returns the names of the tables in a file, without changing it.
    package static func tables(in path: String) throws(FileFailure) -> Set<String> {
        try require(path)
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let names = try queue.read { try Set(String.fetchAll($0, sql: Self.tableNames)) }
            try queue.close()
            return names
        } catch { throw failure(error, path) }
    }

    /// Opens a file and does what a service does at its start: it brings the schema up to date and acts on a restore.
    ///
    /// - Throws: `FileFailure` if a process has the file open, if it is damaged or not one that this release can
    ///   use, or if its data was moved already.
    package static func open(
        _ path: String, migrations: [Migration], afterRestore: (_ floor: Int64, any Transaction) throws -> Void
    ) throws(FileFailure) -> ExclusiveFile {
        try refuseWhileInUse(path)
        do {
            try Migration.requireUsable(for: migrations, inFile: path)
            let queue = try DatabaseQueue(path: path, configuration: configuration())
            try queue.writeWithoutTransaction { database in
                try check(database)
                guard try MovedMark.target(in: database) == nil else { return }
                try Migration.run(migrations, in: database)
                try RestoreFloor.afterRestore(in: database, afterRestore)
            }
            return ExclusiveFile(path: path, queue: queue)
        } catch { throw failure(error, path) }
    }

    /// Closes the file, which ends the lock.
    package func close() throws(FileFailure) {
        do { try queue.close() } catch { throw Self.failure(error, path) }
    }
}

// MARK: - Reading

extension ExclusiveFile {
    private static let tableNames = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"

    /// Returns where the data was moved to, or `nil` if it was not moved.
    package func movedTo() throws(FileFailure) -> String? { try read { try MovedMark.target(in: $0) } }

    /// Returns all tables with their columns.
    package func tables() throws(FileFailure) -> [String: [Column]] {
        try read { database in
            var tables: [String: [Column]] = [:]
            for table in try String.fetchAll(database, sql: Self.tableNames) {
                tables[table] = try Row.fetchAll(
                    database, sql: "SELECT name, pk > 0 FROM pragma_table_info(?) ORDER BY cid", arguments: [table]
                ).map { Column(name: $0[0], isKey: $0[1]) }
            }
            return tables
        }
    }

    /// Returns the highest number that a row of a table ever had, also if the row is gone.
    package func lastNumber(of table: String) throws(FileFailure) -> Int64 {
        let counted = table == "audit" ? "newest FROM audit_slots" : "seq FROM sqlite_sequence WHERE name = '\(table)'"
        return try read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT max(coalesce((SELECT \(counted)), 0), coalesce((SELECT max(rowid) FROM \"\(table)\"), 0))")
                ?? 0
        }
    }

    /// Calls `body` with each row of `SELECT columns FROM rest`.
    package func forEach(
        _ columns: [String], from rest: String, _ body: ([StoredValue]) throws -> Void
    ) throws {
        try queue.writeWithoutTransaction { database in
            let rows = try StoredRow.fetchCursor(
                database, sql: "SELECT \((["1"] + columns).joined(separator: ", ")) FROM \(rest)")
            while let row = try rows.next() { try body(row.values) }
        }
    }

    /// Checks the audit from its anchor to its newest record.
    package func verifyAudit() throws(FileFailure) -> AuditVerification.Slot {
        try read { database in
            do { return try AuditVerification.ofFile(SQLiteReader(database)) } catch {
                throw FileFailure("\(self.path): the audit has been changed: \(StorageError(error).message)")
            }
        }
    }

    /// Notes in the file that its data was moved; services that open it refuse from then on.
    package func markMoved(to target: String) throws(FileFailure) {
        try read { try MovedMark.set(target, in: $0) }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws(FileFailure) -> Value {
        do { return try queue.writeWithoutTransaction(body) } catch { throw Self.failure(error, path) }
    }
}

// MARK: - Opening

extension ExclusiveFile {
    private static func require(_ path: String) throws(FileFailure) {
        guard FileFacts.byteCount(path) > 0 else { throw FileFailure("\(path) is missing or empty") }
    }

    /// Before SQLite opens the file: closing another descriptor of it would end SQLite's locks.
    private static func refuseWhileInUse(_ path: String) throws(FileFailure) {
        try require(path)
        let folder = URL(filePath: FileFacts.target(of: path)).deletingLastPathComponent()
        for folder in [folder, folder.deletingLastPathComponent()]
        where FileUse.isSupervised(folder.path(percentEncoded: false)) {
            throw FileFailure("a supervisor runs on \(folder.path(percentEncoded: false)): stop it first")
        }
        guard try !FileUse.isOpenElsewhere(path) else { throw inUse(path) }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // Before the first read: SQLite then locks the whole file, which fails while another process has it open.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA secure_delete = ON")
            SQLFunctions.add(to: database)
        }
        return configuration
    }

    private static func check(_ database: Database) throws {
        let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        if let first = findings.first { throw StorageError(.corrupt, "it is damaged: \(first)") }
        guard try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil else {
            throw StorageError(.corrupt, "it is damaged: a row refers to a row that does not exist")
        }
    }

    private static func inUse(_ path: String) -> FileFailure {
        FileFailure("\(path) is in use: stop the services first")
    }

    private static func failure(_ error: any Error, _ path: String) -> FileFailure {
        if let failure = error as? FileFailure { return failure }
        let known = StorageError(error)
        return known.code == .busy ? inUse(path) : FileFailure("\(path): \(known.message)")
    }
}
