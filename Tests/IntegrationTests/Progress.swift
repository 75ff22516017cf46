import Synchronization

/// The progress of many clients.
final class Progress: Sendable {
    private struct State {
        var successes = 0
        var failures: [String] = []
        var isOver = false
    }

    private let state = Mutex(State())

    var successes: Int { state.withLock { $0.successes } }
    var failures: [String] { state.withLock { $0.failures } }
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Tells the clients to stop.
    func finish() { state.withLock { $0.isOver = true } }

    /// Runs one client's round and notes how it ended.
    func note(_ round: () async throws -> Void) async {
        do {
            try await round()
            state.withLock { $0.successes += 1 }
        } catch {
            state.withLock { $0.failures.append("\(error)") }
        }
    }
}
