internal import FoundationEssentials
package import TestSupport

/// Another instance of a process of a running stack, with its settings and on ports of its own.
package struct ProcessTwin: Sendable {
    private static let pollInterval: Duration = .milliseconds(2)
    private static let limit: Duration = .seconds(20)

    private let executable: String
    private let environment: [String: String]

    /// The twin of the process `name`, as the kernel knows that one.
    package init(of name: String, in stack: LatchkeyStack) throws {
        guard let process = stack.processID(of: name),
            let contents = FileManager.default.contents(atPath: "/proc/\(process)/environ")
        else { throw UnexpectedReply(description: "\(name) does not run") }
        executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        environment = Self.variables(Array(contents)).filter { !$0.key.hasPrefix("LISTEN_") }
    }

    /// The variables in `/proc/PID/environ`: `NAME=value`, each ended by a zero byte.
    static func variables(_ environ: [UInt8]) -> [String: String] {
        var variables: [String: String] = [:]
        for entry in environ.split(separator: 0) {
            let parts = String(decoding: entry, as: UTF8.self).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        }
        return variables
    }

    /// Seconds from its start until `/readyz` answers 200 for the first time; then it is ended.
    package func secondsToReady() async throws -> Double {
        let operationsPort = try await LoopbackServer.freePort()
        var variables = environment
        variables["LATCHKEY_LISTEN"] = "127.0.0.1:\(try await LoopbackServer.freePort())"
        variables["LATCHKEY_OPS_LISTEN"] = "127.0.0.1:\(operationsPort)"
        let start = ContinuousClock.now
        return try await ChildProcess(executable: executable, environment: variables).run { _, _ in
            try await Self.untilReady(operationsPort, since: start)
        }
    }

    private static func untilReady(_ port: Int, since start: ContinuousClock.Instant) async throws -> Double {
        while ContinuousClock.now - start < limit {
            if await isReady(port) { return (ContinuousClock.now - start) / .seconds(1) }
            try await Task.sleep(for: pollInterval)
        }
        throw LoadFailure.timedOut
    }

    private static func isReady(_ port: Int) async -> Bool {
        // A refused connection is an answer: not yet.
        do {
            let connection = try await LoadConnection.open(port: port)
            let answer = try await connection.send(LoadRequest("GET", "/readyz"))
            await connection.close()
            return answer.status == 200
        } catch { return false }
    }
}
