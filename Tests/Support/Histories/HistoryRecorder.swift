import Synchronization

/// Notes from any thread what clients do, in the order in which they begin it.
package final class HistoryRecorder: Sendable {
    /// When the history began.
    package let start = ContinuousClock.now
    private let noted = Mutex<[Operation]>([])
    private let failures = Mutex<[String: Int]>([:])

    package init() {}

    /// All operations until now; those without an answer are unknown.
    package var operations: [Operation] { noted.withLock { $0 } }

    /// The numbers of responses that say that a request failed at the server, by their status: `503` if they state when the
    /// request may succeed, `503 without Retry-After` if not.
    package var failedResponses: [String: Int] { failures.withLock { $0 } }

    /// Counts a response if it is a failure of the server.
    package func note(_ answer: HTTPAnswer) {
        guard answer.status >= 500 else { return }
        let waits = (Int(answer.headers["retry-after"] ?? "") ?? 0) > 0
        failures.withLock { $0["\(answer.status)" + (waits ? "" : " without Retry-After"), default: 0] += 1 }
    }

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
