import RedisClient

/// Counts the proofs with which a signed-in user shows again who they are, before a proof is judged.
///
/// The lock is the user's own, apart from the limits of sign-ins, so that a thief with a stolen session locks no sign-in.
struct ProofLock: Sendable {
    /// A proof that may be judged.
    struct Admitted: Sendable {
        fileprivate let user: UserID
        /// The tag of the call; empty if its repeats count again.
        fileprivate let call: [UInt8]
        /// Whether the call repeats one that is counted already.
        let isRepeat: Bool
    }

    /// The result of counting a proof.
    enum Admission: Sendable {
        case admitted(Admitted)
        /// After that time, the lock admits the proof.
        case limited(retryAfterSeconds: Int64)
    }

    /// The refused proofs after which each further one has to wait.
    static let freeCount: Int64 = 5
    /// The first wait in seconds; each further refused proof doubles it.
    static let waitSeconds: Int64 = 30
    static let waitSecondsMax: Int64 = 3_600
    /// How long the refused proofs count after the last one, in seconds.
    private static let lifeSeconds: Int64 = 86_400
    /// How long a call is recognised when it is repeated, in seconds; as long as at otp-service.
    static let callSeconds: Int64 = 120

    private static let count = GuessFunctions.library.function("count_proof")
    private static let forget = GuessFunctions.library.function("forget_proof")

    let redis: RedisClient
    let tags: GuessTags
    /// Whether Redis has room for another counter. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Counts a proof of a user, or refuses it with the time to wait. The repeat of a counted call gets no other answer than the first
    /// one and does not count again, as with a code that signs in.
    ///
    /// - Parameters:
    ///   - call: the id of the call, with the proof and everything that it is about; `nil` if a repeat counts too.
    ///   - now: Unix time in seconds.
    /// - Throws: `GuessLimitsFailure`; the proof must not be judged then.
    func admit(_ user: UserID, call: [String]?, now: Int64) async throws(GuessLimitsFailure) -> Admission {
        let numbers = [
            now, Self.freeCount, Self.waitSeconds, Self.waitSecondsMax, Self.lifeSeconds, Self.callSeconds,
        ]
        let call = call.map(tags.proofCall) ?? []
        let reply = try await run(
            Self.count, user, numbers.map { .integer($0) } + [hasRoom() ? "1" : "0", .bytes(call)])
        switch (reply.arrayValue?.first?.text, reply.arrayValue?.last?.integerValue) {
        case ("admitted", _): return .admitted(Admitted(user: user, call: call, isRepeat: false))
        case ("repeated", _): return .admitted(Admitted(user: user, call: call, isRepeat: true))
        case ("limited", let seconds?): return .limited(retryAfterSeconds: seconds)
        case ("full", _): throw GuessLimitsFailure.full
        default: throw GuessLimitsFailure("a Redis function returned an unexpected reply")
        }
    }

    /// Forgets a proof that does not count after all. A repeat leaves the call that it repeats as it is.
    func giveBack(_ proof: Admitted) async throws(GuessLimitsFailure) {
        if !proof.isRepeat { _ = try await run(Self.forget, proof.user, ["0", .bytes(proof.call)]) }
    }

    /// Forgets the refused proofs of a user after a right one.
    func forgetAll(of user: UserID) async throws(GuessLimitsFailure) {
        _ = try await run(Self.forget, user, ["1", ""])
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
