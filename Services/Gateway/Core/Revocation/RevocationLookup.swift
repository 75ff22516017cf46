internal import InternalAPI
internal import RedisClient

/// Asks Redis about one token, for the moments when the replica cannot answer.
struct RevocationLookup: Sendable {
    let redis: RedisClient

    /// Whether a token is live.
    ///
    /// - Returns: `.unknown` when Redis cannot be asked or its list is not complete: to the client 503, never 401.
    func answer(for token: TokenIdentity) async -> RevocationReplica.Answer {
        do throws(RedisError) {
            let reply = try await redis.evaluate(
                Self.script,
                keys: [
                    RevocationFeed.generation, RevocationFeed.session(token.sessionID), RevocationFeed.key(token.keyID),
                    RevocationFeed.version(token.sessionID),
                ], arguments: [])
            return Self.judge(reply, token)
        } catch {
            return .unknown
        }
    }

    /// One script, so that mark and entries come from one server at one moment.
    private static let script = RedisScript(
        """
        local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
        return {run or '', redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or '',
            redis.call('EXISTS', KEYS[3]), redis.call('GET', KEYS[4]) or ''}
        """)

    static func judge(_ reply: RedisValue, _ token: TokenIdentity) -> RevocationReplica.Answer {
        guard let parts = reply.arrayValue, parts.count == 5, let runID = parts[0].text, let mark = parts[1].text,
            let reason = parts[2].text, let isKeyRevoked = parts[3].integerValue, let version = parts[4].text
        else { return .unknown }
        // What is revoked is revoked, also while the rest of the list is being rebuilt.
        if !reason.isEmpty { return .revoked(RevocationReason(rawValue: reason) ?? .admin) }
        if isKeyRevoked != 0 { return .revoked(.admin) }
        if let floor = Int64(version), token.version < floor { return .revoked(.admin) }
        return RevocationGeneration.isComplete(mark: mark, runID: runID) ? .live : .unknown
    }
}
