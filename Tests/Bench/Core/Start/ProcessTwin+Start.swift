package import TestSupport

extension ProcessTwin {
    private static let pollInterval: Duration = .milliseconds(2)

    /// Seconds from its start until `/readyz` answers 200 for the first time; then it is ended.
    package func secondsToReady() async throws -> Double {
        let start = ContinuousClock.now
        return try await run { try await Self.untilReady($0.operationsPort, since: start) }
    }

    /// Waits until `/readyz` answers 200.
    ///
    /// - Returns: seconds since `start`.
    static func untilReady(_ port: Int, since start: ContinuousClock.Instant = .now) async throws -> Double {
        while ContinuousClock.now - start < Patience.limit {
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
