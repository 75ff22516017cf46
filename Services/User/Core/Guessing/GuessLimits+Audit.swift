import RedisClient

extension GuessLimits {
    /// The audit records of guesses; refusals come to it minute by minute, also after the last guess.
    func auditStream(now: @escaping @Sendable () -> Int64) -> RedisAuditStream {
        RedisAuditStream(
            redis: redis, key: GuessTags.auditKey, idPrefix: "login ",
            flush: {
                _ = try await redis.call(
                    scripts.flush, keys: [GuessTags.refusalsKey, GuessTags.auditKey], arguments: [.integer(now())])
            })
    }
}
