internal import CryptoPrimitives
internal import Foundation

/// Puts a backup in the place of a data directory's databases, as the beginning of a new epoch.
///
/// The services do the rest when they open the files: each ends what must not outlive a restore.
package struct Restore {
    let source: String
    let dataDirectory: String
    /// Names of the database files that a backup must hold.
    let names: [String]

    package init(from source: String, dataDirectory: String, names: [String]) {
        self.source = source
        self.dataDirectory = dataDirectory
        self.names = names
    }

    /// Checks the backup wholly, then replaces the files; what was there keeps lying beside them as `….replaced-<now>`.
    ///
    /// - Parameter now: Unix time in seconds; must be later than that of every earlier restore.
    /// - Returns: the new epoch.
    /// - Throws: `BackupFailure`. Until every file is checked nothing is touched; a run that was interrupted later is
    ///   repeated, and until then no service starts on half of it.
    package func run(now: Int64) throws(BackupFailure) -> Int64 {
        do {
            let manifest = try BackupManifest.read(from: source)
            guard Set(manifest.files.map(\.name)) == Set(names), manifest.files.count == names.count else {
                throw BackupFailure("\(source) does not hold \(names.joined(separator: " and "))")
            }
            try FileManager.default.createDirectory(
                atPath: dataDirectory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try refuseWhileInUse()
            let epoch = max(now, manifest.epoch + 1)
            for file in manifest.files { try prepare(file, epoch: epoch) }
            try refuseWhileInUse()
            for name in names { try setAside(name, now: now) }
            for name in names { try place(name) }
            try PrivateFile.sync(dataDirectory)
            return epoch
        } catch { throw BackupFailure(any: error) }
    }

    private func path(_ name: String) -> String { dataDirectory + "/" + name }
    private func draft(_ name: String) -> String { path(name) + ".restoring" }

    private func refuseWhileInUse() throws {
        guard !FileUse.isSupervised(dataDirectory) else {
            throw BackupFailure("a supervisor runs on \(dataDirectory): stop it first")
        }
        for name in names where try FileUse.isOpenElsewhere(path(name)) {
            throw BackupFailure("\(path(name)) is in use: stop the services first")
        }
    }

    private func prepare(_ file: BackupManifest.File, epoch: Int64) throws {
        let (original, draft) = (source + "/" + file.name, draft(file.name))
        try PrivateFile.remove(draft)
        try PrivateFile.copy(original, to: draft)
        guard try PrivateFile.sha256(draft) == file.sha256 else {
            try PrivateFile.remove(draft)
            throw BackupFailure("\(original) is not the file that was backed up: its SHA-256 differs")
        }
        let copy = DatabaseCopy(path: draft)
        let audit = try copy.check()
        guard audit.newest == file.auditNewest, Hex.encode(audit.newestHash) == file.auditHash else {
            throw BackupFailure("\(original): the audit does not end as the manifest says")
        }
        try copy.order(epoch: epoch)
    }

    /// The log goes with its file: another file's log would be taken for the new one's.
    private func setAside(_ name: String, now: Int64) throws {
        for suffix in ["", "-wal", "-shm"] where PrivateFile.exists(path(name) + suffix) {
            try PrivateFile.move(path(name) + suffix, to: "\(path(name)).replaced-\(now)\(suffix)")
        }
        // From here on the service takes a missing file for a lost one and does not start.
        try ExistenceMark(databasePath: path(name)).set()
    }

    private func place(_ name: String) throws {
        try PrivateFile.move(draft(name), to: path(name))
    }
}
