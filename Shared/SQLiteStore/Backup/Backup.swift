import CryptoPrimitives
import Foundation
package import PrivateFiles
import Storage

/// Copies databases while the services run.
package struct Backup {
    let databases: [DatabaseLocation]

    package init(of databases: [DatabaseLocation]) { self.databases = databases }

    /// Writes the backup to the folder `target`, which must be new or empty. Each file has mode 0600, is checked and synced
    /// to disk.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: The backup's manifest.
    /// - Throws: `FileFailure`; the folder has no manifest then.
    package func take(to target: String, now: Int64) throws(FileFailure) -> BackupManifest {
        do {
            try Self.prepare(target)
            var (files, epoch): ([BackupManifest.File], Int64) = ([], 0)
            for database in databases {
                try database.requireSchema(of: database.path)
                let copy = try DatabaseCopy.take(of: database.path, to: target + "/" + database.name)
                files.append(try Self.facts(database.name, of: copy))
                epoch = max(epoch, try copy.restoreFloor())
            }
            let manifest = BackupManifest(
                format: BackupManifest.currentFormat, createdAt: now, epoch: epoch, files: files)
            try manifest.write(to: target)
            try PrivateFile.sync(target)
            return manifest
        } catch { throw FileFailure(any: error) }
    }

    /// Makes files that were rebuilt from pages a backup: each is checked, and the manifest is written next to them.
    ///
    /// - Parameter createdAt: Unix time in seconds.
    /// - Throws: `FileFailure`; the folder has no manifest then.
    package static func complete(
        _ names: [String], in folder: String, createdAt: Int64
    ) throws(FileFailure) -> BackupManifest {
        do {
            var (files, epoch): ([BackupManifest.File], Int64) = ([], 0)
            for name in names {
                let copy = DatabaseCopy(path: folder + "/" + name)
                try copy.finish()
                files.append(try facts(name, of: copy))
                epoch = max(epoch, try copy.restoreFloor())
            }
            let manifest = BackupManifest(
                format: BackupManifest.currentFormat, createdAt: createdAt, epoch: epoch, files: files)
            try manifest.write(to: folder)
            return manifest
        } catch { throw FileFailure(any: error) }
    }

    private static func prepare(_ target: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard try files.contentsOfDirectory(atPath: target).isEmpty else {
            throw FileFailure("\(target) is not empty: nothing is overwritten")
        }
    }

    private static func facts(_ name: String, of copy: DatabaseCopy) throws -> BackupManifest.File {
        let audit = try copy.check()
        return BackupManifest.File(
            name: name, bytes: FileFacts.byteCount(copy.path), sha256: try PrivateFile.sha256(copy.path),
            auditRows: audit.records, auditNewest: audit.newest, auditHash: Hex.encode(audit.newestHash))
    }
}

extension FileFailure {
    private static let diskFull = "the disk is full: make room, remove what was copied, and run the command again"

    /// `error` in the operator's words.
    init(any error: any Error) {
        switch error {
        case let failure as FileFailure: self = failure
        case let error as CocoaError: self.init(error.localizedDescription)
        default:
            let known = StorageError(error)
            // SQLite's own message for a full disk can be "not an error".
            self.init(known.code == .full ? Self.diskFull : known.description)
        }
    }
}
