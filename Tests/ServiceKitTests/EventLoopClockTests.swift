import ServiceKit
import Testing

@Suite struct EventLoopClockTests {
    @Test func `it wakes its sleeper not before the time`() async throws {
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(20), clock: .eventLoop)
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        try await Task.sleep(until: start, clock: .eventLoop)
    }

    @Test(.timeLimit(.minutes(1))) func `cancellation ends the sleep`() async {
        let sleeper = Task { try await Task.sleep(for: .seconds(3_600), clock: .eventLoop) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
