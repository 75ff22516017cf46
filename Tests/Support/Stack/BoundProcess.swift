import Glibc
package import Subprocess

/// A process that the kernel ends when the test process crashes, and that otherwise lives until a signal ends it.
package struct BoundProcess: Sendable {
    /// The program did not start.
    package struct NotStarted: Error {}

    package let identifier: pid_t
    /// Set once it has ended.
    package let hasEnded = Flag()
    /// Waits for its end.
    package let end: Task<Void, any Error>

    /// Starts a program.
    ///
    /// - Parameter arguments: those of `setpriv`, and after them the program, which `setpriv` becomes.
    package init(_ arguments: [String], environment: Environment = .inherit) async throws {
        let (identifiers, started) = AsyncThrowingStream<pid_t, any Error>.makeStream()
        end = Task { [hasEnded] in
            defer { hasEnded.set() }
            do {
                _ = try await Subprocess.run(
                    .name("setpriv"), arguments: Arguments(["--pdeathsig", "KILL"] + arguments),
                    environment: environment, input: .none, output: .discarded, error: .discarded
                ) { execution in
                    started.yield(execution.processIdentifier.value)
                    started.finish()
                }
            } catch {
                started.finish(throwing: error)
                throw error
            }
        }
        // In a task of its own: a cancelled test must still learn which process it has to end.
        let first = try await Task { try await identifiers.first { _ in true } }.value
        guard let first else { throw NotStarted() }
        identifier = first
    }

    /// Ends it as `kill -9` does, and waits until it is gone.
    package func kill() async throws {
        _ = Glibc.kill(identifier, SIGKILL)
        try await end.value
    }
}
