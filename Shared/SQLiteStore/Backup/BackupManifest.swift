import Foundation
package import PrivateFiles

/// The contents of a backup; written last, so that a folder without a manifest is no backup.
package struct BackupManifest: Codable, Sendable, Equatable {
    package static let fileName = "manifest.json"
    package static let currentFormat = 1
    static let bytesMax = 65_536

    /// One database file.
    package struct File: Codable, Sendable, Equatable {
        package let name: String
        package let bytes: Int64
        /// The hash of the whole file, as `sha256sum` prints it.
        package let sha256: String
        package let auditRows: Int
        /// The newest audit row's number, and its hash in hex: an older audit that ends differently was cut or rewritten.
        package let auditNewest: Int64
        package let auditHash: String
    }

    package let format: Int
    /// Unix time in seconds.
    package let createdAt: Int64
    /// The floor of counters at the time of the backup: 0, or the Unix time of the last restore.
    package let epoch: Int64
    package let files: [File]

    /// Reads the manifest of the backup in `folder`.
    package static func read(from folder: String) throws(FileFailure) -> BackupManifest {
        let path = folder + "/" + fileName
        do {
            guard FileFacts.byteCount(path) <= bytesMax else { throw FileFailure("\(path) is no manifest") }
            let manifest = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
            guard manifest.format == currentFormat else {
                throw FileFailure("\(path): format \(manifest.format) is not known to this version")
            }
            return manifest
        } catch let failure as FileFailure {
            throw failure
        } catch {
            throw FileFailure("\(path) cannot be read: \(folder) is no finished backup")
        }
    }

    /// Writes the manifest durably.
    func write(to folder: String) throws(FileFailure) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try PrivateFile.write(Array(try encoder.encode(self)), to: folder + "/" + Self.fileName)
        } catch let failure as FileFailure {
            throw failure
        } catch {
            throw FileFailure("the manifest cannot be encoded")
        }
    }
}
