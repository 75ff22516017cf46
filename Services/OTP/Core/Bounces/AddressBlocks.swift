import InternalAPI
import RedisClient

/// The email addresses to which no mail is sent for a while, each in one value in Redis, and the account mails that were held back.
///
/// A value contains the time of its mail. A late or repeated report about an earlier mail changes nothing (`Scripts/Lua/bar.lua`).
struct AddressBlocks: Sendable {
    let redis: RedisClient
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Whether sign-in mails are held back.
    func isBlocked(_ recipient: RecipientTag) async throws(ChallengeStoreFailure) -> Bool {
        try await call("read", recipient, by: CodeFunctions.readBar).first?.text == "barred"
    }

    /// Whether an account mail is held back, in which case it is counted as swallowed. A complaint about spam holds back none.
    func swallows(_ kind: MailNotice.Kind, to recipient: RecipientTag) async throws(ChallengeStoreFailure) -> Bool {
        try await word("account", recipient, kind: kind.rawValue) == "barred"
    }

    func standing(of recipient: RecipientTag) async throws(ChallengeStoreFailure) -> MailStanding {
        let reply = try await call("standing", recipient, by: CodeFunctions.readBar)
        guard reply.count == 5, let left = reply[1].integerValue, let count = reply[2].integerValue,
            let at = reply[4].integerValue
        else { throw ScriptReply.unexpected }
        let block: MailStanding.Block? =
            switch reply[0].text {
            case "barred": .undeliverable
            case "complained": .complained
            default: nil
            }
        return MailStanding(
            block: block, blockedUntil: block.map { _ in now() + max(0, left) }, swallowed: Int(clamping: count),
            lastKind: count > 0 ? reply[3].text : nil, lastAt: count > 0 ? at : nil)
    }

    /// Notes a mail's delivery status.
    ///
    /// - Parameter mailTime: the time at which the mail was made, in Unix seconds.
    func note(_ status: MailStatus, of mailTime: Int64, to recipient: RecipientTag) async throws(ChallengeStoreFailure)
    {
        let name: String
        switch status {
        case .delayed: return
        case .delivered: name = "delivered"
        case .complained: name = "complain"
        case .bounced, .suppressed: name = "bar"
        }
        _ = try await word(name, recipient, time: mailTime, seconds: status.blockSeconds)
    }

    /// Lets mail go to the address again, whatever the status of earlier mails.
    ///
    /// - Returns: whether it was blocked.
    func clear(_ recipient: RecipientTag) async throws(ChallengeStoreFailure) -> Bool {
        try await word("clear", recipient, time: now()) == "cleared"
    }

    private func word(
        _ word: String, _ recipient: RecipientTag, time: Int64 = 0, seconds: Int64 = 0, kind: String = ""
    ) async throws(ChallengeStoreFailure) -> String {
        try await call(word, recipient, time: time, seconds: seconds, kind: kind).first?.text ?? ""
    }

    private func call(
        _ word: String, _ recipient: RecipientTag, by function: RedisFunction = CodeFunctions.bar, time: Int64 = 0,
        seconds: Int64 = 0, kind: String = ""
    ) async throws(ChallengeStoreFailure) -> [RedisValue] {
        do throws(RedisError) {
            let reply = try await redis.call(
                function, keys: [RedisKeys.bar(recipient), RedisKeys.swallowed(recipient)],
                arguments: [.text(word), .integer(time), .integer(seconds), .integer(now()), .text(kind)])
            return reply.arrayValue ?? []
        } catch {
            throw ChallengeStoreFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
