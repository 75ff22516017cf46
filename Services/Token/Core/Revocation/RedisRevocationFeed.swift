internal import CryptoPrimitives
internal import InternalAPI
internal import RedisClient

/// Revocations in Redis, under the names of `RevocationFeed`.
struct RedisRevocationFeed: RevocationFeedWriter {
    /// Redis' answer is not what the command promises.
    struct Unexpected: Error {}

    private static let rebuildSeconds: Int64 = 60
    private static let nonceByteCount = 16

    let redis: RedisClient
    /// Unix time in milliseconds.
    let milliseconds: @Sendable () -> Int64

    func publish(_ revocations: [Revocation], now: Int64) async throws {
        try await write(revocations.map(Entry.init), now: now, log: true)
    }

    func publish(_ revocations: [KeyRevocation], now: Int64) async throws {
        try await write(revocations.map(Entry.init), now: now, log: true)
    }

    func announceKeys() async throws {
        _ = try await redis.send(
            [
                "XADD", RedisArgument(RevocationFeed.log), "MAXLEN", "~", RedisArgument(RevocationFeed.logEntriesMax),
                "*", "kind", RedisArgument(RevocationFeed.keysKind),
            ])
    }

    func restore(_ revocations: [Revocation], now: Int64) async throws {
        // Gateways load the keys when the mark changes; the stream need not tell them.
        try await write(revocations.map(Entry.init), now: now, log: false)
    }

    func restore(_ revocations: [KeyRevocation], now: Int64) async throws {
        try await write(revocations.map(Entry.init), now: now, log: false)
    }

    func isComplete() async throws -> Bool {
        let (mark, runID) = try await state()
        return mark.map { $0.hasSuffix(":\(runID)") } ?? false
    }

    func beginRebuild() async throws -> RebuildTicket {
        let nonce = Hex.encode(SecureRandom.bytes(Self.nonceByteCount))
        let (mark, runID) = try await state()
        _ = try await redis.send(
            [
                "SET", RedisArgument(RevocationFeed.rebuild), RedisArgument(nonce), "EX",
                RedisArgument(Self.rebuildSeconds),
            ])
        let last = mark.flatMap { Int64($0.prefix { $0 != ":" }) } ?? 0
        let next = max(milliseconds(), last == .max ? last : last + 1)
        return RebuildTicket(nonce: nonce, mark: "\(next):\(runID)")
    }

    func finishRebuild(_ ticket: RebuildTicket) async throws -> Bool {
        let reply = try await redis.evaluate(
            RevocationScripts.finish, keys: [RevocationFeed.rebuild, RevocationFeed.generation],
            arguments: [RedisArgument(ticket.nonce), RedisArgument(ticket.mark)])
        return reply.integerValue == 1
    }

    /// One revocation as it stands in Redis.
    private struct Entry {
        let kind: String
        let id: String
        let reason: RevocationReason
        let until: Int64
        let key: String

        init(_ revocation: Revocation) {
            (kind, id, reason) = (RevocationFeed.sessionKind, revocation.sessionID.text, revocation.reason)
            (until, key) = (revocation.holdsUntil, RevocationFeed.session(id))
        }

        init(_ revocation: KeyRevocation) {
            (kind, id, reason) = (RevocationFeed.keyKind, revocation.keyID, .admin)
            (until, key) = (revocation.holdsUntil, RevocationFeed.key(id))
        }
    }

    private func write(_ entries: [Entry], now: Int64, log: Bool) async throws {
        let living = entries.filter { $0.until > now }
        guard !living.isEmpty else { return }
        let arguments = living.flatMap { entry -> [RedisArgument] in
            [
                RedisArgument(entry.kind), RedisArgument(entry.id), RedisArgument(entry.reason.rawValue),
                RedisArgument(entry.until), RedisArgument(entry.until - now),
            ]
        }
        let reply = try await redis.evaluate(
            RevocationScripts.write, keys: [RevocationFeed.log] + living.map(\.key),
            arguments: [log ? 1 : 0, RedisArgument(RevocationFeed.logEntriesMax)] + arguments)
        guard reply.integerValue == Int64(living.count) else { throw Unexpected() }
    }

    /// The mark and the run id of the very server that holds it.
    private func state() async throws -> (mark: String?, runID: String) {
        let replies = try await redis.pipeline([
            ["GET", RedisArgument(RevocationFeed.generation)], ["INFO", "server"],
        ])
        guard replies.count == 2 else { throw Unexpected() }
        let mark = try replies[0].get().text
        guard let info = try replies[1].get().text, let runID = Self.runID(info) else { throw Unexpected() }
        return (mark, runID)
    }

    /// The line `run_id:` of `INFO server`.
    static func runID(_ info: String) -> String? {
        info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("run_id:") }.map { String($0.dropFirst(7)) }
    }
}
