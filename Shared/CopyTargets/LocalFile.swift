import Glibc
import PrivateFiles

/// The files of this host that a server sends or receives.
enum LocalFile {
    /// The size of a file that is sent.
    static func size(_ path: String) throws(CopyTargetFailure) -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw CopyTargetFailure(.unexpected, "cannot read \(path): \(unsafe String(cString: strerror(errno)))")
        }
        guard status.st_size <= CopyTargetFile.bytesMax else {
            throw CopyTargetFailure(.unexpected, "\(path) has more than \(CopyTargetFile.bytesMax) bytes")
        }
        return Int(status.st_size)
    }

    /// Runs `body`, which makes a file, and removes the file if it fails. A file that exists stays.
    static func receive(
        _ path: String, _ body: () async throws(CopyTargetFailure) -> Void
    ) async throws(CopyTargetFailure) {
        guard !PrivateFile.exists(path) else { throw CopyTargetFailure(.unexpected, "\(path) already exists") }
        do throws(CopyTargetFailure) { try await body() } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }
}
