import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import TestSupport

/// One server of an upstream: a process that writes down each request as soon as it has read it.
final class EdgeUpstream: Sendable {
    /// How it answers from now on.
    enum Mode: String, Sendable {
        case good
        /// After two seconds.
        case slow
        /// With bytes that are no HTTP.
        case garbage
        /// By closing the connection.
        case dropping
    }

    private static let script = """
        import http.server, os, sys, time
        folder = sys.argv[2]
        log = os.open(folder + "/log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128
            def handle_error(self, *_): pass
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            def log_message(self, *_): pass
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                os.write(log, (self.path.split("/")[-1] + "\\n").encode())
                with open(folder + "/mode") as file: mode = file.read()
                if mode == "slow": time.sleep(2)
                if mode == "garbage": self.wfile.write(b"garbage\\r\\n\\r\\n")
                if mode in ("garbage", "dropping"):
                    self.close_connection = True
                    return
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
        Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
        """

    let port: Int
    private let folder: String
    private let process = Mutex<pid_t?>(nil)
    private let isOver = Flag()

    var url: String { "http://127.0.0.1:\(port)" }

    init(in folder: String) async throws {
        port = try await FreePort.find()
        self.folder = "\(folder)/\(port)"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        try answer(.good)
    }

    /// Runs the process until `stop`, and starts it again when it is killed.
    func run() async throws {
        let child = ChildProcess(
            executable: "/usr/bin/env", arguments: ["python3", "-c", Self.script, "\(port)", folder])
        while !isOver.isSet {
            do {
                try await child.run { id, output in
                    process.withLock { $0 = id }
                    if isOver.isSet { kill(id, SIGKILL) }
                    for try await _ in output {}
                }
            } catch {
                guard !isOver.isSet else { return }
                // The process that was to be ended is gone, because it was killed.
                try await Task.sleep(for: .milliseconds(300))
            }
        }
    }

    func stop() {
        isOver.set()
        signal(SIGKILL)
    }

    func signal(_ signal: Int32) {
        if let id = process.withLock(\.self) { kill(id, signal) }
    }

    func answer(_ mode: Mode) throws {
        try mode.rawValue.write(toFile: folder + "/mode", atomically: true, encoding: .utf8)
    }

    /// The operations that it has received, in their order.
    func received() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder + "/log") else { return [] }
        return try String(contentsOfFile: folder + "/log", encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
