import Policies
import Testing

@testable import EdgeHTTP

@Suite struct HandshakesUnderWayTests {
    private static func scope(_ number: UInt32) -> LimitScope? { IPAddress(ipv4: number).limitScopes.first }

    private func begin(_ count: Int, from number: UInt32, in pending: HandshakesUnderWay) -> [FakeConnection] {
        (0..<count).map { _ in
            let fake = FakeConnection { pending.remove($0) }
            pending.add(fake, of: Self.scope(number), countMax: 10)
            return fake
        }
    }

    @Test func `the oldest of whoever has most gives way, not the one who came first`() {
        let pending = HandshakesUnderWay()
        let honest = begin(1, from: 1, in: pending)
        let flood = begin(50, from: 2, in: pending)
        #expect(pending.count == 10)
        #expect(honest.map(\.hasGivenWay) == [false])
        #expect(flood.map(\.hasGivenWay) == (0..<50).map { $0 < 41 })
    }

    @Test func `each of many addresses gives way in its order, and those that end make room`() {
        let pending = HandshakesUnderWay()
        let first = begin(10, from: 1, in: pending)
        first[3].giveWay()
        first[0].giveWay()
        #expect(pending.count == 8)
        let others = (2..<8).flatMap { begin(1, from: $0, in: pending) }
        #expect(pending.count == 10 && !others.contains { $0.hasGivenWay })
        #expect(first.map(\.hasGivenWay) == [true, true, true, true, true, true, false, false, false, false])
        for fake in first + others where !fake.hasGivenWay { fake.giveWay() }
        #expect(pending.count == 0)
    }
}
