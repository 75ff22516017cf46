import CopyTargets
import Foundation
import GRDB
import Logging
import SQLiteStore
import Storage
import Synchronization
import TestSupport
import Testing
import TokenTables
import UserTables

@testable import ContinuousCopy

/// Two databases with services' schemas, a folder as the target, and a clock that the test sets.
final class CopyFixture {
    let folder: String
    let databases: [DatabaseLocation]
    private(set) var open: [SQLiteDatabase] = []
    let target: ScriptedTarget
    var now: Int64 = 1_000_000

    /// - Parameter target: Another deployment's target; `nil` for one of its own.
    init(_ folder: String, target: ScriptedTarget? = nil) throws {
        self.folder = folder
        databases = [
            DatabaseLocation(
                name: "tokens.sqlite", path: folder + "/data/tokens.sqlite", migrations: TokenDatabase.fileSteps),
            DatabaseLocation(
                name: "users.sqlite", path: folder + "/data/users.sqlite", migrations: UserDatabase.fileSteps),
        ]
        self.target = try target ?? ScriptedTarget(folder + "/target")
        try start()
    }

    /// Opens the databases as the services do.
    func start(checkpointRows: Int = 5) throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        open = try zip(databases, [TokenDatabase.fileSteps, UserDatabase.fileSteps]).map { database, steps in
            try SQLiteDatabase.open(
                path: database.path, migrations: steps + [Self.items], logger: logger, checkpointRows: checkpointRows)
        }
    }

    /// Ends all processes that have the databases open.
    func stop() { open = [] }

    private static let items = Migration("items", "CREATE TABLE items (name TEXT PRIMARY KEY, text TEXT)")

    func add(_ names: some Sequence<String>, bytes: Int = 1_000) async throws {
        let text = String(repeating: "x", count: bytes)
        for database in open {
            for name in names {
                try await database.write { try $0.run("INSERT INTO items VALUES ($1, $2)", name, text) }
            }
        }
    }

    /// Creates a copier, which stores one slice of a whole copy in each turn that continues a point.
    func copier(
        partBytes: Int = 1 << 20, takesOver: Bool = false, in data: String = "data", keepSeconds: Int64 = 604_800
    ) throws -> Copier {
        let settings = CopierSettings(
            databases: databases.map { .init(name: $0.name, path: $0.path) }, folder: folder + "/" + data,
            target: target.path, seal: CopyFormatTests.seal, interval: .zero,
            keepSeconds: keepSeconds, takesOver: takesOver, partBytesMax: partBytes)
        return try Copier(
            settings, target: target, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            clock: { [unowned self] in now })
    }

    /// Rebuilds a point and checks it as a backup; returns the names of the rows in each database.
    func restored(at time: Int64? = nil) async throws -> [Set<String>] {
        let scratch = folder + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
        let point = try #require(PointPlan.point(try await CopyPointName.all(at: target), at: time))
        let replay = CopyReplay(target: target, seal: CopyFormatTests.seal, folder: scratch)
        let chain = try await replay.chain(to: point)
        for database in databases {
            try await replay.rebuild(database.name, from: chain, at: scratch + "/" + database.name)
        }
        _ = try Backup.complete(databases.map(\.name), in: scratch, createdAt: point.time)
        return try databases.map { database in
            try DatabaseQueue(path: scratch + "/" + database.name).read {
                Set(try String.fetchAll($0, sql: "SELECT name FROM items"))
            }
        }
    }

    /// Adds a row each time, and makes turns until there is a point for which `isLast` is true.
    func copy(with copier: Copier, _ prefix: String, until isLast: (CopyPointName) -> Bool) async throws -> [String] {
        var names: [String] = []
        repeat {
            names.append("\(prefix)-\(names.count)")
            try await add(names.suffix(1))
            now += 10
            try await copier.turn()
            try #require(names.count < 1_000)
        } while try await !points.contains(where: isLast)
        return names
    }

    var points: [CopyPointName] { get async throws { try await CopyPointName.all(at: target) } }
}

/// Runs `body` with a fixture in a scratch folder.
func withFixture(_ body: (CopyFixture) async throws -> Void) async throws {
    try await withScratchFolder { folder in
        let fixture = try CopyFixture(folder)
        try await body(fixture)
        fixture.stop()
    }
}

extension Copier {
    /// Makes a turn, and returns why it failed.
    func failure() async -> CopyFailure.Reason? {
        do throws(CopyFailure) {
            try await turn()
            return nil
        } catch { return error.reason }
    }
}

/// A folder as a target that fails as the test says.
final class ScriptedTarget: CopyTarget {
    let path: String
    private let folder: any CopyTarget
    private let failures = Mutex<[(text: String, failure: CopyTargetFailure, isStored: Bool)]>([])
    private let sizes = Mutex<[Int]>([])
    private let listings = Mutex<[String]>([])
    private let delay = Mutex<Duration>(.zero)

    init(_ path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        folder = try CopyTargetAddress(path).open(CopyCredentials())
    }

    /// The sizes of stored files, in their order.
    var storedSizes: [Int] { sizes.withLock { $0 } }

    /// The prefixes of all listings.
    var listedPrefixes: [String] { listings.withLock { $0 } }

    /// Makes the next `put` take a while.
    func delayNext(_ duration: Duration) { delay.withLock { $0 = duration } }

    /// Makes the next `put` of a name that contains a text fail.
    func failNext(_ text: String, _ reason: CopyTargetFailure.Reason, isStored: Bool = false) {
        failures.withLock { $0.append((text, CopyTargetFailure(reason, "as the test says"), isStored)) }
    }

    func put(_ path: String, as name: String) async throws(CopyTargetFailure) {
        let pause = delay.withLock { delay in
            defer { delay = .zero }
            return delay
        }
        if pause > .zero { try? await Task.sleep(for: pause) }
        let next = failures.withLock { failures in
            failures.firstIndex { name.contains($0.text) }.map { failures.remove(at: $0) }
        }
        if next?.isStored ?? true { try await folder.put(path, as: name) }
        if let next { throw next.failure }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
        sizes.withLock { $0.append(size) }
    }

    func get(_ name: String, to path: String, bytesMax: Int) async throws(CopyTargetFailure) {
        try await folder.get(name, to: path, bytesMax: bytesMax)
    }
    func list(_ prefix: String) async throws(CopyTargetFailure) -> [CopyTargetFile] {
        listings.withLock { $0.append(prefix) }
        return try await folder.list(prefix)
    }
    func remove(_ names: [String]) async throws(CopyTargetFailure) { try await folder.remove(names) }
}
