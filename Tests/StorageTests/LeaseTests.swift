import Storage
import TestSupport
import Testing

/// The right of one process among replicas.
@Suite(.timeLimit(.minutes(5))) struct LeaseTests {
    /// Time passes by leases that get older, since a server has its own clock. They last far longer than the tests take.
    private static let now: Int64 = 200_000_000

    private func lease(_ holder: String) -> Lease { Lease(name: "rotation", holder: holder, lifetimeSeconds: 3_000) }

    private func take(_ holder: String, of database: any StorageDatabase) async throws -> Bool {
        try await Leases(database: database).take(lease(holder), now: Self.now)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `one holder has it until it expires, and the holder extends it`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        #expect(try await take("a", of: database))
        try await database.age(2_000)
        #expect(try await !take("b", of: database))
        #expect(try await take("a", of: database))
        try await database.age(2_000)
        #expect(try await !take("b", of: database))
        try await database.age(1_000)
        #expect(try await take("b", of: database))
        #expect(try await !take("a", of: database))
    }

    @Test(arguments: DatabaseKind.allCases, [2_000, 60_000, 8_640_000, 100_000_000])
    func `a holder that is gone is waited for no longer after the clock was set back`(
        kind: DatabaseKind, step: Int64
    ) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        #expect(try await take("a", of: database))
        try await database.age(-step)
        #expect(try await take("b", of: database) == (step > 3_000))
        try await database.age(5_000)
        #expect(try await take("b", of: database))
    }

    @Test(arguments: DatabaseKind.allCases) func `a released lease is free at once`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        #expect(try await take("a", of: database))
        try await Leases(database: database).release(lease("b"))
        #expect(try await !take("b", of: database))
        try await Leases(database: database).release(lease("a"))
        #expect(try await take("b", of: database))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `one of two replicas that ask together gets it`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let replicas = [test.database, try test.open()]
        let takers = try await concurrently(2) { number in try await take("\(number)", of: replicas[number]) }
        #expect(takers.count { $0 } == 1)
    }
}
