import Glibc

/// Reads and writes descriptors, whole or not at all.
enum FileBytes {
    /// Returns the bytes of the file at `path`.
    ///
    /// - Throws: `CommandFailure` with the path if the file cannot be read or has more than `bytesMax` bytes.
    static func contents(of path: String, bytesMax: Int) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count <= bytesMax {
            do {
                guard let chunk = try next(of: descriptor, bytesMax: bytesMax + 1) else { return bytes }
                bytes += chunk
            } catch {
                throw CommandFailure(description: "\(path): \(error)")
            }
        }
        throw CommandFailure(description: "\(path): has more than \(bytesMax) bytes")
    }

    /// Returns the bytes that can be read now, at least one and at most `bytesMax`; `nil` at the end.
    static func next(of descriptor: Int32, bytesMax: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        while true {
            let count = unsafe read(descriptor, &bytes, bytes.count)
            if count > 0 { return Array(bytes.prefix(count)) }
            if count == 0 { return nil }
            guard errno == EINTR else { throw failure("cannot read") }
        }
    }

    /// Writes all of `bytes`.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("cannot write")
            }
        }
    }

    private static func failure(_ subject: String) -> CommandFailure {
        CommandFailure(description: "\(subject): \(unsafe String(cString: strerror(errno)))")
    }
}
