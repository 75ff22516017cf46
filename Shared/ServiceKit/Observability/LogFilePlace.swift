import Glibc

/// The path of a log's file, by which the file is made again after somebody has moved it away.
struct LogFilePlace: Sendable {
    private let path: String

    /// Finds the path of the file that is open as `descriptor`, or returns `nil` if it is not a file or no longer in a folder.
    init?(of descriptor: Int32) {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let opened = Self.facts(descriptor), opened.st_mode & S_IFMT == S_IFREG, let known = Self.facts(path),
            Self.isSame(opened, known)
        else { return nil }
    }

    /// Opens the file at the path as `descriptor` if another file or none is there now. Standard error follows if it went to
    /// the same file.
    func keep(open descriptor: Int32) {
        guard let opened = Self.facts(descriptor) else { return }
        if let known = Self.facts(path), Self.isSame(opened, known) { return }
        let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        // If the folder is gone, the file cannot be made again, and lines go on into the old one.
        guard file >= 0 else { return }
        defer { close(file) }
        if let errors = Self.facts(STDERR_FILENO), Self.isSame(opened, errors) { dup2(file, STDERR_FILENO) }
        dup2(file, descriptor)
    }

    private static func facts(_ descriptor: Int32) -> stat? {
        var facts = stat()
        return unsafe fstat(descriptor, &facts) == 0 ? facts : nil
    }

    private static func facts(_ path: String) -> stat? {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 ? facts : nil
    }

    private static func isSame(_ one: stat, _ other: stat) -> Bool {
        one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
