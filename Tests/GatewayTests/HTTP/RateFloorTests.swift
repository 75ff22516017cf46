import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RateFloorTests {
    private static let least = 128

    /// Whether the client is judged too slow in any of the seconds.
    ///
    /// - Parameter seconds: what is waited for, and how many bytes have come meanwhile.
    private func isEnded(_ seconds: [(RateFloor.Awaited?, Int)]) -> Bool {
        var floor = RateFloor()
        var total = 0
        return seconds.map { awaited, bytes in
            total += bytes
            return floor.isTooSlow(awaited, total: total, bytesPerSecondMin: Self.least)
        }.contains(true)
    }

    private func seconds(_ count: Int, _ awaited: RateFloor.Awaited?, bytes: Int) -> [(RateFloor.Awaited?, Int)] {
        [(RateFloor.Awaited?, Int)](repeating: (awaited, bytes), count: count)
    }

    @Test(arguments: [RateFloor.Awaited.body, .answer])
    func `below the least rate a client has ten seconds`(_ awaited: RateFloor.Awaited) {
        // The first look begins the window.
        #expect(!isEnded(seconds(RateFloor.windowSeconds, awaited, bytes: Self.least - 1)))
        #expect(isEnded(seconds(RateFloor.windowSeconds + 1, awaited, bytes: Self.least - 1)))
        #expect(!isEnded(seconds(1_000, awaited, bytes: Self.least)))
    }

    @Test func `what came fast before does not help later`() {
        #expect(isEnded(seconds(20, .body, bytes: 1 << 20) + seconds(20, .body, bytes: 1)))
    }

    @Test func `who is not waited for is not judged`() {
        #expect(!isEnded(seconds(1_000, nil, bytes: 0)))
        let now = seconds(2, .body, bytes: 0) + seconds(100, nil, bytes: 0)
        #expect(!isEnded(now + now + now))
    }

    @Test func `a pause of ours ends no window`() {
        let halves = seconds(6, .answer, bytes: 0) + seconds(1, nil, bytes: 0) + seconds(6, .answer, bytes: 0)
        #expect(isEnded(halves))
    }

    @Test func `a body and an answer have windows of their own`() {
        #expect(!isEnded(seconds(9, .body, bytes: 0) + seconds(9, .answer, bytes: 0) + seconds(9, .body, bytes: 0)))
    }
}
