import ServiceKit
import Storage
import TestSupport
import Testing

@testable import UserEvents

/// The promises of the queue on every engine.
@Suite struct EventQueueTests {
    private func users(_ events: [QueuedEvent]) -> [UInt8] { events.compactMap(\.user.first) }

    @Test(arguments: DatabaseKind.allCases)
    func `events are claimed in their order, and a delivered one no more`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        #expect(try await !storage.queue.hasDue(now: 1_000))
        try await storage.add([1, 2, 1], now: 1_000)
        #expect(try await !storage.queue.hasDue(now: 999))
        #expect(try await storage.queue.hasDue(now: 1_000))
        let events = try await storage.turn(now: 1_000)
        #expect(users(events).filter { $0 == 1 }.count == 2 && events.count == 3)
        let own = events.filter { $0.user == QueueUnderTest.user(1) }
        #expect(own.map(\.sequence) == [1_000_000, 1_000_001])
        #expect(try await users(storage.turn(besides: [1], now: 1_000)) == [2])
        #expect(try await storage.turn(limit: 0, now: 1_000).isEmpty)
        let left = try await storage.turn(
            events.dropLast().map { EventResult(event: $0, step: .delivered) }, now: 1_001)
        #expect(left == [events[2]])
        #expect(try await storage.queue.standing() == .init(pending: 1, oldestAt: 1_000, givenUp: 0))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an event that fails holds back the later ones of its user alone`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1, 1, 2], now: 1_000)
        let first = try #require(try await storage.turn(now: 1_000).first { $0.user == QueueUnderTest.user(1) })
        #expect(try await users(storage.turn([EventResult(event: first, step: .retry(at: 1_060))], now: 1_000)) == [2])
        // An event that is written meanwhile waits too.
        try await storage.add([1], now: 1_001)
        #expect(try await users(storage.turn(now: 1_059)) == [2])
        let again = try await storage.turn(besides: [2], now: 1_060)
        #expect(again.map(\.id).first == first.id && again.map(\.attempts) == [1, 0, 0])
        #expect(again.map(\.sequence) == again.map(\.sequence).sorted())
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a given-up event holds back none, is counted and stays`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1, 1], now: 1_000)
        let events = try await storage.turn(now: 1_000)
        #expect(try await storage.turn([EventResult(event: events[0], step: .givenUp)], now: 1_001) == [events[1]])
        #expect(try await storage.queue.standing() == .init(pending: 1, oldestAt: 1_000, givenUp: 1))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `one replica posts at a time`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1], now: 1_000)
        let now = UnixTime.seconds()
        #expect(try await storage.turn(now: now).count == 1)
        #expect(
            try await storage.queue.turn([], besides: [], limit: 9, lease: QueueUnderTest.lease("b"), now: now) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a replay queues the events since a time again, in their order`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1], now: 1_000)
        try await storage.add([1, 1], now: 2_000)
        let events = try await storage.turn(now: 2_000)
        let steps: [EventResult.Step] = [.delivered, .givenUp, .delivered]
        _ = try await storage.turn(zip(events, steps).map { EventResult(event: $0, step: $1) }, now: 2_000)
        try await storage.add([1], now: 2_001)
        let waiting = try #require(try await storage.turn(now: 2_001).first)
        #expect(try await storage.turn([EventResult(event: waiting, step: .retry(at: 2_300))], now: 2_001).isEmpty)
        #expect(try await storage.queue.replay(since: 2_000, now: 2_100).count == 3)
        let again = try await storage.turn(now: 2_100)
        #expect(again.map(\.id) == events.dropFirst().map(\.id) + [waiting.id])
        #expect(
            again.allSatisfy { $0.attempts == 0 && $0.queuedAt == 2_100 }
                && again.map(\.madeAt) == [2_000, 2_000, 2_001])
        #expect(try await storage.queue.standing().givenUp == 0)
        // The results of attempts from before the replay do not end it.
        let ends = again.map { EventResult(event: $0, step: .givenUp) }
        #expect(try await storage.queue.replay(since: 9_000, now: 2_101).count == 3)
        #expect(try await storage.turn(ends, now: 2_101).map(\.id) == again.map(\.id))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a replay of more users than one call queues all their events`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        let users = EventLimits.replayedMax * EventLimits.replaysMax + 50
        let events = (0..<(users + 150)).map { number in
            let user = number % users
            return UserEvent(.updated, of: [UInt8(user / 256), UInt8(user % 256)] + Array(repeating: 0, count: 14))
        }
        try await storage.database.write { try EventRows.insert(events, now: 1_000, in: $0) }
        try await storage.database.write { try $0.run("UPDATE user_events SET due_at = NULL, settled_at = 1000") }
        let (count, next) = try await storage.queue.replay(since: 0, now: 1_001)
        let rest = try await storage.queue.replay(after: try #require(next), since: 0, now: 1_001)
        #expect(rest.next == nil && count + rest.count == events.count && rest.count == 50)
        #expect(try await storage.queue.standing().pending == Int64(events.count))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a sequence grows when the clock goes back, and an attempt from the future is due`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1], now: 90_000)
        try await storage.add([1], now: 1_000)
        #expect(try await storage.queue.hasDue(now: 1_000))
        #expect(try await storage.turn(now: 1_000).map(\.sequence) == [90_000_000, 90_000_001])
        #expect(try await !storage.queue.hasDue(now: 999))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `after the clock was set back a user's events keep their order`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        // The first is due a moment from now, the second was written by the clock before it was set back.
        try await storage.add([1], now: 1_300)
        try await storage.add([1], now: 90_000)
        try await storage.add([2], now: 1_000)
        let events = try await storage.turn(now: 1_000)
        #expect(events.filter { $0.user == QueueUnderTest.user(1) }.map(\.sequence) == [1_300_000, 90_000_000])
        #expect(events.count == 3)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what has waited for too long is given up, oldest first, and an attempt under way still counts`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1, 2], now: 1_000)
        try await storage.add([1], now: 1_001)
        let events = try await storage.turn(now: 1_001)
        #expect(try await storage.queue.giveUp(queuedUntil: 1_000, now: 5_000) == 2)
        #expect(try await storage.queue.standing() == .init(pending: 1, oldestAt: 1_001, givenUp: 2))
        #expect(try await storage.queue.giveUp(queuedUntil: 1_000, now: 5_000) == 0)
        let delivered = try #require(events.first { $0.user == QueueUnderTest.user(2) })
        _ = try await storage.turn([EventResult(event: delivered, step: .delivered)], now: 5_000)
        #expect(try await storage.queue.standing().givenUp == 1)
    }

    /// SQLite has one writer at a time.
    @Test func `an event that is replayed meanwhile is not given up`() async throws {
        let storage = try await QueueUnderTest(.postgreSQL)
        try await storage.add([1], now: 1_000)
        let (replayed, replay) = AsyncStream.makeStream(of: Void.self)
        async let held: Void = storage.database.write { transaction in
            // With a result, since a change without one is sent later.
            _ = try transaction.rows("UPDATE user_events SET due_at = 5000, queued_at = 5000 RETURNING 1")
            replay.finish()
            // Meanwhile the other statement has read the row as it was, and waits.
            _ = try transaction.rows("SELECT count(*) FROM (SELECT pg_sleep(1)) AS pause")
        }
        for await _ in replayed {}
        #expect(try await storage.queue.giveUp(queuedUntil: 1_000, now: 5_000) == 0)
        try await held
        #expect(try await storage.queue.standing() == .init(pending: 1, oldestAt: 5_000, givenUp: 0))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lease that is released is another's at once`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1], now: 1_000)
        let now = UnixTime.seconds()
        #expect(try await storage.turn(now: now).count == 1)
        // Only its holder releases it.
        try await storage.queue.release(QueueUnderTest.lease("b"))
        func turn() async throws -> Int? {
            try await storage.queue.turn([], besides: [], limit: 9, lease: QueueUnderTest.lease("b"), now: now)?.count
        }
        #expect(try await turn() == nil)
        try await storage.queue.release(QueueUnderTest.lease("a"))
        #expect(try await turn() == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `events of one user that are written at once get different sequences`(_ engine: DatabaseKind) async throws {
        let storage = try await QueueUnderTest(engine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await storage.add([1], now: 1_000) } }
            try await group.waitForAll()
        }
        #expect(try await storage.turn(now: 1_000).map(\.sequence) == (0..<20).map { 1_000_000 + $0 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `delivered events expire after the policy's days, given-up ones after a month, and the others after two`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await QueueUnderTest(engine)
        try await storage.add([1, 2, 3], now: 1_000)
        let events = try await storage.turn(now: 1_000)
        let results = [EventResult(event: events[0], step: .delivered), EventResult(event: events[1], step: .givenUp)]
        _ = try await storage.turn(results, now: 1_000)
        let day: Int64 = 86_400
        for (now, left) in [
            (1_000 + 2 * day - 1, 3), (1_000 + 2 * day, 2), (1_000 + 30 * day - 1, 2), (1_000 + 30 * day, 1),
            (1_000 + 60 * day - 1, 1), (1_000 + 60 * day, 0),
        ] {
            let sweep = EventRows.sweep(keepDays: 2)
            let found = try await storage.database.read { try sweep.find(from: .null, now: now, in: $0) }
            _ = try await storage.database.write { try sweep.remove(found.keys, now: now, in: $0) }
            #expect(try await storage.rows() == left)
        }
    }

    @Test func `what runs for each event reads an index, and nothing is sorted`() async throws {
        let storage = try await QueueUnderTest(.sqlite)
        let plans = try await storage.database.read { reading in
            try [
                EventRows.insertion, EventRows.postponed, EventQueue.ends, EventQueue.due(besides: 2),
                EventQueue.wakened,
            ].map { try QueryPlan.of($0, in: reading) }
        }
        let indexes = [
            ["user_events_by_user", "user_events_waiting"], ["user_events_waiting"], ["user_events_by_due"],
            ["user_events_by_due"], ["user_events_by_due"],
        ]
        for (plan, names) in zip(plans, indexes) {
            #expect(names.allSatisfy(plan.contains) && !plan.contains("TEMP B-TREE"), "\(plan)")
        }
    }
}
