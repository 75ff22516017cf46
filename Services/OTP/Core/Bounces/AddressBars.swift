import RedisClient

/// The addresses that no mail is sent to for a while, each in one value in Redis.
///
/// A value says which mail it is about: what comes late, or again, of an earlier mail changes nothing (`Scripts/Lua/bar.lua`).
struct AddressBars: Sendable {
    private static let script = RedisScript(String(decoding: PackageResources.bar_lua, as: UTF8.self))

    let redis: RedisClient

    func isBarred(_ recipient: RecipientTag) async throws(ChallengeStoreFailure) -> Bool {
        let reply = try await call("read", recipient, time: 0, seconds: 0)
        return reply == "barred"
    }

    /// Takes note of what became of a mail.
    ///
    /// - Parameter mailTime: when it was made, in Unix seconds.
    func note(_ fate: MailFate, of mailTime: Int64, to recipient: RecipientTag) async throws(ChallengeStoreFailure) {
        if fate == .delayed { return }
        let word = fate == .delivered ? "delivered" : "bar"
        _ = try await call(word, recipient, time: mailTime, seconds: fate.barSeconds)
    }

    /// Lets mail go to the address again, whatever earlier mails came to.
    ///
    /// - Returns: whether it was barred.
    func clear(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool {
        try await call("clear", recipient, time: now, seconds: 0) == "cleared"
    }

    private func call(
        _ word: String, _ recipient: RecipientTag, time: Int64, seconds: Int64
    ) async throws(ChallengeStoreFailure) -> String {
        do throws(RedisError) {
            let reply = try await redis.evaluate(
                Self.script, keys: [RedisKeys.bar(recipient)],
                arguments: [.text(word), .integer(time), .integer(seconds)])
            return reply.text ?? ""
        } catch {
            throw ChallengeStoreFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
