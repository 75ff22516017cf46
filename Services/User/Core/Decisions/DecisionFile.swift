import Glibc
import InternalAPI
import PrivateFiles

/// The list of security decisions in `LATCHKEY_DECISIONS_DIR`, readable by its owner only. It has a line for each decision, in
/// their order.
struct DecisionFile: Sendable {
    static let name = "decisions"
    /// The bytes that are read from the end of the file, which are more than any line has.
    private static let tailBytes = 4_096

    let folder: String

    var path: String { folder + "/" + Self.name }

    /// The sequence of the last line, or 0 if the file is missing or empty.
    func lastSequence() throws -> Int64 {
        guard PrivateFile.exists(path) else { return 0 }
        return try withFile(O_RDONLY) { try end(of: $0).sequence }
    }

    /// Appends the decisions that follow the last line; they are on the disk when it returns. A line that a crash cut off is
    /// replaced.
    ///
    /// - Returns: whether the decisions were written; `false` while another process writes.
    func append(_ decisions: [SecurityDecision]) throws -> Bool {
        let isNew = !PrivateFile.exists(path)
        let isWritten = try withFile(O_RDWR | O_CREAT) { file in
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
            let (sequence, offset) = try end(of: file)
            let text = decisions.filter { $0.sequence > sequence }.map { $0.line + "\n" }.joined()
            guard ftruncate(file, off_t(offset)) == 0 else { throw failure("shorten") }
            let bytes = Array(text.utf8)
            guard unsafe pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count else { throw failure("write") }
            guard fsync(file) == 0 else { throw failure("sync") }
            return true
        }
        if isNew { try PrivateFile.sync(folder) }
        return isWritten
    }

    /// The sequence of the last complete line, and the offset of its end.
    private func end(of file: Int32) throws -> (sequence: Int64, offset: Int) {
        let size = Int(lseek(file, 0, SEEK_END))
        guard size >= 0 else { throw failure("read") }
        let start = max(size - Self.tailBytes, 0)
        var tail = [UInt8](repeating: 0, count: size - start)
        guard unsafe pread(file, &tail, tail.count, off_t(start)) == tail.count else { throw failure("read") }
        guard let last = tail.lastIndex(of: UInt8(ascii: "\n")) else {
            guard start == 0 else { throw FileFailure("\(path) is not a list of decisions") }
            return (0, 0)
        }
        let line = tail[..<last].split(separator: UInt8(ascii: "\n")).last ?? []
        guard let decision = SecurityDecision(line: String(decoding: line, as: UTF8.self)) else {
            throw FileFailure("\(path) is not a list of decisions")
        }
        return (decision.sequence, start + last + 1)
    }

    private func withFile<Value>(_ flags: Int32, _ body: (Int32) throws -> Value) throws -> Value {
        let file = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        return try body(file)
    }

    private func failure(_ verb: String) -> FileFailure {
        FileFailure("cannot \(verb) \(path): \(unsafe String(cString: strerror(errno)))")
    }
}
