import CallDeadlines
import GRDB
import SQLiteStore
import Storage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct CallDeadlineTests {
    private func insert(
        _ name: String, into database: SQLiteDatabase, before deadline: CallDeadline? = nil
    ) async throws {
        try await CallDeadline.$current.withValue(deadline) {
            try await database.add(name)
        }
    }

    private func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? StorageError)?.code }
    }

    private func pass(_ deadline: CallDeadline) async throws {
        while !deadline.hasPassed { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `a write whose caller gives up while another process holds the file is not done`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let holder = try folder.outsider()
        try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let deadline = CallDeadline(in: .milliseconds(50))
        async let late = code { try await insert("late", into: database, before: deadline) }
        try await pass(deadline)
        try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(await late == .late)
        #expect(try await database.names().isEmpty)
    }

    private final class Signal: Sendable {
        private let value = Atomic(false)
        var isGiven: Bool { value.load(ordering: .acquiring) }
        func give() { value.store(true, ordering: .releasing) }
    }

    @Test func `of a group the writes whose callers gave up fail alone`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        let deadline = CallDeadline(in: .milliseconds(50))
        let (isHeld, mayEnd) = (Signal(), Signal())
        let codes = try await withThrowingTaskGroup(of: (String, StorageError.Code?).self) { group in
            // Keeps the writer until all others wait for the next group.
            group.addTask {
                try await database.write { _ in
                    isHeld.give()
                    while !mayEnd.isGiven {}
                }
                return ("holder", nil)
            }
            while !isHeld.isGiven { try await Task.sleep(for: .milliseconds(1)) }
            for number in 0..<10 {
                let (name, deadline) = number.isMultiple(of: 3) ? ("late \(number)", deadline) : ("\(number)", nil)
                group.addTask { (name, await code { try await insert(name, into: database, before: deadline) }) }
            }
            try await pass(deadline)
            mayEnd.give()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(codes == ["late 0": .late, "late 3": .late, "late 6": .late, "late 9": .late])
        #expect(try await database.names() == ["1", "2", "4", "5", "7", "8"])
    }

    @Test func `what finishes something committed is written though its caller gave up`() async throws {
        let folder = try ScratchFolder()
        let database = try folder.open()
        await CallDeadline.$current.withValue(CallDeadline(in: .zero)) {
            #expect(await code { try await insert("new", into: database, before: CallDeadline.current) } == .late)
            #expect(
                await code {
                    try await CallDeadline.lifted {
                        try await insert("rest", into: database, before: CallDeadline.current)
                    }
                } == nil)
        }
        #expect(try await database.names() == ["rest"])
    }

    @Test func `a call made on behalf of another waits for the shorter of the two times`() {
        #expect(CallDeadline.shorten(.seconds(300)) == .seconds(300))
        CallDeadline.$current.withValue(CallDeadline(in: .seconds(200))) {
            #expect(CallDeadline.shorten(.seconds(300)) <= .seconds(200))
            #expect(CallDeadline.shorten(.seconds(1)) == .seconds(1))
        }
        CallDeadline.$current.withValue(CallDeadline(in: .seconds(-5))) {
            #expect(CallDeadline.shorten(.seconds(3)) <= .zero)
        }
    }

    @Test func `a deadline is counted on the clock that the machine's sleep does not stop`() {
        let now = BootClock.nanoseconds()
        #expect(CallDeadline(in: .seconds(2), now: now - 2_000_000_000).hasPassed)
        #expect(!CallDeadline(in: .seconds(200), now: now).hasPassed)
        #expect(CallDeadline(in: .seconds(Int64.max), now: now).rest > .seconds(3000))
    }
}
