import Foundation
import GRDB
import Logging
import PrivateFiles
import Storage
import Synchronization
import Testing
import TokenTables

@testable import SQLiteStore

/// Tells writers to stop.
private final class End: Sendable {
    private let state = Mutex(false)

    var isReached: Bool { state.withLock { $0 } }
    func reach() { state.withLock { $0 = true } }
}

@Suite struct BackupTests {
    private static let migrations = [
        TokenDatabase.fileSteps[0], ScratchFolder.items,
    ]
    private static let chain = AuditChain(columns: ["at", "event"])
    private static let name = "test.sqlite"

    private func open(
        _ folder: String, afterRestore: ((Int64, any Transaction) throws -> Void)? = nil
    ) throws -> SQLiteDatabase {
        try SQLiteDatabase.open(
            path: folder + "/" + Self.name, migrations: Self.migrations, logger: Logger(label: "test"),
            afterRestore: afterRestore)
    }

    private func add(_ number: Int, to database: SQLiteDatabase) async throws {
        try await database.write { transaction in
            try transaction.run("INSERT INTO items (name) VALUES ($1)", "\(number)")
            try Self.chain.append([.integer(Int64(number)), .text("added")], in: transaction)
        }
    }

    private static func databases(in folder: String) -> [DatabaseLocation] {
        [DatabaseLocation(name: name, path: folder + "/" + name, migrations: migrations)]
    }

    private func backup(of folder: ScratchFolder, to target: String, at now: Int64 = 100) throws -> BackupManifest {
        try Backup(of: Self.databases(in: folder.path)).take(to: folder.path + "/" + target, now: now)
    }

    private func restore(
        _ folder: ScratchFolder, _ from: String, to data: String, at now: Int64 = 5_000
    ) throws -> Int64 {
        let target = folder.path + "/" + data
        return try Restore(
            from: folder.path + "/" + from, dataDirectory: target, databases: Self.databases(in: target)
        ).run(now: now)
    }

    @Test func `a backup under writes is one moment: as many rows as audit records`() async throws {
        let folder = try ScratchFolder()
        let database = try open(folder.path)
        let end = End()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var number = writer
                    while !end.isReached {
                        try await add(number, to: database)
                        number += 4
                    }
                }
            }
            for round in 0..<5 {
                let manifest = try backup(of: folder, to: "b\(round)")
                let copy = try DatabaseQueue(path: "\(folder.path)/b\(round)/\(Self.name)")
                let items = try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM items") }
                #expect(items == manifest.files.first?.auditRows)
            }
            end.reach()
            try await group.waitForAll()
        }
    }

    @Test func `files are the owner's alone, nothing is overwritten, and nothing lies beside them`() async throws {
        let folder = try ScratchFolder()
        try await add(1, to: try open(folder.path))
        _ = try backup(of: folder, to: "b")
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/b").sorted() == ["manifest.json", Self.name])
        for name in ["manifest.json", Self.name] {
            let mode = try files.attributesOfItem(atPath: folder.path + "/b/" + name)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
        #expect(throws: FileFailure.self) { try backup(of: folder, to: "b") }
    }

    @Test func `a restored file begins a new epoch once, above every earlier one, and is missed when it is lost`()
        async throws
    {
        let folder = try ScratchFolder()
        try await add(1, to: try open(folder.path))
        _ = try backup(of: folder, to: "b")
        #expect(try restore(folder, "b", to: "new") == 5_000)
        let begun = Mutex<[Int64]>([])
        for _ in 0..<2 {
            let database = try open(folder.path + "/new") { epoch, _ in begun.withLock { $0.append(epoch) } }
            #expect(try await database.withReader { try RestoreFloor.number(in: $0) } == 5_000)
            #expect(try await database.names() == ["1"])
        }
        #expect(begun.withLock { $0 } == [5_000])
        try FileManager.default.removeItem(atPath: folder.path + "/new/" + Self.name)
        #expect(throws: StorageError.self) { try open(folder.path + "/new") }
    }

    @Test func `an epoch that cannot begin stops the start and is begun by the next one`() async throws {
        struct Refused: Error {}
        let folder = try ScratchFolder()
        try await add(1, to: try open(folder.path))
        _ = try backup(of: folder, to: "b")
        _ = try restore(folder, "b", to: "new")
        #expect(throws: StorageError.self) { try open(folder.path + "/new") { _, _ in throw Refused() } }
        let begun = Mutex(0)
        _ = try open(folder.path + "/new") { _, _ in begun.withLock { $0 += 1 } }
        #expect(begun.withLock { $0 } == 1)
    }

    @Test func `databases in folders of their own are restored all or none`() async throws {
        let folder = try ScratchFolder()
        let databases = ["one", "two"].map {
            DatabaseLocation(name: $0, path: "\(folder.path)/\($0)/\(Self.name)", migrations: Self.migrations)
        }
        var open: [SQLiteDatabase] = []
        for database in databases {
            let own = URL(filePath: database.path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
            open.append(try self.open(own.path()))
        }
        for (number, database) in open.enumerated() { try await add(number, to: database) }
        for target in ["b", "damaged"] { _ = try Backup(of: databases).take(to: folder.path + "/" + target, now: 100) }
        for database in open { try await add(7, to: database) }
        open.removeAll()
        try Data("another".utf8).write(to: URL(filePath: folder.path + "/damaged/two"))
        func restore(_ name: String) throws -> Int64 {
            try Restore(from: folder.path + "/" + name, dataDirectory: folder.path, databases: databases).run(
                now: 5_000)
        }
        #expect(throws: FileFailure.self) { try restore("damaged") }
        #expect(try await items(databases) == [["0", "7"], ["1", "7"]])
        #expect(try restore("b") == 5_000)
        #expect(try await items(databases) == [["0"], ["1"]])
    }

    private func items(_ databases: [DatabaseLocation]) async throws -> [[String]] {
        try databases.map { database in
            try DatabaseQueue(path: database.path).read {
                try String.fetchAll($0, sql: "SELECT name FROM items ORDER BY id")
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func `root restores for the owner of the folder`() async throws {
        let folder = try ScratchFolder()
        try await add(1, to: open(folder.path))
        _ = try backup(of: folder, to: "backup")
        let data = folder.path + "/data"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        try FileManager.default.setAttributes(
            [.ownerAccountID: 4_711, .groupOwnerAccountID: 4_712], ofItemAtPath: data)
        _ = try restore(folder, "backup", to: "data")
        let facts = try FileManager.default.attributesOfItem(atPath: data + "/" + Self.name)
        #expect(facts[.ownerAccountID] as? Int == 4_711)
        #expect(facts[.groupOwnerAccountID] as? Int == 4_712)
    }

    @Test func `what was there stays beside the restored file with its log`() async throws {
        let folder = try ScratchFolder()
        try await add(1, to: try open(folder.path))
        _ = try backup(of: folder, to: "b")
        let data = folder.path + "/data"
        _ = try restore(folder, "b", to: "data")
        try Data("not this one's".utf8).write(to: URL(filePath: "\(data)/\(Self.name)-wal"))
        _ = try restore(folder, "b", to: "data", at: 6_000)
        let names = try FileManager.default.contentsOfDirectory(atPath: data).sorted()
        #expect(
            names == [
                Self.name, "\(Self.name).created", "\(Self.name).replaced-6000", "\(Self.name).replaced-6000-wal",
            ])
    }

    @Test(arguments: ["flipped", "missing", "manifest missing", "audit cut", "format"])
    func `a backup that is not as it was made is refused and nothing is touched`(damage: String) async throws {
        let folder = try ScratchFolder()
        let database = try open(folder.path)
        for number in 0..<3 { try await add(number, to: database) }
        _ = try backup(of: folder, to: "b")
        try inflict(damage, on: URL(filePath: folder.path + "/b"))
        #expect(throws: FileFailure.self) { try restore(folder, "b", to: "data") }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/data/\(Self.name)"))
    }

    private func inflict(_ damage: String, on folder: URL) throws {
        let (file, manifest) = (folder.appending(path: Self.name), folder.appending(path: "manifest.json"))
        switch damage {
        case "missing": try FileManager.default.removeItem(at: file)
        case "manifest missing": try FileManager.default.removeItem(at: manifest)
        case "flipped":
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: file)
        case "format":
            let text = try String(contentsOf: manifest, encoding: .utf8)
            try text.replacing("\"format\" : 1", with: "\"format\" : 2").write(
                to: manifest, atomically: true, encoding: .utf8)
        default:
            let text = try String(contentsOf: manifest, encoding: .utf8)
            try text.replacing("\"auditNewest\" : 3", with: "\"auditNewest\" : 4")
                .write(to: manifest, atomically: true, encoding: .utf8)
        }
    }

    @Test func `a file that another process has open is not replaced`() async throws {
        let folder = try ScratchFolder()
        try await add(1, to: try open(folder.path))
        _ = try backup(of: folder, to: "b")
        _ = try restore(folder, "b", to: "data")
        let path = "\(folder.path)/data/\(Self.name)"
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/sqlite3")
        holder.arguments = [path]
        let (input, output) = (Pipe(), Pipe())
        (holder.standardInput, holder.standardOutput) = (input, output)
        try holder.run()
        defer { holder.terminate() }
        input.fileHandleForWriting.write(Data("PRAGMA journal_mode = WAL; SELECT count(*) FROM items;\n".utf8))
        _ = output.fileHandleForReading.availableData
        #expect(throws: FileFailure.self) { try restore(folder, "b", to: "data") }
    }

    @Test func `a full disk is called so, whatever SQLite says of it`() {
        for message in ["not an error", "database or disk is full"] {
            let failure = FileFailure(any: DatabaseError(resultCode: .SQLITE_FULL, message: message))
            #expect(failure.description.hasPrefix("the disk is full"))
        }
        let other = FileFailure(any: DatabaseError(resultCode: .SQLITE_IOERR, message: "disk I/O error"))
        #expect(other.description == "io: disk I/O error")
    }
}
