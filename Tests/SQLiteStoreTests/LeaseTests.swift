import SQLiteStore
import Storage
import Testing

@Suite struct LeaseTests {
    private func lease(_ holder: String) -> Lease { Lease(name: "rotation", holder: holder, lifetimeSeconds: 30) }

    private func leases(_ folder: ScratchFolder) throws -> SQLiteLeases {
        SQLiteLeases(database: try folder.open([ScratchFolder.leases]))
    }

    @Test func `one holder has it until it ends, and the holder prolongs it`() async throws {
        let folder = try ScratchFolder()
        let leases = try leases(folder)
        #expect(try await leases.take(lease("a"), now: 100))
        #expect(try await !leases.take(lease("b"), now: 129))
        #expect(try await leases.take(lease("a"), now: 129))
        #expect(try await !leases.take(lease("b"), now: 158))
        #expect(try await leases.take(lease("b"), now: 159))
        #expect(try await !leases.take(lease("a"), now: 159))
    }

    @Test(arguments: [20, 600, 86_400, 100_000_000])
    func `a holder that is gone is waited for no longer after the clock was set back`(step: Int64) async throws {
        let folder = try ScratchFolder()
        let leases = try leases(folder)
        #expect(try await leases.take(lease("a"), now: 200_000_000))
        let now = 200_000_000 - step
        #expect(try await leases.take(lease("b"), now: now) == (step > 30))
        #expect(try await leases.take(lease("b"), now: now + 50))
    }

    @Test func `a released lease is free at once`() async throws {
        let folder = try ScratchFolder()
        let leases = try leases(folder)
        #expect(try await leases.take(lease("a"), now: 100))
        try await leases.release(lease("a"))
        #expect(try await leases.take(lease("b"), now: 100))
    }

    @Test func `of two processes that ask together one gets it`() async throws {
        let folder = try ScratchFolder()
        let replicas = [try leases(folder), try leases(folder)]
        let takers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, leases) in replicas.enumerated() {
                group.addTask { try await leases.take(lease("\(index)"), now: 100) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(takers == 1)
    }
}
