import InternalAPI
import Synchronization

/// Ends sessions one after another while a fault lasts, without waiting for the answers.
final class EndsMeanwhile: Sendable {
    private struct State {
        var tasks: [Task<Void, Never>] = []
        var acknowledged = 0
    }

    private let state = Mutex(State())

    /// How many were acknowledged until now.
    var acknowledged: Int { state.withLock { $0.acknowledged } }

    /// Ends `sessions`, spread over `time`.
    func run(_ sessions: [TokenSet], over time: Duration, _ watch: RevocationWatch) async throws {
        for session in sessions {
            let task = Task {
                if await watch.logOut(session) { self.state.withLock { $0.acknowledged += 1 } }
            }
            state.withLock { $0.tasks.append(task) }
            try await Task.sleep(for: time / sessions.count)
        }
    }

    /// Waits for the answers.
    func finish() async { for task in state.withLock({ $0.tasks }) { await task.value } }
}
