import CCurl
import Curl
import Glibc

/// A request to a target's server.
struct CurlRequest: Sendable {
    enum Action: Sendable {
        /// Reads the body into memory, at most so many bytes.
        case read(bytesMax: Int)
        /// Reads the body into a new file, at most so many bytes.
        case download(to: String, bytesMax: Int)
        /// Sends a file of so many bytes.
        case upload(String, bytes: Int)
        /// Reads nothing but the size.
        case size
        /// HTTP's `DELETE`.
        case delete
    }

    let url: String
    let action: Action
    /// HTTP's header lines.
    var headers: [String] = []
    /// SFTP commands that run before.
    var commands: [String] = []
}

/// The outcome of a request.
struct CurlOutcome: Sendable {
    /// libcurl's result.
    var result: CURLcode
    var stop: TransferWatch.Stop?
    /// HTTP's status; 0 without one.
    var status = 0
    /// The size of the file, or -1.
    var size = -1
    /// The body of a `read`, or of an error.
    var body: [UInt8] = []
    /// Header lines, or results of SFTP commands.
    var lines: [String] = []
    /// The problem with a file of this host.
    var localProblem: String?
    /// libcurl's words; they may contain what the server sent.
    var words = ""
}

/// The data that libcurl's callbacks read and write during one request.
final class CurlExchange {
    let watch: TransferWatch
    /// The file that is sent or written, or -1.
    var file: CInt = -1
    /// Returns HTTP's status so far.
    var status: () -> Int = { 0 }
    private(set) var body: [UInt8] = []
    private(set) var lines: [String] = []
    private(set) var localProblem: String?
    private let bodyBytesMax: Int
    /// The most bytes of the file that is written; `nil` unless a file is downloaded.
    private let fileBytesMax: Int?
    private var received = 0

    private static let (errorBytesMax, lineCountMax, lineBytesMax) = (64 << 10, 200, 512)

    init(_ action: CurlRequest.Action, watch: TransferWatch) {
        self.watch = watch
        if case .download(_, let max) = action { fileBytesMax = max } else { fileBytesMax = nil }
        if case .read(let max) = action { bodyBytesMax = max } else { bodyBytesMax = Self.errorBytesMax }
    }

    /// Opens the local file of a request.
    func open(_ action: CurlRequest.Action) -> Bool {
        switch action {
        case .upload(let path, _):
            file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
            return file >= 0 || fail("read", path)
        case .download(let path, _):
            file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            return file >= 0 || fail("make", path)
        case .read, .size, .delete: return true
        }
    }

    private func fail(_ verb: String, _ path: String) -> Bool {
        localProblem = "cannot \(verb) \(path): \(unsafe String(cString: strerror(errno)))"
        return false
    }

    /// Fills the buffer with the next bytes of the file that is sent; returns `nil` if that fails.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = unsafe Glibc.read(file, room.baseAddress, room.count)
        return count >= 0 || fail("read", "the file that is sent") ? count : nil
    }

    /// Takes the next bytes of the body. The body of an HTTP error is never written to a file.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += bytes.count
        guard let fileBytesMax, status() < 300 else {
            guard received <= bodyBytesMax else { return false }
            unsafe body.append(contentsOf: bytes)
            return true
        }
        guard received <= fileBytesMax else { return false }
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(file, rest.baseAddress, rest.count)
            guard count > 0 else { return fail("write", "the file that is received") }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }

    /// Takes a header line, or the result of an SFTP command.
    func note(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard lines.count < Self.lineCountMax, bytes.count <= Self.lineBytesMax * 8 else { return false }
        let text = unsafe String(decoding: bytes.prefix(Self.lineBytesMax), as: UTF8.self)
        lines += text.split(whereSeparator: \.isNewline).map(String.init)
        return true
    }
}
