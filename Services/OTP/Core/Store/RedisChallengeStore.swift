internal import InternalAPI
internal import Policies
internal import RedisClient

/// Challenges in Redis: one script for each operation, so that no two calls ever see the same count.
///
/// | key | holds | lives |
/// |---|---|---|
/// | `otp:number:<tag>` | when codes were sent, tried and wrong; end of the lockout | while one of these counts |
/// | `otp:challenge:<purpose>:<tag>` | the challenge, its attempt counter and latest calls | an hour beyond its code |
/// | `otp:address:<tag>` | counters of an address | to the end of its longest window |
/// | `otp:refusals` | refusals of this minute, by kind | until they are written to the audit |
/// | `audit:otp` | stream of acts | the newest `auditEntriesMax` |
struct RedisChallengeStore: ChallengeStore {
    private let redis: RedisClient
    private let limitedRules: String
    private let exemptRules: String

    init(redis: RedisClient, policy: OTPPolicy) throws {
        self.redis = redis
        limitedRules = try ScriptRules(policy, limitsAddress: true).json()
        exemptRules = try ScriptRules(policy, limitsAddress: false).json()
    }

    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict {
        let reply = try await run(
            RequestScript.script, send.subject, [RedisArgument(send.challengeID), RedisArgument(send.proof)])
        switch (reply.word, reply.second.text) {
        case ("send", let id?): return .send(challengeID: id)
        case ("repeated", let result?): return .repeated(failed: result == "failed")
        case ("limited", _): return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1) }
        default: throw ScriptReply.unexpected
        }
    }

    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict {
        let reply = try await run(VerifyScript.script, guess.subject, [RedisArgument(guess.proof)])
        switch (reply.word, reply.second.text, reply.third.integerValue) {
        case ("approved", let id?, let expiresAt?): return .approved(challengeID: id, expiresAt: expiresAt)
        case ("limited", _, _): return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1) }
        case ("wrong_code", _, _): return .wrongCode
        case ("used", _, _): return .used
        case ("expired", _, _): return .expired
        case ("unknown", _, _): return .unknown
        default: throw ScriptReply.unexpected
        }
    }

    func noteFailedSend(_ send: SendAttempt) async throws(ChallengeStoreFailure) {
        _ = try await value(of: FailedSendScript.script, send.subject, [])
    }

    private func run(
        _ script: RedisScript, _ subject: CallSubject, _ arguments: [RedisArgument]
    ) async throws(ChallengeStoreFailure) -> ScriptReply {
        try ScriptReply(await value(of: script, subject, arguments))
    }

    private func value(
        of script: RedisScript, _ subject: CallSubject, _ arguments: [RedisArgument]
    ) async throws(ChallengeStoreFailure) -> RedisValue {
        let keys = [
            "otp:number:\(subject.phoneTag)", "otp:challenge:\(subject.purpose.rawValue):\(subject.phoneTag)",
            "otp:address:\(subject.addressTag)", "otp:refusals", "audit:otp",
        ]
        let common: [RedisArgument] = [
            .text(subject.limitsAddress ? limitedRules : exemptRules), .integer(subject.now), .text(subject.callTag),
            .text(subject.phoneTag),
        ]
        do throws(RedisError) {
            return try await redis.evaluate(script, keys: keys, arguments: common + arguments)
        } catch {
            throw ChallengeStoreFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}

/// A script's answer: a word, and up to two values.
private struct ScriptReply {
    static let unexpected = ChallengeStoreFailure("a script's answer is not of the agreed form")

    let word: String
    let second: RedisValue
    let third: RedisValue

    init(_ value: RedisValue) throws(ChallengeStoreFailure) {
        let parts = value.arrayValue ?? []
        guard let word = parts.first?.text else { throw Self.unexpected }
        self.word = word
        second = parts.dropFirst().first ?? .null
        third = parts.dropFirst(2).first ?? .null
    }

    func limited<Verdict>(_ make: (LimitRule, Int64) -> Verdict) throws(ChallengeStoreFailure) -> Verdict {
        guard let rule = second.text.flatMap(LimitRule.init(rawValue:)), let seconds = third.integerValue else {
            throw Self.unexpected
        }
        return make(rule, seconds)
    }
}
