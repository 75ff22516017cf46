import CoreMetrics
import Foundation
import GRDB
import Logging
import ServiceKit
import Storage
import Synchronization
import TestSupport

@testable import SQLiteStore

/// The load by one process of the run: its clients write rows through our own engine, which makes checkpoints all the time,
/// and read each row back before they write it again.
struct CheckpointLoad: Codable, Sendable {
    /// The observations of a process.
    struct Report: Codable {
        var cycles = 0
        var impossibleStates = 0
        var lostRows = 0
        var acknowledged = 0
        /// The last acknowledged value of each cell, by the number of its row.
        var values: [Int: Int] = [:]
    }

    /// A few rows, so that the log restarts after a few frames and its states change hundreds of times a second.
    private static let checkpointRows = 4
    private static let clients = 4
    private static let cellsPerClient = 12
    /// A cell has a page of its own.
    private static let cellBytes = 3_000
    static let processes = 2

    let folder: String
    let process: Int
    /// Cycles that this process begins before it stops.
    let cycles: Int
    let seed: UInt64

    var path: String { folder + "/rows.sqlite" }
    private func reportPath(of process: Int) -> String { "\(folder)/report-\(process).json" }

    private static let migration = Migration(
        "cells",
        """
        CREATE TABLE cells (id INTEGER PRIMARY KEY, value INTEGER NOT NULL, filler BLOB NOT NULL);
        CREATE TABLE entries (id INTEGER PRIMARY KEY, process INTEGER NOT NULL);
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(processes * clients * cellsPerClient - 1))
        INSERT INTO cells SELECT i, 0, randomblob(\(cellBytes)) FROM n
        """)

    /// Runs until this process has begun its cycles and the others have begun theirs, then writes its report.
    func run() async throws {
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        WideWindow.open()
        let database = try SQLiteDatabase.open(
            path: path, migrations: [Self.migration], logger: Logger(label: "checkpoints"),
            checkpointRows: Self.checkpointRows)
        let (report, isOver) = (SharedReport(), Flag())
        let watch = try FastWatch(path: path) {
            report.update { $0.impossibleStates += 1 }
            isOver.set()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            group.addTask {
                while !isOver.isSet {
                    // Emptying the log is a checkpoint as well.
                    database.wipeRemoved()
                    await database.boundLog()
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for client in 0..<Self.clients {
                    clients.addTask { try await write(client, to: database, report, until: isOver) }
                }
                try await awaitCycles(metrics, report, isOver)
                try await clients.waitForAll()
            }
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        watch.stop()
        try save(report)
    }

    private func write(
        _ client: Int, to database: SQLiteDatabase, _ report: SharedReport, until isOver: Flag
    ) async throws {
        let first = (process * Self.clients + client) * Self.cellsPerClient
        var generator = SeededGenerator(seed: seed &+ UInt64(first))
        var values = [Int](repeating: 0, count: Self.cellsPerClient)
        while !isOver.isSet {
            let cell = Int.random(in: 0..<Self.cellsPerClient, using: &generator)
            let (id, value) = (first + cell, values[cell])
            guard let found = try await replace(id, by: value + 1, in: database) else { continue }
            values[cell] += 1
            report.update { report in
                report.acknowledged += 1
                report.values[id] = value + 1
                if found != value { report.lostRows += 1 }
            }
        }
    }

    /// Writes a cell and an entry.
    ///
    /// - Returns: The previous contents of the cell, or `nil` if the other process had the file for too long.
    private func replace(_ id: Int, by value: Int, in database: SQLiteDatabase) async throws -> Int? {
        do {
            return try await database.withWriter { [process] database in
                let found = try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT value FROM cells WHERE id = ?"), arguments: [id])
                try database.cachedStatement(
                    sql: "UPDATE cells SET value = ?, filler = randomblob(\(Self.cellBytes)) WHERE id = ?"
                ).execute(arguments: [value, id])
                try database.cachedStatement(sql: "INSERT INTO entries (process) VALUES (?)")
                    .execute(arguments: [process])
                return found
            }
        } catch let error as StorageError where error.code == .busy { return nil }
    }

    /// Stops the clients once all processes have begun their cycles, or one has found something wrong.
    private func awaitCycles(_ metrics: MetricsRegistry, _ report: SharedReport, _ isOver: Flag) async throws {
        while !isOver.isSet {
            let begun = Self.cycles(metrics)
            report.update { $0.cycles = begun }
            if begun >= cycles || report.value.lostRows > 0 { try save(report) }
            let reports = (0..<Self.processes).filter { FileManager.default.fileExists(atPath: reportPath(of: $0)) }
            if reports.count == Self.processes { isOver.set() }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func save(_ report: SharedReport) throws {
        try JSONEncoder().encode(report.value).write(to: URL(filePath: reportPath(of: process)), options: .atomic)
    }

    private static func cycles(_ metrics: MetricsRegistry) -> Int {
        let name = "sqlite_checkpoint_cycles_total "
        let line = metrics.prometheusText().split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }

    /// The report of a process, and what of its acknowledged rows is not in the file.
    func result() throws -> Report {
        var report = try JSONDecoder().decode(
            Report.self, from: Data(contentsOf: URL(filePath: reportPath(of: process))))
        let queue = try DatabaseQueue(path: path)
        let (values, entries) = try queue.read { database in
            (
                try Row.fetchAll(database, sql: "SELECT id, value FROM cells"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM entries WHERE process = \(process)") ?? 0
            )
        }
        let found = [Int: Int](uniqueKeysWithValues: values.map { ($0["id"], $0["value"]) })
        report.lostRows += report.values.count { found[$0.key] != $0.value }
        report.lostRows += max(0, report.acknowledged - entries)
        try queue.close()
        return report
    }
}

/// A report that clients add to.
final class SharedReport: Sendable {
    private let report = Mutex(CheckpointLoad.Report())

    var value: CheckpointLoad.Report { report.withLock { $0 } }
    func update(_ change: (inout CheckpointLoad.Report) -> Void) { report.withLock { change(&$0) } }
}
