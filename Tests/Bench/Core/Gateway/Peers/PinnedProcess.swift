import Glibc
import TestSupport

/// A program that listens on a port, runs on one core, and ends with us.
struct PinnedProcess: Sendable {
    /// The number of the core, from 0.
    let core: Int
    /// The whole path, or a name that `PATH` leads to.
    let executable: String
    let arguments: [String]
    let port: Int

    /// Runs `body` with its process id once it accepts connections, and ends it on every path.
    func run<Value: Sendable>(_ body: (pid_t) async throws -> Value) async throws -> Value {
        // Each becomes the next, so that the process id is that of the program itself.
        let child = ChildProcess(
            executable: "/usr/bin/env",
            arguments: ["setpriv", "--pdeathsig", "KILL", "taskset", "-c", "\(core)", executable] + arguments)
        return try await child.run { process, _ in
            try await eventually("\(executable) listens") { await accepts() }
            return try await body(process)
        }
    }

    private func accepts() async -> Bool {
        // A refused connection is an answer: not yet.
        do {
            try await LoadConnection.open(port: port).close()
            return true
        } catch { return false }
    }
}
