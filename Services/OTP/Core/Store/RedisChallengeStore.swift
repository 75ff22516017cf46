import InternalAPI
import Policies
import RedisClient

/// Challenges in Redis under the rules of one dialect. Each operation is one script, so that no two calls ever read the same count.
struct RedisChallengeStore: ChallengeStore {
    private let redis: RedisClient
    let scripts: CodeScripts

    init(redis: RedisClient, scripts: CodeScripts) {
        self.redis = redis
        self.scripts = scripts
    }

    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict {
        let reply = try await run(
            scripts.request, send.subject, send.challenge.salt + (send.review?.salt ?? []),
            send.proof + send.channels.map(\.number), send.charge)
        switch (reply.word, reply.text(1)) {
        case ("send", _):
            return .send(
                try reply.challenge(), bad: reply.channels(3), late: reply.lateChannels(3),
                followsAnother: reply.text(4) == "after",
                news: reply.news(5))
        case ("bad_number", _): return .badNumber
        case ("repeated", let result?): return .repeated(failed: result == "failed")
        case ("limited", _): return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1, reply.news(3)) }
        case ("review", _): return .underReview(try reply.review())
        default: throw reply.failure
        }
    }

    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict {
        let origin =
            guess.isMalformed ? "malformed" : guess.isLink ? "link" : guess.isProviderAway ? "away" : ""
        return try verdict(
            try await run(scripts.verify, guess.subject, guess.proof, Array(origin.utf8), guess.charge))
    }

    func settle(
        _ guess: Guess, of challenge: ChallengeSeed, as word: ProviderWord
    ) async throws(ChallengeStoreFailure) -> GuessVerdict {
        // The first call has counted it there already.
        var subject = guess.subject
        subject.windows = []
        let about = Array(word.rawValue.utf8) + challenge.salt + Array(String(challenge.created).utf8)
        return try verdict(try await run(scripts.settle, subject, guess.proof, about, guess.charge))
    }

    func admitVerified(_ subject: CallSubject) async throws(ChallengeStoreFailure) -> AdmissionVerdict {
        let reply = try await run(scripts.admit, subject, [], [])
        switch reply.word {
        case "admitted": return .admitted
        case "limited": return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1) }
        default: throw reply.failure
        }
    }

    private func verdict(_ reply: ScriptReply) throws(ChallengeStoreFailure) -> GuessVerdict {
        switch reply.word {
        case "approved":
            guard let expiresAt = reply.integer(3), let reviewEndsAt = reply.integer(4) else {
                throw ScriptReply.unexpected
            }
            return .approved(
                try reply.challenge(), expiresAt: expiresAt, reviewEndsAt: reviewEndsAt == 0 ? nil : reviewEndsAt)
        case "limited": return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1) }
        case "wrong_code": return .wrongCode
        case "used": return .used
        case "expired": return .expired
        case "unknown": return .unknown
        case "ask":
            guard let channel = reply.channel(3) else { throw ScriptReply.unexpected }
            return .ask(try reply.challenge(), channel: channel)
        case "undecided", "unsettled": return .undecided
        case "away": return .providerAway
        case "malformed": return .malformed
        default: throw reply.failure
        }
    }

    func charge(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> TryVerdict {
        guard send.charge != nil else { return .charged([]) }
        let reply = try await run(scripts.charge, send.subject, [], [], send.charge)
        switch reply.word {
        case "charged": return .charged(reply.news(1))
        case "limited": return try reply.limited { .limited(retryAfterSeconds: $1, reply.news(3)) }
        default: throw reply.failure
        }
    }

    func noteOutcome(
        of send: SendAttempt, _ outcome: SendOutcome, bad: Set<PhoneChannel>
    ) async throws(ChallengeStoreFailure) {
        let reply = try await run(
            scripts.failedSend, send.subject, bad.map(\.number).sorted(), Array(outcome.rawValue.utf8))
        guard reply.word == "noted" else { throw reply.failure }
    }

    func forgetNetworks(
        of recipient: RecipientTag, until: Int64, codesUntil: Int64?, now: Int64
    ) async throws(ChallengeStoreFailure) {
        let reply = try ScriptReply(
            try await evaluate(
                scripts.forgetNetworks, keys(of: recipient),
                [
                    .integer(now), .bytes(recipient.field), .integer(until / 86_400),
                    .integer(codesUntil ?? 0),
                ]))
        guard reply.word == "forgotten" else { throw reply.failure }
    }

    func clear(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool {
        let reply = try ScriptReply(
            try await evaluate(
                scripts.clearNumber, keys(of: recipient), [.integer(now), .bytes(recipient.field)]))
        return reply.word == "cleared"
    }

    func unlock(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool {
        let reply = try ScriptReply(
            try await evaluate(
                scripts.unlock, keys(of: recipient),
                [.integer(now), .bytes(recipient.field), .bytes(recipient.bytes), .operatorOfCall]))
        guard reply.word == "unlocked" || reply.word == "not_locked" else { throw reply.failure }
        return reply.word == "unlocked"
    }

    func noteUndelivered(
        _ recipient: RecipientTag, by channel: PhoneChannel, now: Int64
    ) async throws(ChallengeStoreFailure) {
        _ = try await evaluate(
            scripts.undelivered, keys(of: recipient),
            [.integer(now), .bytes(recipient.field), .bytes([channel.number])])
    }

    /// Removes entries from a bucket that no longer count. Buckets are numbered from 0 to `RecipientTag.bucketCount`.
    func sweep(bucket: Int, now: Int64) async throws(ChallengeStoreFailure) {
        _ = try await evaluate(
            scripts.sweep, [RedisKeys.refusals, OTPAuditStream.key, RedisKeys.bucket(bucket)], [.integer(now)])
    }

    func keys(of recipient: RecipientTag) -> [String] {
        [RedisKeys.refusals, OTPAuditStream.key, RedisKeys.bucket(recipient.bucket), RedisKeys.own(recipient)]
    }

    private func run(
        _ script: RedisFunction, _ subject: CallSubject, _ first: [UInt8], _ second: [UInt8],
        _ charge: SpendCharge? = nil
    ) async throws(ChallengeStoreFailure) -> ScriptReply {
        let arguments: [RedisArgument] = [
            .integer(subject.now), .bytes(subject.recipient.field), .bytes(subject.recipient.bytes),
            RedisArgument(subject.place.number), .bytes(subject.callTag), .bytes(subject.blockTag),
            subject.isVouchedFor ? "1" : "0", .bytes(first), .bytes(second), RedisArgument(subject.windows.count),
        ]
        let windows = subject.windows.flatMap { window -> [RedisArgument] in
            [
                .text(window.rule.rawValue), .bytes(window.field),
                window.unrecognisedMax.map { RedisArgument($0) } ?? "",
                window.knownMax.map { RedisArgument($0) } ?? "", .integer(window.endsAt),
            ]
        }
        return try ScriptReply(
            try await evaluate(
                script, keys(of: subject.recipient) + subject.windows.map(\.key) + (charge?.keys ?? []),
                arguments + windows + (charge?.arguments ?? [])))
    }

    func evaluate(
        _ script: RedisFunction, _ keys: [String], _ arguments: [RedisArgument]
    ) async throws(ChallengeStoreFailure) -> RedisValue {
        do throws(RedisError) {
            return try await redis.call(script, keys: keys, arguments: arguments)
        } catch {
            throw ChallengeStoreFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}

/// A script's reply: a word, and values.
struct ScriptReply {
    static let unexpected = ChallengeStoreFailure("a Redis function returned an unexpected reply")
    static let auditFull = ChallengeStoreFailure(
        "the audit stream is full and is not emptied; nothing changes without an audit record", retryAfterSeconds: 5)

    let word: String
    private let parts: [RedisValue]

    init(_ value: RedisValue) throws(ChallengeStoreFailure) {
        parts = value.arrayValue ?? []
        guard let word = parts.first?.text else { throw Self.unexpected }
        self.word = word
    }

    func text(_ index: Int) -> String? { part(index)?.text }
    func integer(_ index: Int) -> Int64? { part(index)?.integerValue }

    /// The failure for a reply that is no result.
    var failure: ChallengeStoreFailure { word == "audit_full" ? Self.auditFull : Self.unexpected }

    func challenge() throws(ChallengeStoreFailure) -> ChallengeSeed {
        guard let created = integer(1), let salt = part(2)?.bytes else { throw Self.unexpected }
        return ChallengeSeed(created: created, salt: salt)
    }

    func channels(_ index: Int) -> Set<PhoneChannel> {
        let bytes = part(index)?.bytes ?? []
        return Set(PhoneChannel.allCases.filter { bytes.contains($0.number) })
    }

    /// Returns the channels whose byte has `LATE` (number.lua) added.
    func lateChannels(_ index: Int) -> Set<PhoneChannel> {
        let late: UInt8 = 64
        let bytes = part(index)?.bytes ?? []
        return Set(PhoneChannel.allCases.filter { bytes.contains($0.number + late) })
    }

    func channel(_ index: Int) -> PhoneChannel? {
        integer(index).flatMap { number in PhoneChannel.allCases.first { $0.number == number } }
    }

    /// Returns the events of spending.
    func news(_ index: Int) -> [SpendNews] {
        (part(index)?.arrayValue ?? []).compactMap { $0.text.flatMap(SpendNews.init) }
    }

    func review() throws(ChallengeStoreFailure) -> ReviewSeed? {
        guard let endsAt = integer(1), let salt = part(2)?.bytes else { throw Self.unexpected }
        return endsAt == 0 ? nil : ReviewSeed(endsAt: endsAt, salt: salt)
    }

    func limited<Verdict>(_ make: (LimitRule, Int64) -> Verdict) throws(ChallengeStoreFailure) -> Verdict {
        guard let rule = text(1).flatMap(LimitRule.init(rawValue:)), let seconds = integer(2) else {
            throw Self.unexpected
        }
        return make(rule, seconds)
    }

    private func part(_ index: Int) -> RedisValue? { parts.indices.contains(index) ? parts[index] : nil }
}

extension SpendCharge {
    /// The charge in the form that `spend.lua` accepts.
    fileprivate var arguments: [RedisArgument] {
        [
            .text(row), .integer(price), hourBudget.map { RedisArgument.integer($0) } ?? "",
            dayBudget.map { RedisArgument.integer($0) } ?? "", isSilent ? "silent" : "",
        ]
    }
}
