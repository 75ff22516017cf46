import Policies
import Testing

@testable import EdgeHTTP

@Suite struct HandshakesUnderWayTests {
    private final class Fake: PendingHandshake {
        let pending: HandshakesUnderWay
        let scope: LimitScope?
        var isUnderWay = true

        init(_ pending: HandshakesUnderWay, _ scope: LimitScope?) {
            self.pending = pending
            self.scope = scope
        }

        func giveWay() {
            isUnderWay = false
            pending.didEnd(of: scope)
        }
    }

    private static func scope(_ number: UInt32) -> LimitScope? { IPAddress(ipv4: number).limitScopes.first }

    private func begin(_ count: Int, from number: UInt32, in pending: HandshakesUnderWay) -> [Fake] {
        (0..<count).map { _ in
            let fake = Fake(pending, Self.scope(number))
            pending.add(fake, of: fake.scope, countMax: 10)
            return fake
        }
    }

    @Test func `the oldest of whoever has most gives way, not the one who came first`() {
        let pending = HandshakesUnderWay()
        let honest = begin(1, from: 1, in: pending)
        let flood = begin(50, from: 2, in: pending)
        #expect(pending.count == 10)
        #expect(honest.map(\.isUnderWay) == [true])
        #expect(flood.map(\.isUnderWay) == (0..<50).map { $0 >= 41 })
    }

    @Test func `each of many addresses gives way in its order, and those that end make room`() {
        let pending = HandshakesUnderWay()
        let first = begin(10, from: 1, in: pending)
        first[3].giveWay()
        first[0].giveWay()
        #expect(pending.count == 8)
        let others = (2..<8).flatMap { begin(1, from: $0, in: pending) }
        #expect(pending.count == 10 && others.allSatisfy { $0.isUnderWay })
        #expect(first.map(\.isUnderWay) == [false, false, false, false, false, false, true, true, true, true])
        for fake in first + others where fake.isUnderWay { fake.giveWay() }
        #expect(pending.count == 0)
    }
}
