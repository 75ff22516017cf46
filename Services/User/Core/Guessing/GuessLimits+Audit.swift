import RedisClient

extension GuessLimits {
    /// The stream of audit records about guesses. Reading it first writes the refusals of an earlier minute, so that they also
    /// reach the audit when no guess follows.
    func auditStream(now: @escaping @Sendable () -> Int64) -> RedisAuditStream {
        RedisAuditStream(
            redis: redis, key: GuessTags.auditKey, idPrefix: "login ",
            flush: {
                _ = try await redis.call(
                    scripts.flush, keys: [GuessTags.refusalsKey, GuessTags.auditKey], arguments: [.integer(now())])
            })
    }
}
