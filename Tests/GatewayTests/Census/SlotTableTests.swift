import NIOEmbedded
import Policies
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct SlotTableTests {
    private var slots = SlotTable()
    private let channel = EmbeddedChannel()
    private let census = ConnectionCensus(connectionsMax: ServerLimits().connectionsMax)

    private mutating func admit(
        scopes: [LimitScope], _ rank: ConnectionRank = .idle, movedAt: UInt64 = 0, max: Int
    ) -> ConnectionSlot? {
        slots.admit(scopes: scopes, perAddressMax: max) {
            ConnectionSlot(
                id: $0, channel: channel, census: census, standing: Standing(rank, milliseconds: movedAt))
        }
    }

    private mutating func admit(
        _ address: String, _ rank: ConnectionRank = .idle, movedAt: UInt64 = 0, max: Int = 2_000
    ) throws -> ConnectionSlot? {
        admit(scopes: try #require(IPAddress(address)).limitScopes, rank, movedAt: movedAt, max: max)
    }

    /// Calls that change the slots cannot stand in `#expect` itself.
    private func expect(
        _ chosen: ConnectionSlot?, _ wanted: ConnectionSlot?, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(chosen === wanted, sourceLocation: location)
    }

    @Test mutating func `the address that holds most loses the one that has rested longest`() throws {
        let few = try admit("192.0.2.1", movedAt: 1)
        let recent = try admit("192.0.2.2", movedAt: 9)
        let oldest = try admit("192.0.2.2", movedAt: 5)
        let unfinished = try admit("192.0.2.2", .unfinished, movedAt: 2)
        expect(slots.takeBack(now: 10)?.slot, oldest)
        expect(slots.takeBack(now: 10)?.slot, recent)
        expect(slots.takeBack(now: 10)?.slot, unfinished)
        expect(slots.takeBack(now: 10)?.slot, few)
        expect(slots.takeBack(now: 10)?.slot, nil)
    }

    @Test mutating func `one that is answered goes only when nobody rests anywhere`() throws {
        var answered: [ConnectionSlot?] = []
        for _ in 0..<3 { answered.append(try admit("192.0.2.1", .answering)) }
        let idle = try admit("192.0.2.9", .idle)
        expect(slots.takeBack(now: 1)?.slot, idle)
        // New connections wait until that one is closed.
        expect(slots.takeBack(now: 1)?.slot, nil)
        slots.remove(try #require(idle))
        let last = slots.takeBack(now: 1)
        #expect(answered.contains { $0 === last?.slot } && last?.rank == .answering)
    }

    @Test mutating func `one that rests is found behind groups that are all answered`() throws {
        for number in 1...40 {
            for _ in 0..<3 { _ = try admit("192.0.2.\(number)", .answering) }
        }
        let idle = try admit("198.51.100.1")
        expect(slots.takeBack(now: 1)?.slot, idle)
    }

    @Test mutating func `who moved since it was looked at stays`() throws {
        let first = try admit("192.0.2.1", movedAt: 0)
        let second = try admit("192.0.2.1", movedAt: 1)
        let third = try admit("192.0.2.1", movedAt: 2)
        for _ in 0..<200 { _ = try admit("192.0.2.1", movedAt: 9) }
        expect(slots.takeBack(now: 5)?.slot, first)
        second?.note(Standing(.answering, milliseconds: 4))
        expect(slots.takeBack(now: 5)?.slot, third)
    }

    @Test mutating func `a chosen one that keeps its slot can be chosen again`() throws {
        let admitted = try admit("192.0.2.1")
        let only = try #require(admitted)
        expect(slots.takeBack(now: 0)?.slot, only)
        expect(slots.takeBack(now: 1_000)?.slot, nil)
        slots.keep(only)
        expect(slots.takeBack(now: 2_000)?.slot, only)
    }

    @Test mutating func `connections behind a trusted proxy are counted and stay`() throws {
        let admitted = (0..<2).map { _ in admit(scopes: [], max: 1) }
        #expect(admitted.allSatisfy { $0 != nil })
        let chosen = slots.takeBack(now: 0)
        #expect(slots.count == 2 && chosen == nil)
    }

    @Test mutating func `a proxy's connection is counted by the client that it is announced for`() throws {
        let client = try #require(IPAddress("192.0.2.1")).limitScopes
        let announced = try (0..<3).map { _ in
            let admitted = admit(scopes: [], max: 2)
            let slot = try #require(admitted)
            return (slot, slots.assign(slot, to: client, perAddressMax: 2))
        }
        #expect(announced.map(\.1) == [true, true, false])
        let direct = try admit("192.0.2.1", max: 2)
        expect(direct, nil)
        let chosen = slots.takeBack(now: 0)
        #expect(announced.prefix(2).contains { $0.0 === chosen?.slot })
        for (slot, _) in announced { slots.remove(slot) }
        let next = try admit("192.0.2.1", max: 2)
        #expect(next != nil && slots.count == 1)
    }

    @Test mutating func `an address has its maximum, a /56 four times and a /48 sixteen times as much`() throws {
        func opened(_ addresses: [String]) throws -> Int {
            var fresh = SlotTableTests()
            return try addresses.count { try fresh.admit($0, max: 3) != nil }
        }
        #expect(try opened(Array(repeating: "192.0.2.1", count: 10)) == 3)
        #expect(try opened((0..<10).map { "2001:db8:0:1::\($0)" }) == 3)
        #expect(try opened((0..<100).map { "2001:db8:0:1\(hex($0))::1" }) == 12)
        #expect(try opened((0..<100).map { "2001:db8:0:\(hex($0))00::1" }) == 48)
    }

    private func hex(_ number: Int) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }

    @Test mutating func `a network of many addresses loses before an address that holds less than its share`() throws {
        let alone = try admit("2001:db8:1::1")
        for number in 0..<40 { _ = try admit("2001:db8:2:\(hex(number))00::1") }
        let chosen = slots.takeBack(now: 0)?.slot
        #expect(chosen != nil && chosen !== alone)
    }

    @Test mutating func `two clients with as many connections lose them in turn, also those that are remembered`()
        throws
    {
        for number in 0..<1_280 { _ = try admit("192.0.2.\(number / 640)", movedAt: UInt64(number)) }
        var chosen: Set<UInt64> = []
        for _ in 0..<20 {
            let next = slots.takeBack(now: 0)
            chosen.insert(try #require(next).slot.standing.milliseconds)
        }
        #expect(chosen == Set(0..<10).union(640..<650))
    }

    @Test mutating func `a flood from one address takes few slots of clients with one connection each`() throws {
        for number in 0..<1_280 { _ = try admit("198.51.\(number / 256).\(number % 256)", movedAt: UInt64(number)) }
        var lost = 0
        for round in 0..<2_000 {
            let next = slots.takeBack(now: UInt64(round))
            let chosen = try #require(next).slot
            if chosen.standing.milliseconds < 1_280 { lost += 1 }
            slots.remove(chosen)
            _ = try admit("192.0.2.1", movedAt: UInt64(2_000 + round))
        }
        #expect(lost <= 1_280 / SlotTable.candidatesPart * 2)
    }

    @Test mutating func `the largest client is found among more connections than are examined`() throws {
        for number in 0..<14_000 { _ = try admit("10.0.\(number / 250).\(number % 250)", movedAt: UInt64(number)) }
        for _ in 0..<2_000 { _ = try admit("192.0.2.1", movedAt: 20_000) }
        for round in 0..<1_000 {
            let next = slots.takeBack(now: UInt64(round))
            let chosen = try #require(next).slot
            #expect(chosen.standing.milliseconds == 20_000)
            slots.remove(chosen)
        }
    }

    @Test mutating func `counts stay right through any order of comings and goings`() throws {
        var random = SystemRandomNumberGenerator()
        var open: [ConnectionSlot] = []
        for round in 0..<5_000 {
            let network = "\(Int.random(in: 0..<3, using: &random)):\(hex(Int.random(in: 0..<99, using: &random)))"
            if open.isEmpty || Bool.random(using: &random) {
                if let slot = try admit("2001:db8:\(network)::1", max: 50) { open.append(slot) }
            } else if round % 3 == 0, let chosen = slots.takeBack(now: UInt64(round) * 200) {
                slots.remove(chosen.slot)
                open.removeAll { $0 === chosen.slot }
            } else {
                slots.remove(open.remove(at: Int.random(in: open.indices, using: &random)))
            }
            #expect(slots.count == open.count)
        }
        for slot in open { slots.remove(slot) }
        let chosen = slots.takeBack(now: .max / 2)
        #expect(slots.count == 0 && chosen == nil)
    }

    @Test mutating func `taking back is cheap with all slots open and a flood of newcomers`() throws {
        var open: [ConnectionSlot] = []
        for number in 0..<16_384 {
            open.append(try #require(try admit("192.0.2.\(number % 9)", movedAt: UInt64(number))))
        }
        let replacing = try processorTime {
            for round in 0..<1_000 {
                slots.remove(open[round])
                _ = try admit("192.0.2.\(round % 9)", movedAt: UInt64(20_000 + round))
            }
        }
        let takingBack = try processorTime {
            for round in 0..<1_000 {
                let chosen = slots.takeBack(now: UInt64(round))
                slots.remove(try #require(chosen).slot)
                _ = try admit("192.0.2.\(round % 9)", movedAt: UInt64(30_000 + round))
            }
        }
        // About 30 connections are examined and sorted for each choice; it would be 1,800 if none were remembered.
        #expect(takingBack < 300 * replacing)
    }
}

@Suite struct IdleTimeTests {
    @Test(
        arguments: [
            (0, 30), (500, 30), (501, 29), (750, 16), (1_000, 3), (2_000, 3),
        ] as [(Int, Int64)])
    func `the fewer slots are left, the shorter a connection may rest`(_ open: Int, _ seconds: Int64) {
        #expect(IdleTime.seconds(longest: 30, open: open, max: 1_000) == seconds)
    }

    @Test func `a second is the least`() {
        #expect(IdleTime.seconds(longest: 1, open: 1_000, max: 1_000) == 1)
        #expect(IdleTime.seconds(longest: 5, open: 1_000, max: 1_000) == 1)
    }
}
