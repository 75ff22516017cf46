import Testing

@testable import SQLiteStore

@Suite struct TurnQueueTests {
    private let queue = TurnQueue()
    private let end = ContinuousClock.now + .seconds(60)

    private func add() -> TurnQueue.Admission { queue.add { _ in } }

    @Test func `what comes alone starts turns, and not before the pause of the last one is over`() {
        guard case .startTurns = add() else {
            Issue.record("a queue at rest")
            return
        }
        #expect(queue.next()?.reads.count == 1)
        #expect(!queue.pause(until: end))
        guard case .startTurns(let start) = add() else {
            Issue.record("a queue that rests again")
            return
        }
        #expect(start == end)
    }

    @Test func `what comes during a turn is left to the one who takes turns`() {
        _ = add()
        _ = queue.next()
        guard case .queued = add() else {
            Issue.record("a turn is under way")
            return
        }
        #expect(queue.pause(until: end))
        guard case .queued = add() else {
            Issue.record("a turn waits for its pause")
            return
        }
        #expect(queue.next()?.reads.count == 2)
        guard queue.next() == nil else {
            Issue.record("nothing waits")
            return
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `who waits for rest is told by the pause that nothing waits for`() async throws {
        _ = add()
        _ = queue.next()
        async let rest: Void = queue.waitUntilIdle()
        // It begins to wait.
        try await Task.sleep(for: .milliseconds(50))
        #expect(!queue.pause(until: end))
        await rest
    }
}
