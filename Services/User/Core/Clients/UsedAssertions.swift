import CryptoPrimitives
import RedisClient

/// Remembers in Redis which assertions were used, as `login:1:j:<hash of client and jti>` until they expire.
///
/// Without Redis no assertion is accepted, since one that was overheard could be used again. Secrets need no Redis.
struct UsedAssertions: Sendable {
    /// The note could not be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let useState = GuessFunctions.library.function("use_state")

    let redis: RedisClient
    /// Whether Redis has room for another note. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool

    /// Notes that a call uses an assertion, and returns whether no other call has used it before.
    ///
    /// - Parameter now: Unix time in seconds.
    func use(
        _ assertion: ClientAssertion, of client: String, by callID: String, now: Int64
    ) async throws(Failure) -> Bool {
        guard hasRoom() else { throw Failure(description: "Redis is nearly full") }
        // The id of a client has no slash.
        let key = "login:1:j:" + Hex.encode(SHA256.hash(Array("\(client)/\(assertion.tokenID)".utf8)).prefix(16))
        let call = Hex.encode(SHA256.hash(Array(callID.utf8)).prefix(16))
        let seconds = max(1, assertion.expiresAt - now) + 1
        do throws(RedisError) {
            return try await redis.call(Self.useState, keys: [key], arguments: [.text(call), .integer(seconds)])
                .integerValue == 1
        } catch {
            throw Failure(description: "Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
