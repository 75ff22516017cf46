import RedisClient

/// Counts the exports of a user: at most five within 24 hours.
struct ExportLimit: Sendable {
    static let countMax: Int64 = 5
    static let windowSeconds: Int64 = 86_400

    private static let count = GuessFunctions.library.function("count_export")

    let redis: RedisClient
    let tags: GuessTags
    /// Whether Redis has room for another counter. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Counts an export, or refuses it with the time to wait. A repeat of the call does not count again.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Throws: `GuessLimitsFailure`; nothing may be shown then.
    func admit(_ user: UserID, callID: String, now: Int64) async throws(GuessLimitsFailure) -> LimitVerdict {
        let arguments: [RedisArgument] = [
            .integer(now), .integer(Self.countMax), .integer(Self.windowSeconds), hasRoom() ? "1" : "0",
            .bytes(tags.proofCall(["export", callID])),
        ]
        let reply: RedisValue
        do throws(RedisError) {
            reply = try await redis.call(Self.count, keys: [tags.exportKey(user)], arguments: arguments)
        } catch {
            throw GuessLimitsFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
        switch (reply.arrayValue?.first?.text, reply.arrayValue?.last?.integerValue) {
        case ("admitted", _): return .admitted
        case ("limited", let seconds?): return .limited(retryAfterSeconds: seconds)
        case ("full", _): throw GuessLimitsFailure.full
        default: throw GuessLimitsFailure("a Redis function returned an unexpected reply")
        }
    }
}
