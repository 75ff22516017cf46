import RedisClient

/// Counts the proofs with which a signed-in user shows again who they are, before a proof is judged.
///
/// The lock is the user's own, apart from the limits of sign-ins, so that a thief with a stolen session locks no sign-in.
struct ProofLock: Sendable {
    /// The refused proofs after which each further one has to wait.
    static let freeCount: Int64 = 5
    /// The first wait in seconds; each further refused proof doubles it.
    static let waitSeconds: Int64 = 30
    static let waitSecondsMax: Int64 = 3_600
    /// How long the refused proofs count after the last one, in seconds.
    private static let lifeSeconds: Int64 = 86_400

    private static let count = GuessFunctions.library.function("count_proof")
    private static let forget = GuessFunctions.library.function("forget_proof")

    let redis: RedisClient
    let tags: GuessTags
    /// Whether Redis has room for another counter. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Counts a proof of a user, or refuses it with the time to wait.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Throws: `GuessLimitsFailure`; the proof must not be judged then.
    func admit(_ user: UserID, now: Int64) async throws(GuessLimitsFailure) -> LimitVerdict {
        let numbers = [now, Self.freeCount, Self.waitSeconds, Self.waitSecondsMax, Self.lifeSeconds]
        let reply = try await run(Self.count, user, numbers.map { .integer($0) } + [hasRoom() ? "1" : "0"])
        switch (reply.arrayValue?.first?.text, reply.arrayValue?.last?.integerValue) {
        case ("admitted", _): return .admitted
        case ("limited", let seconds?): return .limited(retryAfterSeconds: seconds)
        case ("full", _): throw GuessLimitsFailure.full
        default: throw GuessLimitsFailure("a Redis function returned an unexpected reply")
        }
    }

    /// Forgets the refused proofs of a user after a right one; otherwise only the last one, which was not judged after all.
    func giveBack(_ user: UserID, isRight: Bool) async throws(GuessLimitsFailure) {
        _ = try await run(Self.forget, user, [isRight ? "1" : "0"])
    }

    private func run(
        _ function: RedisFunction, _ user: UserID, _ arguments: [RedisArgument]
    ) async throws(GuessLimitsFailure) -> RedisValue {
        do throws(RedisError) {
            return try await redis.call(function, keys: [tags.proofKey(user)], arguments: arguments)
        } catch {
            throw GuessLimitsFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
