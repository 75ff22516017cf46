import CopyTargets
import CryptoPrimitives
import Glibc
import PrivateFiles

/// The one file on this host between a database and the target.
struct CopySpool: Sendable {
    private static let fileName = "copier.spool"

    let folder: String
    private var path: String { folder + "/" + Self.fileName }

    /// Locks the folder against other copiers.
    ///
    /// - Returns: The lock, which ends when it is closed.
    func lock() throws(CopyFailure) -> Int32 {
        let path = folder + "/copier.lock"
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CopyFailure(.noRoom, "cannot make \(path)") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(file)
            throw CopyFailure(.otherCopier, "another copier runs in \(folder): stop it first")
        }
        return file
    }

    /// Stores sealed bytes at a target.
    func put(_ sealed: [UInt8], as name: String, at target: any CopyTarget) async throws -> CopyManifest.File {
        try write(sealed)
        do { try await target.put(path, as: name) } catch {
            try PrivateFile.remove(path)
            throw error
        }
        try PrivateFile.remove(path)
        return Self.file(name, sealed)
    }

    /// Returns the bytes of a stored file.
    func get(_ name: String, bytesMax: Int, from target: any CopyTarget) async throws -> [UInt8] {
        try PrivateFile.remove(path)
        // One byte more shows that the file is too large; a target must not fill the disk of the databases.
        try await target.get(name, to: path, bytesMax: bytesMax + 1)
        var facts = stat()
        guard unsafe stat(path, &facts) == 0, facts.st_size <= bytesMax else {
            try PrivateFile.remove(path)
            throw CopyFailure(.damaged, "\(name) is larger than it was when it was stored")
        }
        let bytes = try PrivateFile.bytes(path, max: Int(facts.st_size))
        try PrivateFile.remove(path)
        return bytes
    }

    static func file(_ name: String, _ sealed: [UInt8]) -> CopyManifest.File {
        CopyManifest.File(name: name, bytes: sealed.count, sha256: Hex.encode(SHA256.hash(sealed)))
    }

    /// Writes the file, or leaves none. It need not survive the host, so it is not synced.
    private func write(_ bytes: [UInt8]) throws {
        try PrivateFile.remove(path)
        try requireRoom(bytes.count)
        try PrivateFile.create(path)
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        let written = file >= 0 ? unsafe Glibc.write(file, bytes, bytes.count) : -1
        if file >= 0 { close(file) }
        guard written == bytes.count else {
            try PrivateFile.remove(path)
            throw CopyFailure(.noRoom, "cannot write \(path)")
        }
    }

    private func requireRoom(_ bytes: Int) throws(CopyFailure) {
        var facts = statvfs()
        guard unsafe statvfs(folder, &facts) == 0 else { throw CopyFailure(.noRoom, "\(folder) cannot be used") }
        let (free, isTooMuch) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        guard isTooMuch || free >= UInt64(bytes + CopierSettings.reserveBytes) else {
            throw CopyFailure(
                .noRoom, "\(folder) has less than \((bytes + CopierSettings.reserveBytes) >> 20) MiB free")
        }
    }
}
