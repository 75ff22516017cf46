import Glibc
package import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A process that is measured or serves a measurement.
package struct ChildProcess: Sendable {
    /// Between SIGTERM and SIGKILL; above the 10 s that a process of ours may take to drain.
    private static let stopLimit: Duration = .seconds(12)

    let executable: String
    let arguments: [String]
    /// Added to our own.
    let environment: [String: String]

    package init(executable: String, arguments: [String] = [], environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs `body` with its process id and its output, and ends it on every path.
    package func run<Value: Sendable>(
        _ body: (pid_t, SubprocessOutputSequence) async throws -> Value
    ) async throws -> Value {
        var variables: [Environment.Key: String?] = [:]
        for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: Self.stopLimit)]
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: Arguments(arguments), environment: .inherit.updating(variables),
            platformOptions: options, input: .none, output: .sequence, error: .currentStandardError
        ) { execution in
            do {
                let value = try await body(execution.processIdentifier.value, execution.standardOutput)
                try execution.send(signal: .terminate)
                return value
            } catch {
                try execution.send(signal: .terminate)
                throw error
            }
        }
        return result.closureResult
    }
}
