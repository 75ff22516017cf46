import SQLiteStore
import Testing

@Suite struct LeaseTests {
    private func lease(_ holder: String) -> Lease { Lease(name: "rotation", holder: holder, lifetimeSeconds: 30) }

    private func take(_ holder: String, at now: Int64, in database: SQLiteDatabase) async throws -> Bool {
        let lease = lease(holder)
        return try await database.write { try lease.take(now: now, in: $0) }
    }

    @Test func `one holder has it until it ends, and the holder prolongs it`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open([Lease.migration])
        #expect(try await take("a", at: 100, in: database))
        #expect(try await !take("b", at: 129, in: database))
        #expect(try await take("a", at: 129, in: database))
        #expect(try await !take("b", at: 158, in: database))
        #expect(try await take("b", at: 159, in: database))
        #expect(try await !take("a", at: 159, in: database))
    }

    @Test func `a released lease is free at once`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open([Lease.migration])
        #expect(try await take("a", at: 100, in: database))
        try await database.write { [lease] in try lease("a").release(in: $0) }
        #expect(try await take("b", at: 100, in: database))
    }

    @Test func `of two processes that ask together one gets it`() async throws {
        let folder = try ScratchFolder()
        let databases = [try folder.open([Lease.migration]), try folder.open([Lease.migration])]
        let takers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, database) in databases.enumerated() {
                group.addTask { try await take("\(index)", at: 100, in: database) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(takers == 1)
    }
}
