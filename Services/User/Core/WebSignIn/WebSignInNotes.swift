import CryptoPrimitives
import InternalAPI
import Policies
import RedisClient

/// The notes in Redis about sign-ins in a browser.
///
/// | key | contains | lives |
/// |---|---|---|
/// | `login:1:s:<state>` | the call that used a state | as long as the state, at most 10 minutes |
/// | `login:1:t:<code>` | how many wrong verifiers came for a code | 1 minute |
struct WebSignInNotes: Sendable {
    /// The most wrong verifiers for one code.
    static let wrongMax: Int64 = 5

    /// The note could not be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let useState = GuessFunctions.library.function("use_state")
    private static let tryCode = GuessFunctions.library.function("try_code")

    let redis: RedisClient
    /// Whether Redis has room for another note. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Notes that a call uses a state, and returns whether no other call has used it before.
    ///
    /// - Parameter now: Unix time in seconds.
    func use(_ state: SignInState, by callID: String, now: Int64) async throws(Failure) -> Bool {
        guard hasRoom() else { throw Failure(description: "Redis is nearly full") }
        let call = Hex.encode(SHA256.hash(Array(callID.utf8)).prefix(16))
        // The state may have been sealed by a replica whose clock is ahead.
        let seconds = max(1, min(state.expiresAt - now, SignInState.lifetimeSeconds)) + 1
        return try await isAdmitted(Self.useState, "login:1:s:" + state.id, [.text(call), .integer(seconds)])
    }

    /// Returns whether a verifier counts for the code: not once five wrong ones came.
    func admits(_ code: SignInCode, isRight: Bool) async throws(Failure) -> Bool {
        try await isAdmitted(
            Self.tryCode, "login:1:t:" + code.id,
            [isRight ? "1" : "0", .integer(Self.wrongMax), .integer(SignInCode.lifetimeSeconds + 1)])
    }

    private func isAdmitted(
        _ function: RedisFunction, _ key: String, _ arguments: [RedisArgument]
    ) async throws(Failure) -> Bool {
        do throws(RedisError) {
            return try await redis.call(function, keys: [key], arguments: arguments).integerValue == 1
        } catch {
            throw Failure(description: "Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
