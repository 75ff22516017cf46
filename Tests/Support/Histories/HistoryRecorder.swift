import Synchronization

/// Notes from any thread what clients do, in the order in which they begin it.
package final class HistoryRecorder: Sendable {
    private let start = ContinuousClock.now
    private let noted = Mutex<[Operation]>([])

    package init() {}

    /// All operations until now; those without an answer are unknown.
    package var operations: [Operation] { noted.withLock { $0 } }

    /// Time since the history began.
    package var now: Duration { ContinuousClock.now - start }

    /// Does `act` and notes it from its beginning to its answer; an error is no answer.
    @discardableResult
    package func record(_ operation: Operation, _ act: () async throws -> Outcome) async -> Outcome {
        let index = noted.withLock { noted in
            var begun = operation
            begun.invoked = now
            noted.append(begun)
            return noted.count - 1
        }
        do {
            let outcome = try await act()
            noted.withLock { noted in
                noted[index].completed = now
                noted[index].outcome = outcome
            }
            return outcome
        } catch {
            return .unknown
        }
    }
}
