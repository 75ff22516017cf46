import RedisClient

/// Counts the exports of a user: at most five within 24 hours.
struct ExportLimit: Sendable {
    static let countMax: Int64 = 5
    static let windowSeconds: Int64 = 86_400

    private static let count = GuessFunctions.library.function("count_export")
    private static let forget = GuessFunctions.library.function("forget_export")

    enum Verdict: Sendable, Equatable {
        /// - isRepeat: whether the call was counted before.
        case admitted(isRepeat: Bool)
        case limited(retryAfterSeconds: Int64)
    }

    let redis: RedisClient
    let tags: GuessTags
    /// Whether Redis has room for another counter. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Counts an export, or refuses it with the time to wait. A repeat of the call does not count again.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Throws: `GuessLimitsFailure`; nothing may be shown then.
    func admit(_ user: UserID, callID: String, now: Int64) async throws(GuessLimitsFailure) -> Verdict {
        let arguments: [RedisArgument] = [
            .integer(now), .integer(Self.countMax), .integer(Self.windowSeconds), hasRoom() ? "1" : "0",
            .bytes(tag(callID)),
        ]
        let reply = try await run(Self.count, user, arguments)
        switch (reply.arrayValue?.first?.text, reply.arrayValue?.last?.integerValue) {
        case ("admitted", _): return .admitted(isRepeat: false)
        case ("repeated", _): return .admitted(isRepeat: true)
        case ("limited", let seconds?): return .limited(retryAfterSeconds: seconds)
        case ("full", _): throw GuessLimitsFailure.full
        default: throw GuessLimitsFailure("a Redis function returned an unexpected reply")
        }
    }

    /// Forgets an export that was counted and could not be made.
    func giveBack(_ user: UserID, callID: String) async throws(GuessLimitsFailure) {
        _ = try await run(Self.forget, user, [.bytes(tag(callID))])
    }

    private func tag(_ callID: String) -> [UInt8] { tags.proofCall(["export", callID]) }

    private func run(
        _ function: RedisFunction, _ user: UserID, _ arguments: [RedisArgument]
    ) async throws(GuessLimitsFailure) -> RedisValue {
        do throws(RedisError) {
            return try await redis.call(function, keys: [tags.exportKey(user)], arguments: arguments)
        } catch {
            throw GuessLimitsFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
