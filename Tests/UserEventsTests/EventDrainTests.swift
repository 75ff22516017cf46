import AsyncHTTPClient
import Foundation
import Logging
import ServiceCalls
import Storage
import Synchronization
import TestSupport
import Testing

@testable import UserEvents

/// A service's drain over a real queue, with a clock of the test's.
private final class DrainFixture: Sendable {
    static let secret = "v1,whsec_" + Data(repeating: 7, count: 32).base64EncodedString()

    let storage: QueueUnderTest
    let state = HookState()
    let clock = Mutex<Int64>(1_000)
    /// The most events whose bodies were made at once.
    let largestBatch = Mutex(0)

    init(_ engine: DatabaseKind = .sqlite) async throws { storage = try await QueueUnderTest(engine) }

    /// A user's number, or the bytes of an id that has different ones.
    private static func name(_ user: [UInt8]) -> String {
        Set(user).count == 1 ? "\(user[0])" : user.map(String.init).joined(separator: ".")
    }

    var now: Int64 { clock.withLock { $0 } }

    func advance(_ seconds: Int64) { clock.withLock { $0 += seconds } }

    /// Runs `body` with a drain that posts to `url`.
    func withDrain<Value>(to url: String, _ body: (EventDrain) async throws -> Value) async throws -> Value {
        let client = makeHTTPClient(connectSeconds: 60)
        let poster = EventPoster(
            url: url, signature: try WebhookSignature(secrets: Self.secret),
            exchange: HTTPProviderExchange(client: client, answerBytesMax: EventLimits.answerBytesMax),
            now: { self.now })
        let drain = EventDrain(
            queue: storage.queue, poster: poster, state: state, holder: "a", now: { self.now }, ageNow: { self.now },
            logger: Logger(label: "test"),
            bodies: { events in
                self.largestBatch.withLock { $0 = max($0, events.count) }
                return events.map { EventBody($0, userID: "usr_\(Self.name($0.user))") }
            })
        do {
            let value = try await body(drain)
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    var pending: Int64 { get async throws { try await storage.queue.standing().pending } }
}

/// The drain against a receiver over HTTP.
@Suite(.timeLimit(.minutes(20))) struct EventDrainTests {
    @Test(arguments: DatabaseKind.allCases)
    func `events arrive signed, several users at once, each user's in their order`(_ engine: DatabaseKind) async throws
    {
        let fixture = try await DrainFixture(engine)
        for _ in 0..<5 { try await fixture.storage.add(Array(1...60), now: 1_000) }
        let receiver = EventReceiver { _ in .status(204) }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url + "/events") { await $0.round() }
        }
        let received = receiver.received
        #expect(received.count == 300 && Set(received.map(\.id)).count == 300)
        #expect(try await fixture.pending == 0)
        let signature = try WebhookSignature(secrets: DrainFixture.secret)
        for request in received {
            #expect(
                request.path == "/events"
                    && signature.isValid(
                        id: request.id, timestamp: request.headers["webhook-timestamp"] ?? "", body: request.body,
                        header: request.headers["webhook-signature"] ?? "", now: 1_000)
            )
        }
        for user in 1...60 {
            let own = received.filter { $0.data["userId"] as? String == "usr_\(user)" }.compactMap {
                $0.data["sequence"] as? Int
            }
            #expect(own == (0..<5).map { 1_000_000 + $0 })
        }
    }

    @Test(arguments: [
        EventReceiver.Treatment.status(500), .status(429), .redirect(to: "/elsewhere"), .close, .hang, .trickle,
    ])
    func `an event that fails is tried again, and others are not held back`(
        _ treatment: EventReceiver.Treatment
    ) async throws {
        let fixture = try await DrainFixture()
        try await fixture.storage.add([1, 1, 2, 3, 2], now: 1_000)
        let receiver = EventReceiver { $0.data["userId"] as? String == "usr_1" ? treatment : .status(200) }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { drain in
                try await promptly("the round") { await drain.round() }
                #expect(try await fixture.pending == 2)
                // The second event of the user was not tried, and no redirect was followed.
                #expect(receiver.received.count == 4 && receiver.received.allSatisfy { $0.path == "/" })
                await drain.round()
                #expect(receiver.received.count == 4)
                receiver.treat { _ in .status(200) }
                fixture.advance(1)
                await drain.round()
                #expect(try await fixture.pending == 0)
                let own = receiver.received.filter { $0.data["userId"] as? String == "usr_1" }.map(\.id)
                #expect(own.count == 3 && own[0] == own[1] && own[1] != own[2])
            }
        }
    }

    @Test func `results are stored, and the lease prolonged, while events wait for a slow receiver`() async throws {
        let fixture = try await DrainFixture()
        let count = 6 * EventLimits.placesMax
        try await fixture.storage.add((1...count).map { UInt8($0) }, now: 1_000)
        let receiver = EventReceiver { _ in .slow }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { drain in
                async let round: Void = drain.round()
                while try await fixture.pending == count { try await Task.sleep(for: .milliseconds(50)) }
                #expect(receiver.received.count <= count - 2 * EventLimits.placesMax)
                await round
                #expect(try await fixture.pending == 0 && receiver.received.count == count)
            }
        }
    }

    @Test func `a response larger than allowed counts by its status`() async throws {
        let fixture = try await DrainFixture()
        try await fixture.storage.add([1], now: 1_000)
        let receiver = EventReceiver { _ in .large(EventLimits.answerBytesMax + 1) }
        try await receiver.serve { url in try await fixture.withDrain(to: url) { await $0.round() } }
        #expect(try await fixture.pending == 0)
    }

    @Test func `410 stops the hook, and a replay lets it go on`() async throws {
        let fixture = try await DrainFixture()
        try await fixture.storage.add([1, 2, 3], now: 1_000)
        let receiver = EventReceiver { _ in .status(410) }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { drain in
                await drain.round()
                let tried = receiver.received.count
                #expect(fixture.state.isStopped && tried <= 3)
                fixture.advance(4_000)
                await drain.round()
                let pending = try await fixture.pending
                #expect(pending == 3 && receiver.received.count == tried)
                receiver.treat { _ in .status(200) }
                let replayed = try await fixture.storage.queue.replay(since: 1_000, now: fixture.now)
                #expect(replayed.count == 3)
                fixture.state.resume()
                await drain.round()
                #expect(try await fixture.pending == 0)
            }
        }
    }

    @Test(arguments: FaultyServer.allCases)
    func `a server that cannot be reached costs a few attempts and no event`(_ server: FaultyServer) async throws {
        let fixture = try await DrainFixture()
        try await fixture.storage.add(Array(1...100), now: 1_000)
        try await server.withURL { url in
            try await fixture.withDrain(to: url) { drain in
                try await promptly("the round") { await drain.round() }
            }
        }
        #expect(try await fixture.storage.queue.standing() == .init(pending: 100, oldestAt: 1_000, givenUp: 0))
        let tried = try await fixture.storage.rows("attempts > 0")
        // The hook pauses after the first ones.
        #expect((1..<100).contains(tried) && !fixture.state.isStopped)
    }

    @Test func `after three days of failures an event is given up, and the next one is tried`() async throws {
        let fixture = try await DrainFixture()
        try await fixture.storage.add([1, 1], now: 1_000)
        let receiver = EventReceiver { _ in .status(500) }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { drain in
                await drain.round()
                fixture.advance(3 * 86_400)
                receiver.treat { ($0.data["sequence"] as? Int) == 1_000_000 ? .status(500) : .status(200) }
                // The second event, which has waited, would have its attempts too.
                for _ in 1..<EventLimits.attemptsMin {
                    let pending = try await fixture.pending
                    #expect(pending == 2)
                    await drain.round()
                    fixture.advance(300)
                }
            }
        }
        #expect(try await fixture.storage.queue.standing() == .init(pending: 0, oldestAt: nil, givenUp: 1))
    }

    @Test func `what a stopped hook has left for a month is given up, and says so`() async throws {
        let fixture = try await DrainFixture()
        try await fixture.storage.add([1, 2], now: 1_000)
        let receiver = EventReceiver { _ in .status(410) }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { drain in
                await drain.round()
                fixture.advance(EventLimits.waitingSecondsMax - 1)
                await drain.count()
                let pending = try await fixture.pending
                #expect(pending == 2)
                fixture.advance(1)
                await drain.count()
            }
        }
        #expect(try await fixture.storage.queue.standing() == .init(pending: 0, oldestAt: nil, givenUp: 2))
    }

    /// With `LATCHKEY_LONG_TESTS=1` of 20,000 users; `deploy/bench events` sends those of 100,000.
    @Test(arguments: DatabaseKind.allCases)
    func `a burst of deactivations is drained in order, in batches that fit in memory`(
        _ engine: DatabaseKind
    ) async throws {
        let count = LongRun.isOn ? 20_000 : 2_000
        let fixture = try await DrainFixture(engine)
        let users = (0..<count).map { number in
            [UInt8](repeating: 9, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        for first in stride(from: 0, to: count, by: 500) {
            let events = users[first..<min(first + 500, count)].flatMap {
                [UserEvent(.deactivated, of: $0), UserEvent(.reactivated, of: $0)]
            }
            try await fixture.storage.database.write { try EventRows.insert(events, now: 1_000, in: $0) }
        }
        let newest = Mutex<[String: Int]>([:])
        let receiver = EventReceiver(keepsLog: false) { request in
            guard let user = request.data["userId"] as? String, let sequence = request.data["sequence"] as? Int else {
                return .status(500)
            }
            return newest.withLock { newest in
                // Out of order, or twice: the event fails, and the queue does not become empty.
                guard sequence == newest[user, default: 999_999] + 1 else { return .status(500) }
                newest[user] = sequence
                return .status(204)
            }
        }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { await $0.round() }
        }
        #expect(try await fixture.storage.queue.standing() == .init(pending: 0, oldestAt: nil, givenUp: 0))
        #expect(newest.withLock { $0.count == count && $0.values.allSatisfy { $0 == 1_000_001 } })
        #expect((1...EventLimits.batchMax).contains(fixture.largestBatch.withLock { $0 }))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a burst is drained while events of the same users are written`(_ engine: DatabaseKind) async throws {
        let fixture = try await DrainFixture(engine)
        let receiver = EventReceiver { _ in .status(200) }
        try await receiver.serve { url in
            try await fixture.withDrain(to: url) { drain in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for _ in 0..<20 { try await fixture.storage.add(Array(1...10), now: 1_000) }
                    }
                    group.addTask {
                        while receiver.received.count < 200 { await drain.round() }
                    }
                    try await group.waitForAll()
                }
                await drain.round()
            }
        }
        #expect(try await fixture.pending == 0)
        for user in 1...10 {
            let own = receiver.received.filter { $0.data["userId"] as? String == "usr_\(user)" }.map(\.id)
            #expect(own == own.sorted() && own.count == 20)
        }
    }
}
