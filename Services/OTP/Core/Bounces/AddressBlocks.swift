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
        try await call("read", recipient, by: CodeFunctions.readBar).result == "barred"
    }

    /// Whether an account mail is held back, in which case it is counted as swallowed. A complaint about spam holds back none.
    func swallows(_ kind: MailNotice.Kind, to recipient: RecipientTag) async throws(ChallengeStoreFailure) -> Bool {
        try await call("account", recipient, ["kind": .text(kind.rawValue)]).result == "barred"
    }

    func standing(of recipient: RecipientTag) async throws(ChallengeStoreFailure) -> MailStanding {
        let reply = try await call("standing", recipient, by: CodeFunctions.readBar)
        let (left, count) = (try reply.integer("seconds"), try reply.integer("count"))
        let at = try reply.integer("time")
        let block: MailStanding.Block? =
            switch reply.result {
            case "barred": .undeliverable
            case "complained": .complained
            default: nil
            }
        return MailStanding(
            block: block, blockedUntil: block.map { _ in now() + max(0, left) }, swallowed: Int(clamping: count),
            lastKind: count > 0 ? reply["kind"]?.text : nil, lastAt: count > 0 ? at : nil)
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
        _ = try await call(
            name, recipient, ["time": .integer(mailTime), "seconds": .integer(status.blockSeconds)])
    }

    /// Lets mail go to the address again, whatever the status of earlier mails.
    ///
    /// - Returns: whether it was blocked.
    func clear(_ recipient: RecipientTag) async throws(ChallengeStoreFailure) -> Bool {
        try await call("clear", recipient, ["time": .integer(now())]).result == "cleared"
    }

    private func call(
        _ word: String, _ recipient: RecipientTag, _ own: ScriptCall = [:],
        by function: RedisFunction = CodeFunctions.bar
    ) async throws(ChallengeStoreFailure) -> ScriptReply {
        var call: ScriptCall = ["word": .text(word), "now": .integer(now())]
        call.add(own)
        return try await redis.call(function, [RedisKeys.bar(recipient), RedisKeys.swallowed(recipient)], call)
    }
}
