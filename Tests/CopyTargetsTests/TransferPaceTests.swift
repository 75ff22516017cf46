import Testing

@testable import CopyTargets

@Suite struct TransferPaceTests {
    private let start = ContinuousClock.now

    /// Returns the second in which a transfer is too slow, or `nil` if it never is in two minutes.
    private func end(_ bytes: (Int) -> Int) -> Int? {
        var pace = TransferPace(.init(), bytes: bytes(0), at: start)
        return (1...120).first { second in
            pace.isTooSlow(bytes: bytes(second), at: start + .seconds(second))
        }
    }

    @Test func `nothing for ten seconds is too slow`() {
        #expect(end { _ in 0 } == 10)
        #expect(end { min($0, 20) * 100_000 } == 30)
    }

    @Test func `less than a kilobyte a second for thirty seconds is too slow`() {
        #expect(end { $0 * 1000 } == 30)
        #expect(end { $0 * 1024 } == nil)
        // Fast for a minute, then slow: the window decides, and not the whole transfer.
        #expect(end { $0 <= 60 ? $0 * 1_000_000 : 60_000_000 + ($0 - 60) * 100 } == 90)
    }

    @Test func `bytes in bursts are counted over the window`() {
        #expect(end { $0 / 9 * 9 * 2048 } == nil)
    }
}
