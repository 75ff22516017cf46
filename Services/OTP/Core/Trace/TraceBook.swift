import CoreMetrics
import Logging
import RedisClient
import ServiceKit
import ServiceLifecycle
import StrictJSON
import Synchronization

/// Keeps the events of each phone number and email address for two days, so that an operator can find out why a code did not
/// arrive.
///
/// No request waits for it. Entries are written a moment later, and are the first to be removed when Redis runs short of memory.
final class TraceBook: Service {
    /// The greatest number of entries that wait to be written; further ones are dropped and counted.
    static let queueMax = 1_024
    /// The greatest number of entries of one number and day.
    static let entriesMax = 32
    private static let bucketCount = 1_024
    private static let daySeconds: Int64 = 86_400
    /// The number of days that a trace of 48 hours covers.
    private static let daysRead: Int64 = 3
    private static let interval: Duration = .milliseconds(200)

    /// The tries to write an entry, because a provider may report on a message before its try is written.
    private static let writesMax = 10

    private struct Entry {
        let recipient: RecipientTag
        let time: Int64
        let words: [String]
        /// The number of writes that came too early.
        var writes = 0
    }

    private let redis: RedisClient
    private let isShort: @Sendable () -> Bool
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let queue = Mutex<[Entry]>([])

    /// - Parameters:
    ///   - isShort: whether Redis runs short of memory.
    ///   - now: Unix time in seconds.
    init(
        redis: RedisClient, isShort: @escaping @Sendable () -> Bool, now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        self.redis = redis
        self.isShort = isShort
        self.now = now
        self.logger = logger
    }

    /// Notes an event; returns at once.
    func note(_ event: TraceEvent, of recipient: RecipientTag) {
        let entry = Entry(recipient: recipient, time: now(), words: event.words(requestID: TracedRequest.id))
        let isKept = queue.withLock { queue in
            guard queue.count < Self.queueMax else { return false }
            queue.append(entry)
            return true
        }
        if !isKept { Self.countDropped(1) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wasShort = false
            while !Task.isCancelled {
                let isShort = self.isShort()
                if isShort, !wasShort { await self.dropAll() }
                wasShort = isShort
                await self.flush()
                // Cancellation ends the pause; the loop's condition sees it.
                do { try await pause(for: Self.interval) } catch { return }
            }
        }
    }

    /// Writes the waiting entries; those that Redis does not accept are dropped.
    func flush() async {
        let entries = queue.withLock { queue in
            defer { queue = [] }
            return queue
        }
        guard !entries.isEmpty else { return }
        guard !isShort() else { return Self.countDropped(entries.count) }
        for entry in entries {
            do {
                let isWritten = try await write(entry)
                if !isWritten { keepForLater(entry) }
            } catch {
                Self.countDropped(1)
            }
        }
    }

    private func write(_ entry: Entry) async throws -> Bool {
        let day = entry.time / Self.daySeconds
        let reply = try await redis.call(
            CodeFunctions.trace, [Self.key(entry.recipient, day: day), Self.key(entry.recipient, day: day - 1)],
            [
                "field": .bytes(entry.recipient.field), "time": .integer(entry.time),
                "life": .integer(Self.daysRead * Self.daySeconds), "kept": RedisArgument(Self.entriesMax),
                "words": .bytes(try StrictJSON.encode(entry.words)),
            ])
        return try reply.integer("written") != 0
    }

    private func keepForLater(_ entry: Entry) {
        var entry = entry
        entry.writes += 1
        guard entry.writes < Self.writesMax else { return }
        queue.withLock { queue in
            if queue.count < Self.queueMax { queue.append(entry) }
        }
    }

    /// Deletes all traces to make room for more important data.
    func dropAll() async {
        let today = now() / Self.daySeconds
        for day in (today - Self.daysRead)...today {
            let keys = (0..<Self.bucketCount).map { RedisArgument(RedisKeys.trace(day: day, bucket: $0)) }
            do throws(RedisError) { _ = try await redis.send(["DEL"] + keys) } catch {
                logger.warning("otp.trace.not_dropped", metadata: ["cause": "\(error.message)"])
            }
        }
        logger.warning("otp.trace.dropped", metadata: ["cause": "Redis runs short of memory"])
    }

    /// Returns the keys of a number's traces that are read at `now`, oldest first.
    static func keys(_ recipient: RecipientTag, now: Int64) -> [String] {
        let today = now / daySeconds
        return ((today - daysRead + 1)...today).map { key(recipient, day: $0) }
    }

    private static func key(_ recipient: RecipientTag, day: Int64) -> String {
        RedisKeys.trace(day: day, bucket: recipient.bucket % bucketCount)
    }

    private static func countDropped(_ count: Int) {
        Counter(label: "auth_otp_trace_dropped_total").increment(by: count)
    }
}
