package import CryptoPrimitives
import Foundation
package import Glibc

/// Seeing and disturbing a stack's processes; they go by their short names, e.g. `otp-2`, `redis`.
extension LatchkeyStack {
    /// The names of all processes that run now.
    package var processes: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: dataDirectory + "/run")
                .filter { $0.hasSuffix(".pid") && $0 != "supervisor.pid" }.map { String($0.dropLast(4)) }.sorted()
        }
    }

    /// The process ids by name; equal before and after means that nothing ended in between.
    package var processIDs: [String: pid_t] {
        get throws {
            var identifiers: [String: pid_t] = [:]
            for name in try processes { identifiers[name] = processID(of: name) }
            return identifiers
        }
    }

    /// The process id, or nil while the process is down.
    package func processID(of name: String) -> pid_t? { number(in: "\(name).pid").flatMap { pid_t(exactly: $0) } }

    /// Whether a process has mapped a library.
    package func maps(_ library: String, in name: String) throws -> Bool {
        guard let process = processID(of: name) else { throw NotReady(description: "\(name) does not run") }
        // A file in /proc has the size 0, so what reads a file by its size gets its first part alone.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/maps"))
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).contains(library)
    }

    /// Sends a signal to a process that runs.
    package func signal(_ name: String, _ signal: Int32) throws {
        guard let process = processID(of: name), kill(process, signal) == 0 else {
            throw NotReady(description: "\(name) does not run")
        }
    }

    /// A client for the service port of a process.
    package func service(_ name: String) throws -> TestHTTPClient {
        guard let port = number(in: "\(name).port") else { throw NotReady(description: "\(name) has no port") }
        return TestHTTPClient(base: "http://127.0.0.1:\(port)")
    }

    /// The seconds for which a process has had a processor.
    package func processorSeconds(of name: String) throws -> Double {
        guard let process = processID(of: name),
            let fields = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                .split(separator: ")").last?.split(separator: " "),
            fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { throw NotReady(description: "\(name) does not run") }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// A client for the operations port of a process.
    package func operations(_ name: String) throws -> TestHTTPClient {
        guard let port = number(in: "\(name).ops") else {
            throw NotReady(description: "\(name) has no operations port")
        }
        return TestHTTPClient(base: "http://127.0.0.1:\(port)")
    }

    /// Waits until every process that has an operations port says that it is ready.
    package func untilReady(within limit: Duration = Patience.limit) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: dataDirectory + "/run")
            .filter { $0.hasSuffix(".ops") }.map { String($0.dropLast(4)) }
        for name in names {
            try await eventually("\(name) is ready", within: limit) { await isReady(name) }
        }
    }

    /// Sends `signal` and waits until the supervisor has started the process again and it is ready.
    package func restart(_ name: String, by signal: Int32) async throws {
        let before = processID(of: name)
        try self.signal(name, signal)
        try await started(name, since: before)
        if name != "redis" { try await eventually("\(name) is ready again") { await isReady(name) } }
    }

    /// Runs `body` while the processes are gone and not restarted.
    package func without(
        _ names: [String], by signal: Int32 = SIGKILL, _ body: () async throws -> Void
    ) async throws {
        let before = try processIDs
        // A stopped supervisor restarts nothing.
        kill(supervisor, SIGSTOP)
        do {
            for name in names { try self.signal(name, signal) }
            try await body()
        } catch {
            kill(supervisor, SIGCONT)
            throw error
        }
        kill(supervisor, SIGCONT)
        for name in names { try await started(name, since: before[name]) }
        try await untilReady()
    }

    /// Runs `body` while a process is frozen: its connections stay open, and nothing is answered.
    package func frozen(_ name: String, _ body: () async throws -> Void) async throws {
        try signal(name, SIGSTOP)
        do {
            try await body()
        } catch {
            try signal(name, SIGCONT)
            throw error
        }
        try signal(name, SIGCONT)
    }

    /// The keys in one of the stack's secret files.
    package func keyRing(_ name: String) throws -> KeyRing {
        try KeyRing(parsing: String(contentsOfFile: dataDirectory + "/secrets/" + name, encoding: .utf8))
    }

    private func started(_ name: String, since before: pid_t?) async throws {
        try await eventually("\(name) starts again") {
            let now = processID(of: name)
            return now != nil && now != before
        }
    }

    private func isReady(_ name: String) async -> Bool {
        // A refused connection is an answer: not ready.
        do { return try await operations(name).get("/readyz").status == 200 } catch { return false }
    }

    private func number(in file: String) -> Int? {
        // No file: the process is down just now.
        do {
            let text = try String(contentsOfFile: dataDirectory + "/run/" + file, encoding: .utf8)
            return Int(text.filter(\.isNumber))
        } catch { return nil }
    }
}
