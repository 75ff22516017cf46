import SupervisorCore
import Testing

@Suite struct RestartBackoffTests {
    @Test func `waits double from 200 ms to 5 s`() {
        var backoff = RestartBackoff()
        let waits = (0..<8).map { _ in backoff.wait(afterRunning: .zero) }
        #expect(waits == [200, 400, 800, 1600, 3200, 5000, 5000, 5000].map { Duration.milliseconds($0) })
        #expect(backoff.failures == 8)
    }

    @Test func `a process that was up for a while starts again soon`() {
        var backoff = RestartBackoff()
        for _ in 0..<4 { _ = backoff.wait(afterRunning: .zero) }
        #expect(backoff.wait(afterRunning: RestartBackoff.forgetsAfter) == RestartBackoff.shortest)
        #expect(backoff.failures == 1)
        #expect(backoff.wait(afterRunning: RestartBackoff.forgetsAfter - .milliseconds(1)) == .milliseconds(400))
    }
}
