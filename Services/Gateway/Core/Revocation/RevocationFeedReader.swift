import InternalAPI
import Logging
import NIOPosix
import RedisClient
import ServiceKit
import ServiceLifecycle

/// Keeps the replica in contact with Redis: loads the whole list, then follows the stream (design section 5).
///
/// It runs on a thread of its own. Contact is lost after 100 ms, and thousands of clients can keep the threads that serve them busy
/// for longer.
struct RevocationFeedReader: Service {
    /// How long a read waits for new entries: a quarter of the age at which contact is lost.
    static let blockMilliseconds = 25
    /// The time after which a read of new entries counts as failed, since contact is lost anyway.
    static let readTimeout: Duration = .milliseconds(250)
    /// The time limit of each read while the list is loaded. There is no contact to lose yet. If a slow page restarted the load, a
    /// busy machine might never finish it.
    static let loadTimeout: Duration = .seconds(2)
    static let reopenDelay: Duration = .milliseconds(20)
    static let entriesPerReadMax = 1000

    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let executor = EventLoopExecutor(group: group)

    let replica: RevocationReplica
    /// Called with new revocations once the replica has them, and with `nil` once it was loaded as a whole.
    let revoked: @Sendable ([Revocation]?) -> Void
    let configuration: RedisConfiguration
    /// Called when the key set has changed, or may have changed while the stream was not read; always before contact is reported.
    let keysChanged: @Sendable () -> Void
    /// The Unix time in seconds for the removal of expired entries; `nil` while none may be removed.
    let removalTime: @Sendable () -> Int64?
    let logger: Logger
    /// An attempt fails every few milliseconds while there is no master.
    private let lines = LogLimit()

    func run() async throws {
        await withTaskExecutorPreference(Self.executor) {
            await repeatUntilShutdown(every: Self.reopenDelay) {
                await self.follow()
                self.replica.loseContact()
            }
        }
    }

    /// Follows the stream on one connection until an error occurs.
    private func follow() async {
        do throws(RedisError) {
            let connection = try await RedisDedicatedConnection.open(
                configuration, group: Self.group, logger: logger)
            let failure = await read(from: connection)
            await connection.close()
            throw failure
        } catch {
            guard !Task.isCancelled, lines.allows(error.code.rawValue) else { return }
            logger.warning("revocation.feed.lost", metadata: ["cause": "\(error.code.rawValue)"])
        }
    }

    private func read(from connection: RedisDedicatedConnection) async -> RedisError {
        do throws(RedisError) {
            while true {
                let position = try await load(connection)
                try await followStream(connection, from: position)
                replica.loseContact()
            }
        } catch {
            return error
        }
    }

    /// The position in the stream between two reads.
    struct Position: Sendable, Equatable {
        /// The id of the newest stream entry that is applied.
        var lastID: String
        /// The generation mark under which the list was loaded.
        var generation: String
    }

    /// Notes the stream's end, applies all keys, and waits until the list is complete.
    private func load(_ connection: RedisDedicatedConnection) async throws(RedisError) -> Position {
        while true {
            let runID = try await serverRun(connection)
            let sentAt = MonotonicTime.nanoseconds()
            let replies = try await pipeline(connection, [Self.markCommand, Self.newestCommand])
            // A complete list has a stream with entries: in an empty one nothing would show that some were trimmed.
            if let mark = replies[0].text, RevocationFeed.isComplete(mark: mark, runID: runID),
                let lastID = RevocationStream.entries(replies[1]).first?.id
            {
                let revocations = try await readIndex(connection)
                // A list that Redis lost while it was being read is not complete.
                if try await pipeline(connection, [Self.markCommand])[0].text == mark {
                    keysChanged()
                    replica.reload(revocations, sentAt: sentAt, now: removalTime())
                    revoked(nil)
                    logger.info("revocation.list.loaded", metadata: ["entries": .stringConvertible(revocations.count)])
                    return Position(lastID: lastID, generation: mark)
                }
            }
            try await pause()
        }
    }

    private func pause() async throws(RedisError) {
        do { try await Task.sleep(for: Self.reopenDelay) } catch { throw RedisError(.cancelled, "stopped") }
    }

    /// Applies new entries until the list has to be loaded again.
    private func followStream(
        _ connection: RedisDedicatedConnection, from start: Position
    ) async throws(RedisError) {
        var position = start
        var readsSinceCleaning = 0
        while true {
            let sentAt = MonotonicTime.nanoseconds()
            let replies = try await pipeline(
                connection, Self.followCommands(after: position.lastID), timeout: Self.readTimeout)
            let entries = RevocationStream.entriesOfRead(replies[0])
            let (oldest, newest) = (RevocationStream.entries(replies[2]), RevocationStream.entries(replies[3]))
            guard replies[1].text == position.generation,
                !RevocationStream.hasGap(
                    oldest: oldest.first?.id, newest: newest.first?.id, after: position.lastID)
            else { return }
            if entries.contains(where: \.changesKeys) { keysChanged() }
            // A full read may have left entries behind. Its entries are applied, but it does not count as contact.
            let isWhole = entries.count < Self.entriesPerReadMax
            let revocations = entries.compactMap(\.revocation)
            replica.advance(revocations, sentAt: isWhole ? sentAt : 0)
            if !revocations.isEmpty { revoked(revocations) }
            if let last = entries.last { position.lastID = last.id }
            readsSinceCleaning += 1
            if readsSinceCleaning > Self.readsPerCleaning {
                readsSinceCleaning = 0
                if let now = removalTime() { replica.removeExpired(now: now) }
            }
        }
    }

    /// The number of reads between two removals of expired entries: about a minute.
    private static let readsPerCleaning = 2400

    private static func followCommands(after id: String) -> [[RedisArgument]] {
        [
            [
                "XREAD", "COUNT", .integer(Int64(entriesPerReadMax)), "BLOCK", .integer(Int64(blockMilliseconds)),
                "STREAMS", .text(RevocationFeed.log), .text(id),
            ],
            markCommand,
            ["XRANGE", .text(RevocationFeed.log), "-", "+", "COUNT", 1],
            newestCommand,
        ]
    }

    private static let markCommand: [RedisArgument] = ["GET", .text(RevocationFeed.generation)]
    private static let newestCommand: [RedisArgument] = [
        "XREVRANGE", .text(RevocationFeed.log), "+", "-", "COUNT", 1,
    ]

    /// Reads all revocations of the index.
    private func readIndex(_ connection: RedisDedicatedConnection) async throws(RedisError) -> [Revocation] {
        var found: [Revocation] = []
        var cursor = "0"
        repeat {
            let page = try await pipeline(
                connection, [["ZSCAN", .text(RevocationFeed.index), .text(cursor), "COUNT", 1000]])[0]
            guard let parts = page.arrayValue, parts.count == 2, let next = parts[0].text,
                let members = parts[1].arrayValue
            else { throw RedisError(.protocolViolation, "ZSCAN") }
            cursor = next
            found += try await revocations(of: members.compactMap(\.text), connection)
        } while cursor != "0"
        return found
    }

    /// - Parameter members: the keys, each followed by the second in which it expires.
    private func revocations(
        of members: [String], _ connection: RedisDedicatedConnection
    ) async throws(RedisError) -> [Revocation] {
        let keys = stride(from: 0, to: members.count - 1, by: 2).map { members[$0] }
        guard !keys.isEmpty else { return [] }
        let values = try await pipeline(connection, keys.map { ["GET", .text($0)] })
        return keys.indices.compactMap { index in
            // A key without a value has expired since.
            guard let value = values[index].text, let until = Int64(members[2 * index + 1]) else { return nil }
            return Revocation(key: keys[index], value: value, until: until)
        }
    }

    private func serverRun(_ connection: RedisDedicatedConnection) async throws(RedisError) -> String {
        let info = try await pipeline(connection, [RedisRun.command])[0].text ?? ""
        guard let runID = RedisRun.find(in: info) else {
            throw RedisError(.protocolViolation, "the server is no master, or INFO has no run")
        }
        return runID
    }

    /// Returns the replies to all commands. An error reply to any of them fails the read.
    private func pipeline(
        _ connection: RedisDedicatedConnection, _ commands: [[RedisArgument]], timeout: Duration = loadTimeout
    ) async throws(RedisError) -> [RedisValue] {
        var values: [RedisValue] = []
        for reply in try await connection.pipeline(commands, timeout: timeout) {
            values.append(try reply.get())
        }
        guard values.count == commands.count else { throw RedisError(.protocolViolation, "replies are missing") }
        return values
    }
}
