import Foundation
import GRDB
import Logging
import PrivateFiles
import Release
import Storage
import Testing
import TokenTables

@testable import SQLiteStore

/// A file that the first step of today's schema has not begun is refused, and stays as it is.
@Suite struct EarlierStateTests {
    private static let first = Migration.first("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
    private static let earlier = Migration.first("CREATE TABLE items (id INTEGER PRIMARY KEY)")
    private static let names = "CREATE TABLE schema_migrations (name TEXT PRIMARY KEY) WITHOUT ROWID"
    private static let steps = """
        CREATE TABLE schema_migrations
            (name TEXT PRIMARY KEY, release TEXT NOT NULL, needs_release TEXT NOT NULL) WITHOUT ROWID
        """

    /// A file with one step, which a release has run.
    private static func state(_ step: String, by release: String = Release.version, needs: String = "") -> String {
        "\(steps); INSERT INTO schema_migrations VALUES ('\(step)', '\(release)', '\(needs)')"
    }

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let states = [
        "CREATE TABLE items (id INTEGER PRIMARY KEY)",
        // The steps of a working state, with and without their tables.
        "\(names); INSERT INTO schema_migrations VALUES ('users'), ('leases'); CREATE TABLE users (id INTEGER PRIMARY KEY)",
        "\(names); INSERT INTO schema_migrations VALUES ('\(first.name)'); \(first.sql)", names, steps,
        // Version 1 as it was before an edit, also with today's table.
        "\(state(earlier.name)); \(earlier.sql)", "\(state(earlier.name)); \(first.sql)",
        "\(state("version 1")); \(first.sql)",
        "CREATE TABLE schema_migrations (step TEXT); INSERT INTO schema_migrations VALUES ('\(first.name)')",
        "CREATE TABLE moved_to (target TEXT NOT NULL)",
    ]

    /// The bytes of a file and its log, by their names; the index of the log is no content.
    private func contents(_ path: String) -> [String: Data] {
        ["", "-wal"].reduce(into: [:]) { contents, suffix in
            let data = FileManager.default.contents(atPath: path + suffix)
            if let data, !data.isEmpty { contents[suffix] = data }
        }
    }

    /// Makes the folder's file. Rows stay in its log, as after a crash, if another connection has it open meanwhile.
    private func make(_ sql: String, inWAL: Bool, killed: Bool) throws {
        let made = killed ? folder.path + "/running.sqlite" : folder.databasePath
        let queue = try DatabaseQueue(path: made)
        try queue.writeWithoutTransaction { database in
            if inWAL { try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0") }
            try database.execute(sql: sql)
        }
        if killed {
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: made + suffix, toPath: folder.databasePath + suffix)
            }
        }
        try queue.close()
    }

    private func open(_ migrations: [Migration] = [first]) throws(StorageError) -> SQLiteDatabase {
        try SQLiteDatabase.open(path: folder.databasePath, migrations: migrations, logger: Logger(label: "test"))
    }

    @Test(arguments: states)
    func `a file of an earlier working state is refused, and nothing in it is changed`(state: String) throws {
        for (inWAL, killed) in [(false, false), (true, false), (true, true)] {
            for suffix in ["", "-wal", "-shm"] { try PrivateFile.remove(folder.databasePath + suffix) }
            try make(state, inWAL: inWAL, killed: killed)
            let before = contents(folder.databasePath)
            #expect(before.count == (killed ? 2 : 1))
            let refusal = #expect(throws: StorageError.self) { try open() }
            #expect(refusal?.code == .other && refusal?.message.hasPrefix("it \(FirstStep.refusal).") == true)
            let move = #expect(throws: FileFailure.self) {
                _ = try ExclusiveFile.open(folder.databasePath, migrations: [Self.first]) { _, _ in }
            }
            #expect(move?.description.contains("\(folder.databasePath): it \(FirstStep.refusal).") == true)
            #expect(contents(folder.databasePath) == before, "\(inWAL), \(killed)")
            #expect(!FileManager.default.fileExists(atPath: folder.databasePath + ".created"))
        }
    }

    @Test(arguments: [
        (state("gone", by: "0.9.0"), "was last changed by Latchkey 0.9.0"),
        (state("gone", by: "99.0.0"), "was migrated for newer releases"),
        (state(first.name, needs: "99.0.0-rc.2") + "; \(first.sql)", "Run Latchkey 99.0.0-rc.2 or newer"),
    ])
    func `a file of a release that is too old or newer names the release to use, and is not changed`(
        state: String, words: String
    ) throws {
        try make(state, inWAL: true, killed: false)
        let before = contents(folder.databasePath)
        let refusal = #expect(throws: StorageError.self) { try open() }
        #expect(refusal?.code == .schema && refusal?.message.contains(words) == true)
        let location = DatabaseLocation(name: "a", path: folder.databasePath, migrations: [Self.first])
        let backup = #expect(throws: FileFailure.self) {
            try Backup(of: [location]).take(to: folder.path + "/b", now: 1)
        }
        #expect(backup?.description.contains(words) == true)
        #expect(contents(folder.databasePath) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.databasePath + ".created"))
    }

    @Test func `a file of this version is opened, also one with steps of a newer release`() async throws {
        let database = try open()
        try await database.add("kept")
        let second = Migration("second", "ALTER TABLE items ADD COLUMN place TEXT")
        let newer = try open([Self.first, second])
        for database in [newer, try open(), try open([Self.first, second])] {
            #expect(try await database.names() == ["kept"])
            let steps = try await database.read { try $0.rows(SchemaState.list).map { [$0.text(0), $0.text(1)] } }
            #expect(steps.contains([Self.first.name, Release.version]) && steps.contains(["second", Release.version]))
        }
        try await newer.write { try $0.run("UPDATE items SET place = 'here'") }
    }

    @Test func `a backup is neither taken of such a file nor restored from one`() throws {
        let schema = TokenDatabase.fileSteps[0].sql
        let now = DatabaseLocation(name: "a", path: folder.databasePath, migrations: [Migration.first(schema + ";")])
        let then = DatabaseLocation(name: "a", path: folder.databasePath, migrations: [Migration.first(schema)])
        _ = try open(then.migrations)
        let (early, none, data) = (folder.path + "/early", folder.path + "/none", folder.path + "/data")
        _ = try Backup(of: [then]).take(to: early, now: 1)
        let refusals = [
            #expect(throws: FileFailure.self) { try Backup(of: [now]).take(to: none, now: 1) },
            #expect(throws: FileFailure.self) {
                try Restore(
                    from: early, dataDirectory: data,
                    databases: [
                        DatabaseLocation(name: "a", path: data + "/a", migrations: now.migrations)
                    ]
                ).run(now: 9)
            },
        ]
        for refusal in refusals { #expect(refusal?.description.contains(": it \(FirstStep.refusal).") == true) }
        #expect(!FileManager.default.fileExists(atPath: data + "/a"))
    }
}
