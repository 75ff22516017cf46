import CryptoPrimitives
import Foundation
import GRDB
import PrivateFiles
import Storage

/// A private copy of a database file: one file, without a write-ahead log.
struct DatabaseCopy {
    /// How many seconds the source may be locked, which happens only while it is recovered after a crash.
    private static let busySeconds: TimeInterval = 10

    let path: String

    /// Copies a snapshot of `source`, while others write to it.
    ///
    /// In one step of SQLite's backup interface, under one read transaction: writers go on, and their log grows until the
    /// copy is done.
    static func take(of source: String, to path: String) throws -> DatabaseCopy {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busySeconds)
        guard FileFacts.byteCount(source) > 0 else { throw FileFailure("\(source) is missing or empty") }
        let reader = try DatabaseQueue(path: source, configuration: configuration)
        try PrivateFile.create(path)
        let copy = DatabaseCopy(path: path)
        try copy.withWriter { writer in
            try reader.backup(to: writer)
            try copy.leaveLogMode(writer)
        }
        try reader.close()
        try PrivateFile.sync(path)
        return copy
    }

    /// Makes a file that consists of a database's pages one that is complete without a log.
    func finish() throws {
        try withWriter(leaveLogMode)
        try PrivateFile.sync(path)
    }

    /// The header says WAL, like the source's.
    private func leaveLogMode(_ writer: DatabaseQueue) throws {
        try writer.writeWithoutTransaction { database in
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
            guard mode == "delete" else { throw FileFailure("\(path) stays in mode \(mode ?? "none")") }
        }
    }

    /// Checks every page, every reference and every audit row.
    func check() throws -> AuditVerification.Slot {
        try withWriter { writer in
            try writer.read { database in
                let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
                if let first = findings.first { throw FileFailure("\(path) is damaged: \(first)") }
                guard try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil else {
                    throw FileFailure("\(path) is damaged: a row refers to one that is not there")
                }
                do { return try AuditVerification.ofFile(SQLiteReader(database)) } catch {
                    throw FileFailure("\(path): the audit has been changed: \(StorageError(error).message)")
                }
            }
        }
    }

    /// Returns the copy's `RestoreFloor`.
    func restoreFloor() throws -> Int64 {
        try withWriter { writer in try writer.read { try RestoreFloor.number(in: $0) } }
    }

    /// Makes the service that opens the file next invalidate everything below `floor`.
    func raiseFloor(to floor: Int64) throws {
        try withWriter { writer in
            try writer.writeWithoutTransaction { try RestoreFloor.raise(to: floor, in: $0) }
        }
        try PrivateFile.sync(path)
    }

    /// Makes the service that opens the file next remove these users before it serves anything.
    func order(removalsOf ids: [[UInt8]]) throws {
        try withWriter { writer in
            try writer.write { try OrderedRemovals.order(ids, in: $0) }
        }
        try PrivateFile.sync(path)
    }

    /// Makes the service that opens the file next apply these security decisions before it serves anything.
    func order(decisions rows: [OrderedDecision]) throws {
        try withWriter { writer in
            try writer.write { try OrderedDecisions.order(rows, in: $0) }
        }
        try PrivateFile.sync(path)
    }

    private func withWriter<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let value = try body(queue)
        try queue.close()
        return value
    }
}
