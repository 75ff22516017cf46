import ServiceKit
import Synchronization
import Testing

@Suite final class RecentRecordsTests {
    private let records = RecentRecords<Int>()
    private let written = Mutex(0)

    private struct Away: Error {}

    private func write(_ key: Int, at now: Int64) async throws -> Bool {
        try await records.once(key, now: now) {
            written.withLock { $0 += 1 }
            return true
        }
    }

    @Test func `a key has one record an hour, and each key its own`() async throws {
        for now in [0, 1, 3_599] { #expect(try await write(1, at: Int64(now))) }
        #expect(written.withLock(\.self) == 1)
        #expect(try await write(2, at: 3_599))
        #expect(try await write(1, at: 3_600))
        #expect(written.withLock(\.self) == 3)
    }

    @Test func `one that was not written is none`() async throws {
        #expect(try await !records.once(1, now: 0) { false })
        await #expect(throws: Away.self) { try await records.once(1, now: 0) { throw Away() } }
        #expect(try await write(1, at: 0))
        #expect(written.withLock(\.self) == 1)
    }
}
