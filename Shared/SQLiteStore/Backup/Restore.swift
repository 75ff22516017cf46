import CryptoPrimitives
import Foundation
package import PrivateFiles
package import Storage

/// Replaces the databases by a backup, whose counters get a new floor (`RestoreFloor`).
///
/// The services do the rest when they open the files: each invalidates what must not survive a restore.
package struct Restore {
    let source: String
    /// The data directory, in which a supervisor could be running.
    let dataDirectory: String
    /// The databases that a backup must contain.
    let databases: [DatabaseLocation]
    /// The changes of users since the backup; `nil` if there is no list of them.
    let later: Later?

    /// Changes since the backup was taken that one of the files must follow.
    package struct Later: Sendable {
        /// The name in a backup of the file with the users.
        let database: String
        /// The ids of removed users.
        let removed: [[UInt8]]
        /// Security decisions; `nil` if there is no list of them.
        let decisions: [OrderedDecision]?

        package init(in database: String, removed: [[UInt8]] = [], decisions: [OrderedDecision]? = nil) {
            self.database = database
            self.removed = removed
            self.decisions = decisions
        }
    }

    package init(
        from source: String, dataDirectory: String, databases: [DatabaseLocation], later: Later? = nil
    ) {
        self.later = later
        self.source = source
        self.dataDirectory = dataDirectory
        self.databases = databases
    }

    /// Checks the whole backup, then replaces the files; the previous files are kept next to them as `….replaced-<now>`.
    ///
    /// - Parameter now: Unix time in seconds; must be later than that of every earlier restore.
    /// - Returns: The new floor of counters (`RestoreFloor`).
    /// - Throws: `FileFailure`. Before every file is checked, nothing is changed. A run that was interrupted later has to
    ///   be repeated; until then, a service whose file is missing does not start.
    package func run(now: Int64) throws(FileFailure) -> Int64 {
        do {
            let manifest = try BackupManifest.read(from: source)
            let pairs = try databases.map { ($0, try file(of: $0, in: manifest)) }
            try FileManager.default.createDirectory(
                atPath: dataDirectory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try refuseWhileInUse()
            let floor = max(now, manifest.epoch + 1)
            for (database, file) in pairs { try prepare(file, for: database, floor: floor) }
            try refuseWhileInUse()
            for database in databases { try setAside(database, now: now) }
            // Each folder may be on its own disk: all old files are moved away before a new one is placed.
            try syncFolders()
            for database in databases { try place(database) }
            try syncFolders()
            return floor
        } catch { throw FileFailure(any: error) }
    }

    private func syncFolders() throws {
        for folder in Set(databases.map(\.folder)) { try PrivateFile.sync(folder) }
    }

    private func draft(_ database: DatabaseLocation) -> String { database.path + ".restoring" }

    private func file(of database: DatabaseLocation, in manifest: BackupManifest) throws -> BackupManifest.File {
        let files = manifest.files.filter { $0.name == database.name }
        guard files.count == 1, manifest.files.count == databases.count else {
            throw FileFailure("\(source) does not hold \(databases.map(\.name).joined(separator: " and "))")
        }
        return files[0]
    }

    /// Refuses a restore while a supervisor or a service runs.
    package func refuseWhileInUse() throws(FileFailure) {
        guard !FileUse.isSupervised(dataDirectory) else {
            throw FileFailure("a supervisor runs on \(dataDirectory): stop it first")
        }
        for database in databases where try FileUse.isOpenElsewhere(database.path) {
            throw FileFailure("\(database.path) is in use: stop the services first")
        }
    }

    private func prepare(_ file: BackupManifest.File, for database: DatabaseLocation, floor: Int64) throws {
        let (original, draft) = (source + "/" + file.name, draft(database))
        try database.requireSchema(of: original)
        try PrivateFile.remove(draft)
        try PrivateFile.copy(original, to: draft)
        guard try PrivateFile.sha256(draft) == file.sha256 else {
            try PrivateFile.remove(draft)
            throw FileFailure("\(original) is not the file that was backed up: its SHA-256 differs")
        }
        let copy = DatabaseCopy(path: draft)
        let audit = try copy.check()
        guard audit.newest == file.auditNewest, Hex.encode(audit.newestHash) == file.auditHash else {
            throw FileFailure("\(original): the audit does not end as the manifest says")
        }
        try copy.raiseFloor(to: floor)
        // Root restores for the user of a service, who has to open the file.
        if geteuid() == 0 { try FileOwner.give(draft, toOwnerOf: database.folder) }
        guard let later, later.database == database.name else { return }
        if !later.removed.isEmpty { try copy.order(removalsOf: later.removed) }
        if let decisions = later.decisions { try copy.order(decisions: decisions) }
    }

    /// The log moves with its file, since it would be taken for the new file's log.
    private func setAside(_ database: DatabaseLocation, now: Int64) throws {
        let path = database.path
        for suffix in ["", "-wal", "-shm"] where PrivateFile.exists(path + suffix) {
            try PrivateFile.move(path + suffix, to: "\(path).replaced-\(now)\(suffix)")
        }
        // Marks of the continuous copy belong to the file that was there.
        for suffix in [PageMarks.suffix, TakenPages.suffix] { try PrivateFile.remove(path + suffix) }
        // From here on the service treats a missing file as lost, and does not start.
        try ExistenceMark(databasePath: path).set()
    }

    private func place(_ database: DatabaseLocation) throws {
        try PrivateFile.move(draft(database), to: database.path)
    }
}
