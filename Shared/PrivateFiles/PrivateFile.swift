import CryptoPrimitives
import Glibc

/// Files that only their owner can read, synced to disk before anything relies on them.
package enum PrivateFile {
    private static let chunkBytes = 1 << 20

    /// Creates an empty file, mode 0600.
    ///
    /// - Throws: `FileFailure`, also if the file exists.
    package static func create(_ path: String) throws(FileFailure) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("make", path) }
        close(file)
    }

    /// Writes `bytes` to a file, and replaces one that exists; a reader sees all of it or nothing.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(FileFailure) {
        let draft = path + ".new"
        try remove(draft)
        try create(draft)
        let file = unsafe open(draft, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", draft) }
        let written = unsafe Glibc.write(file, bytes, bytes.count)
        close(file)
        guard written == bytes.count else { throw failure("write", draft) }
        try sync(draft)
        guard unsafe chmod(draft, mode) == 0 else { throw failure("change the mode of", draft) }
        try move(draft, to: path)
    }

    /// Writes `bytes` to a file if there is nothing at `path`; a reader sees all of it or nothing.
    ///
    /// - Returns: `false` if something is there, which stays unchanged.
    package static func writeIfAbsent(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
    ) throws(FileFailure) -> Bool {
        let draft = "\(path).\(getpid()).new"
        try write(bytes, to: draft, mode: mode)
        // Unlike a rename, a link never replaces an existing file.
        let isMade = unsafe link(draft, path) == 0
        let reason = errno
        try remove(draft)
        errno = reason
        guard isMade || reason == EEXIST else { throw failure("make", path) }
        return isMade
    }

    /// Returns the bytes of a file, at most the first `max`.
    package static func bytes(_ path: String, max: Int) throws(FileFailure) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: max)
        var count = 0
        while count < max {
            let part = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file, buffer.baseAddress.map { unsafe $0 + count }, max - count)
            }
            guard part >= 0 else { throw failure("read", path) }
            guard part > 0 else { break }
            count += part
        }
        return Array(bytes.prefix(count))
    }

    /// Copies `source` to the new file `path`, mode 0600.
    package static func copy(_ source: String, to path: String) throws(FileFailure) {
        try create(path)
        let output = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw failure("open", path) }
        defer { close(output) }
        try read(source) { part throws(FileFailure) in
            var rest = part
            while !rest.isEmpty {
                let written = unsafe rest.withUnsafeBufferPointer {
                    unsafe Glibc.write(output, $0.baseAddress, $0.count)
                }
                // A disk that fills up takes a part first, and gives the reason with the next one.
                guard written > 0 else { throw failure("write", path) }
                rest = rest.extracting(droppingFirst: written)
            }
        }
    }

    /// Returns the SHA-256 of a file's bytes, in hex.
    package static func sha256(_ path: String) throws(FileFailure) -> String {
        var stream = SHA256Stream()
        try read(path) { part throws(FileFailure) in stream.update(part) }
        return Hex.encode(stream.finish())
    }

    /// Syncs a file or a folder's entries to disk.
    package static func sync(_ path: String) throws(FileFailure) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("sync", path) }
    }

    /// Renames a file, and replaces a file that has the new name.
    package static func move(_ path: String, to other: String) throws(FileFailure) {
        guard unsafe rename(path, other) == 0 else { throw failure("move", path) }
    }

    /// Removes a file, if it exists.
    package static func remove(_ path: String) throws(FileFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
    }

    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    private static func read(
        _ path: String, _ take: (Span<UInt8>) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = unsafe Glibc.read(file, &chunk, chunkBytes)
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { return }
            try take(chunk.span.extracting(first: count))
        }
    }

    private static func failure(_ verb: String, _ path: String) -> FileFailure {
        let code = errno
        return FileFailure("cannot \(verb) \(path): \(unsafe String(cString: strerror(code)))", code: code)
    }
}

/// A problem with a file or a folder; the text is for the operator.
package struct FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    /// The system's `errno`; 0 if the problem is another one.
    package let code: Int32

    package init(_ description: String, code: Int32 = 0) { (self.description, self.code) = (description, code) }
}
