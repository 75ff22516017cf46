import Policies
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct ConnectionSlotsTests {
    private var slots = ConnectionSlots()

    private func standing(_ rank: ConnectionStanding.Rank, _ milliseconds: UInt64 = 0) -> ConnectionStanding {
        ConnectionStanding(.init(rank, milliseconds: milliseconds))
    }

    private mutating func admit(
        _ address: String, _ rank: ConnectionStanding.Rank = .idle, movedAt: UInt64 = 0, max: Int = 2_000
    ) throws -> ConnectionSlots.ID? {
        let scopes = try #require(IPAddress(address)).limitScopes
        return slots.admit(standing(rank, movedAt), scopes: scopes, perAddressMax: max)
    }

    /// Calls that change the slots cannot stand in `#expect` itself.
    private func expect(
        _ chosen: ConnectionSlots.ID?, _ wanted: ConnectionSlots.ID?, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(chosen == wanted, sourceLocation: location)
    }

    @Test mutating func `the address that holds most loses the one that has rested longest`() throws {
        let few = try admit("192.0.2.1", movedAt: 1)
        let recent = try admit("192.0.2.2", movedAt: 9)
        let oldest = try admit("192.0.2.2", movedAt: 5)
        let unfinished = try admit("192.0.2.2", .unfinished, movedAt: 2)
        expect(slots.takeBack(now: 10)?.id, oldest)
        expect(slots.takeBack(now: 10)?.id, recent)
        expect(slots.takeBack(now: 10)?.id, unfinished)
        expect(slots.takeBack(now: 10)?.id, few)
        expect(slots.takeBack(now: 10)?.id, nil)
    }

    @Test mutating func `one that is answered goes only when nobody rests anywhere`() throws {
        var answered: [ConnectionSlots.ID?] = []
        for _ in 0..<3 { answered.append(try admit("192.0.2.1", .answering)) }
        let idle = try admit("192.0.2.9", .idle)
        expect(slots.takeBack(now: 1)?.id, idle)
        // New connections wait until that one is closed.
        expect(slots.takeBack(now: 1)?.id, nil)
        slots.remove(try #require(idle))
        let last = slots.takeBack(now: 1)
        #expect(answered.contains(last?.id) && last?.rank == .answering)
    }

    @Test mutating func `one that rests is found behind groups that are all answered`() throws {
        for number in 1...40 {
            for _ in 0..<3 { _ = try admit("192.0.2.\(number)", .answering) }
        }
        let idle = try admit("198.51.100.1")
        expect(slots.takeBack(now: 1)?.id, idle)
    }

    @Test mutating func `who moved since it was looked at stays`() throws {
        let moving = standing(.idle, 1)
        let scopes = try #require(IPAddress("192.0.2.1")).limitScopes
        let first = slots.admit(standing(.idle, 0), scopes: scopes, perAddressMax: 9)
        let second = slots.admit(moving, scopes: scopes, perAddressMax: 9)
        let third = slots.admit(standing(.idle, 2), scopes: scopes, perAddressMax: 9)
        expect(slots.takeBack(now: 5)?.id, first)
        moving.note(.init(.answering, milliseconds: 4))
        expect(slots.takeBack(now: 5)?.id, third)
        _ = second
    }

    @Test mutating func `a chosen one that keeps its slot can be chosen again`() throws {
        let admitted = try admit("192.0.2.1")
        let only = try #require(admitted)
        expect(slots.takeBack(now: 0)?.id, only)
        expect(slots.takeBack(now: 1_000)?.id, nil)
        slots.keep(only)
        expect(slots.takeBack(now: 2_000)?.id, only)
    }

    @Test mutating func `connections behind a trusted proxy are counted and stay`() throws {
        let admitted = (0..<2).map { _ in slots.admit(standing(.idle), scopes: [], perAddressMax: 1) }
        #expect(!admitted.contains(nil))
        let chosen = slots.takeBack(now: 0)
        #expect(slots.count == 2 && chosen == nil)
    }

    @Test mutating func `a proxy's connection is counted by the client that it is announced for`() throws {
        let client = try #require(IPAddress("192.0.2.1")).limitScopes
        let announced = try (0..<3).map { _ in
            let admitted = slots.admit(standing(.idle), scopes: [], perAddressMax: 2)
            let id = try #require(admitted)
            return (id, slots.assign(id, to: client, perAddressMax: 2))
        }
        #expect(announced.map(\.1) == [true, true, false])
        let direct = try admit("192.0.2.1", max: 2)
        expect(direct, nil)
        let chosen = slots.takeBack(now: 0)
        #expect(announced.prefix(2).contains { $0.0 == chosen?.id })
        for (id, _) in announced { slots.remove(id) }
        let next = try admit("192.0.2.1", max: 2)
        #expect(next != nil && slots.count == 1)
    }

    @Test mutating func `an address has its maximum, a /56 four times and a /48 sixteen times as much`() throws {
        func opened(_ addresses: [String]) throws -> Int {
            var slots = ConnectionSlots()
            return try addresses.count { address in
                let scopes = try #require(IPAddress(address)).limitScopes
                return slots.admit(standing(.idle), scopes: scopes, perAddressMax: 3) != nil
            }
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
        let chosen = slots.takeBack(now: 0)?.id
        #expect(chosen != nil && chosen != alone)
    }

    @Test mutating func `counts stay right through any order of comings and goings`() throws {
        var random = SystemRandomNumberGenerator()
        var open: [ConnectionSlots.ID] = []
        for round in 0..<5_000 {
            let network = "\(Int.random(in: 0..<3, using: &random)):\(hex(Int.random(in: 0..<99, using: &random)))"
            if open.isEmpty || Bool.random(using: &random) {
                if let id = try admit("2001:db8:\(network)::1", max: 50) { open.append(id) }
            } else if round % 3 == 0, let chosen = slots.takeBack(now: UInt64(round) * 200) {
                slots.remove(chosen.id)
                open.removeAll { $0 == chosen.id }
            } else {
                slots.remove(open.remove(at: Int.random(in: open.indices, using: &random)))
            }
            #expect(slots.count == open.count)
        }
        for id in open { slots.remove(id) }
        let chosen = slots.takeBack(now: .max / 2)
        #expect(slots.count == 0 && chosen == nil)
    }

    @Test mutating func `taking back is cheap with all slots open and a flood of newcomers`() throws {
        var ids: [ConnectionSlots.ID] = []
        for number in 0..<16_384 {
            ids.append(try #require(try admit("192.0.2.\(number % 9)", movedAt: UInt64(number))))
        }
        let replacing = try processorTime {
            for round in 0..<1_000 {
                slots.remove(ids[round])
                _ = try admit("192.0.2.\(round % 9)", movedAt: UInt64(20_000 + round))
            }
        }
        let takingBack = try processorTime {
            for round in 0..<1_000 {
                let chosen = slots.takeBack(now: UInt64(round))
                slots.remove(try #require(chosen).id)
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
