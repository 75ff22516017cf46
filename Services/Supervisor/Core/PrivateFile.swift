internal import FoundationEssentials
internal import Glibc

/// Files and folders that only their owner can read.
enum PrivateFile {
    /// Bytes beyond which a file of ours is not read: all of them are short.
    static let bytesMax = 65_536

    /// Makes the folder and those above it, mode 0700; one that exists stays as it is.
    static func makeDirectory(_ path: String) throws(StartFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StartFailure("cannot make the folder \(path): \(error)")
        }
    }

    /// Puts `text` in place of what the file held, mode 0600; a reader sees the old text or the new, never half.
    static func write(_ text: String, to path: String) throws(StartFailure) {
        let draft = path + ".new"
        _ = unsafe unlink(draft)
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("make", draft) }
        let bytes = Array(text.utf8)
        let written = unsafe Glibc.write(file, bytes, bytes.count)
        // A secret that is lost with the power after something was sealed with it would lock its owner out.
        let synced = fsync(file)
        close(file)
        guard written == bytes.count, synced == 0, unsafe rename(draft, path) == 0 else { throw failure("write", path) }
    }

    /// The text of the file; nil when there is none or it cannot be read.
    static func read(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = unsafe Glibc.read(file, &bytes, bytesMax)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Removes the file; one that is not there is fine.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    private static func failure(_ verb: String, _ path: String) -> StartFailure {
        StartFailure("cannot \(verb) \(path): error \(errno)")
    }
}
