import CryptoPrimitives
import InternalAPI
import RedisClient

/// Revocations in Redis, under the names of `RevocationFeed`.
struct RedisRevocationFeed: RevocationFeedWriter {
    /// A reply of Redis that the command does not specify.
    struct Unexpected: Error {}
    /// Sentinels have named another master a moment ago, and a gateway may still rely on the former one.
    struct Unsettled: Error {}

    private static let rebuildSeconds: Int64 = 60
    private static let nonceByteCount = 16

    let redis: RedisClient
    /// Unix time in milliseconds.
    let milliseconds: @Sendable () -> Int64
    /// Whether entries whose time is over may be removed from the index.
    var mayRemove: @Sendable () -> Bool = { true }

    func publish(_ revocations: [Revocation], now: Int64) async throws {
        try await write(revocations.map(Entry.init), now: now, log: true)
    }

    func publish(_ revocations: [KeyRevocation], now: Int64) async throws {
        try await write(revocations.map(Entry.init), now: now, log: true)
    }

    func publish(_ floors: [VersionFloor], now: Int64) async throws {
        try await write(floors.map(Entry.init), now: now, log: true)
    }

    func announceKeys() async throws {
        _ = try await redis.send(
            [
                "XADD", RedisArgument(RevocationFeed.log), "MAXLEN", "~", RedisArgument(RevocationFeed.logEntriesMax),
                "*", "kind", RedisArgument(RevocationFeed.keysKind),
            ])
    }

    func restore(_ revocations: [Revocation], now: Int64) async throws {
        // Gateways load the keys when the mark changes, so the stream does not have to announce them.
        try await write(revocations.map(Entry.init), now: now, log: false)
    }

    func restore(_ revocations: [KeyRevocation], now: Int64) async throws {
        try await write(revocations.map(Entry.init), now: now, log: false)
    }

    func restore(_ floors: [VersionFloor], now: Int64) async throws {
        try await write(floors.map(Entry.init), now: now, log: false)
    }

    func isComplete() async throws -> Bool {
        let state = try await state()
        return state.hasLog && RevocationFeed.isComplete(mark: state.mark, runID: state.runID)
    }

    func beginRebuild() async throws -> RebuildTicket {
        try requireSettled()
        let nonce = Hex.encode(SecureRandom.bytes(Self.nonceByteCount))
        let (mark, runID, _) = try await state()
        _ = try await redis.send(
            [
                "SET", RedisArgument(RevocationFeed.rebuild), RedisArgument(nonce), "EX",
                RedisArgument(Self.rebuildSeconds),
            ])
        // So that the database is read after the moment from which on no gateway relies on an earlier master.
        try requireSettled()
        let last = mark.flatMap(RevocationFeed.number(ofMark:)) ?? 0
        let next = max(milliseconds(), last == .max ? last : last + 1)
        return RebuildTicket(nonce: nonce, mark: RevocationFeed.mark(next, runID: runID))
    }

    func finishRebuild(_ ticket: RebuildTicket) async throws -> Bool {
        try requireSettled()
        let reply = try await redis.call(
            TokenFunctions.finish, keys: [RevocationFeed.rebuild, RevocationFeed.generation, RevocationFeed.log],
            arguments: [
                RedisArgument(ticket.nonce), RedisArgument(ticket.mark), RedisArgument(RevocationFeed.markKind),
            ])
        return reply.integerValue == 1
    }

    /// One revocation as it is written to Redis.
    private struct Entry {
        let kind: String
        let id: String
        /// The value of the key: the reason, or the version.
        let value: String
        let until: Int64
        let key: String

        init(_ revocation: Revocation) {
            (kind, id) = (RevocationFeed.sessionKind, revocation.sessionID.text)
            value = revocation.reason.rawValue
            (until, key) = (revocation.holdsUntil, RevocationFeed.session(id))
        }

        init(_ revocation: KeyRevocation) {
            (kind, id) = (RevocationFeed.keyKind, revocation.keyID)
            value = RevocationReason.admin.rawValue
            (until, key) = (revocation.holdsUntil, RevocationFeed.key(id))
        }

        init(_ floor: VersionFloor) {
            (kind, id, value) = (RevocationFeed.versionKind, floor.sessionID.text, String(floor.version))
            (until, key) = (floor.holdsUntil, RevocationFeed.version(id))
        }
    }

    private func write(_ entries: [Entry], now: Int64, log: Bool) async throws {
        let living = entries.filter { $0.until > now }
        guard !living.isEmpty else { return }
        try requireSettled()
        let arguments = living.flatMap { entry -> [RedisArgument] in
            [
                RedisArgument(entry.kind), RedisArgument(entry.id), RedisArgument(entry.value),
                RedisArgument(entry.until), RedisArgument(entry.until - now),
            ]
        }
        let reply = try await redis.call(
            TokenFunctions.write, keys: [RevocationFeed.log, RevocationFeed.index] + living.map(\.key),
            arguments: [log ? 1 : 0, RedisArgument(RevocationFeed.logEntriesMax), RedisArgument(mayRemove() ? now : 0)]
                + arguments)
        guard reply.integerValue == Int64(living.count) else { throw Unexpected() }
        // The call may have waited for a connection, which is then one to another master.
        try requireSettled()
    }

    private func requireSettled() throws {
        guard redis.isSettled else { throw Unsettled() }
    }

    /// Returns the mark, the run of the very server that has it, and whether its stream has entries.
    private func state() async throws -> (mark: String?, runID: String, hasLog: Bool) {
        let replies = try await redis.pipeline([
            ["GET", RedisArgument(RevocationFeed.generation)], RedisRun.command,
            ["XLEN", RedisArgument(RevocationFeed.log)],
        ])
        guard replies.count == 3 else { throw Unexpected() }
        let mark = try replies[0].get().text
        guard let info = try replies[1].get().text, let runID = RedisRun.find(in: info),
            let count = try replies[2].get().integerValue
        else { throw Unexpected() }
        return (mark, runID, count > 0)
    }
}
