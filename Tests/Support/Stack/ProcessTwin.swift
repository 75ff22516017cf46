import FoundationEssentials
import Glibc
import Subprocess
import Synchronization

/// The lines that a twin has logged.
package final class TwinLog: Sendable {
    private let recorded = Mutex<[String]>([])

    package var lines: [String] { recorded.withLock { $0 } }

    fileprivate func add(_ line: String) { recorded.withLock { $0.append(line) } }

    /// Whether a line has all these parts.
    package func hasLine(with parts: String...) -> Bool { hasLine(with: parts) }

    /// Waits until a line has all these parts.
    package func waitForLine(with parts: String...) async throws {
        try await eventually("a line with \(parts)") { hasLine(with: parts) }
    }

    private func hasLine(with parts: [String]) -> Bool { lines.contains { line in parts.allSatisfy(line.contains) } }
}

/// Another instance of a process of a running stack, with its settings, on ports of its own.
package struct ProcessTwin: Sendable {
    /// The path of the first one's program.
    package let executable: String
    /// The first one's variables.
    package let environment: [String: String]

    /// A twin that runs.
    package struct Running: Sendable {
        package let process: Int32
        package let port: Int
        package let operationsPort: Int
        /// The log so far.
        package let log: TwinLog

        package var service: TestHTTPClient { TestHTTPClient(base: "http://127.0.0.1:\(port)") }
        package var operations: TestHTTPClient { TestHTTPClient(base: "http://127.0.0.1:\(operationsPort)") }

        package func signal(_ signal: Int32) { kill(process, signal) }

        /// Where it listens over IPv4, by the kernel's word (proc(5)).
        package func listeningPorts() async throws -> Set<Int> {
            // Column 4 is the state, 10 the socket's number, as the process's descriptors name it.
            let script = """
                mine=$(readlink /proc/\(process)/fd/* | sed -n 's/^socket:.\\([0-9]*\\).$/\\1/p')
                awk -v mine="$mine" '
                  BEGIN { split(mine, numbers, "\\n"); for (place in numbers) is[numbers[place]] }
                  $4 == "0A" && $10 in is { split($2, parts, ":"); print parts[2] }' /proc/\(process)/net/tcp
                """
            let outcome = try await Shell.run(script, in: "/")
            return Set(outcome.output.split(separator: "\n").compactMap { Int($0, radix: 16) })
        }
    }

    /// The twin of the process `name`, as the kernel knows that one.
    package init(of name: String, in stack: LatchkeyStack) throws {
        guard let process = stack.processID(of: name),
            let contents = FileManager.default.contents(atPath: "/proc/\(process)/environ"),
            let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
        else { throw LatchkeyStack.NotReady(description: "\(name) does not run") }
        // The path by which it was called: one file may be several processes, by its names.
        executable = String(decoding: command.prefix { $0 != 0 }, as: UTF8.self)
        environment = Self.variables(Array(contents)).filter { name, _ in
            !name.hasPrefix("LISTEN_")
        }
    }

    /// The variables in `/proc/PID/environ`: `NAME=value`, each ended by a zero byte.
    package static func variables(_ environ: [UInt8]) -> [String: String] {
        var variables: [String: String] = [:]
        for entry in environ.split(separator: 0) {
            let parts = String(decoding: entry, as: UTF8.self).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        }
        return variables
    }

    /// Starts the twin, runs `body`, which may have to wait for it, and ends it on every path.
    ///
    /// - Parameter settings: take the place of the first one's, and of its own ports.
    package func run<Value: Sendable>(
        settings: [String: String] = [:], _ body: (Running) async throws -> Value
    ) async throws -> Value {
        let (port, operationsPort) = (try await FreePort.find(), try await FreePort.find())
        var variables = environment
        variables["LATCHKEY_LISTEN"] = "127.0.0.1:\(port)"
        variables["LATCHKEY_OPS_LISTEN"] = "127.0.0.1:\(operationsPort)"
        variables.merge(settings) { $1 }
        return try await ChildProcess(executable: executable, environment: variables).run { process, output in
            let log = TwinLog()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                // Without a reader, a full pipe would block it.
                group.addTask { for try await line in output.strings() { log.add(line) } }
                defer {
                    kill(process, SIGTERM)
                    kill(process, SIGCONT)
                }
                return try await body(Running(process: process, port: port, operationsPort: operationsPort, log: log))
            }
        }
    }
}
