import Glibc

/// The log of a process. It continues over restarts and is at most `bytesMax` long, with one older part of the same size.
enum LogFile {
    package static let bytesMax = 16 << 20
    private static let tailBytes = 4096

    /// Moves a log that has grown too long to `<path>.1`.
    ///
    /// The process keeps its descriptor, so the file is copied and emptied; lines written between the two are lost.
    static func bound(_ path: String) {
        let log = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard log >= 0 else { return }
        defer { close(log) }
        guard lseek(log, 0, SEEK_END) > bytesMax else { return }
        let older = unsafe open(path + ".1", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard older >= 0 else { return }
        defer { close(older) }
        lseek(log, 0, SEEK_SET)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0...(bytesMax / buffer.count) {
            let count = unsafe read(log, &buffer, buffer.count)
            guard count > 0, unsafe write(older, buffer, count) == count else { break }
        }
        _ = ftruncate(log, 0)
    }

    /// Returns the length of the log in bytes, or 0 if there is none.
    static func size(_ path: String) -> Int {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    }

    /// Returns the last line with text, for a message about a process that does not start.
    static func lastLine(_ path: String) -> String? {
        text(path, from: 0).split(whereSeparator: \.isNewline).last.map(String.init)
    }

    /// Returns the text after the first `start` bytes, or its end if it is long.
    static func text(_ path: String, from start: Int) -> String {
        let log = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard log >= 0 else { return "" }
        defer { close(log) }
        let size = Int(lseek(log, 0, SEEK_END))
        lseek(log, off_t(max(start, size - tailBytes)), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: tailBytes)
        let count = unsafe read(log, &bytes, tailBytes)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : ""
    }
}
