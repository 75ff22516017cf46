import InternalAPI
import Policies
import RedisClient

/// Challenges in Redis under the rules of one dialect. Each operation is one script, so that no two calls ever read the same count.
struct RedisChallengeStore: ChallengeStore {
    let redis: RedisClient
    let scripts: CodeScripts

    init(redis: RedisClient, scripts: CodeScripts) {
        self.redis = redis
        self.scripts = scripts
    }

    func admit(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> SendVerdict {
        var own: ScriptCall = [
            "seed": .bytes(send.challenge.salt), "proof": .bytes(send.proof),
            "channels": .bytes(send.channels.map(\.number)),
        ]
        own.add("reviewSalt", send.review.map { .bytes($0.salt) })
        let reply = try await run(scripts.request, send.subject, own, send.charge, send.label)
        switch reply.result {
        case "send":
            return .send(
                try reply.challenge(), bad: reply.channels("bad"), late: reply.channels("late"),
                followsAnother: try reply.integer("follows") == 1, news: reply.news)
        case "bad_number": return .badNumber
        case "repeated": return .repeated(failed: reply["failed"] != nil)
        case "limited": return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1, reply.news) }
        case "review": return .underReview(try reply.review())
        default: throw reply.failure
        }
    }

    func judge(_ guess: Guess) async throws(ChallengeStoreFailure) -> GuessVerdict {
        let origin: RedisArgument =
            guess.isMalformed ? "malformed" : guess.isLink ? "link" : guess.isProviderAway ? "away" : ""
        var own: ScriptCall = ["proof": .bytes(guess.proof), "origin": origin]
        own.add("identity", guess.sealedIdentity.map { .bytes($0) })
        return try verdict(try await run(scripts.verify, guess.subject, own, guess.charge, guess.label))
    }

    func settle(
        _ guess: Guess, of challenge: ChallengeSeed, as word: ProviderWord
    ) async throws(ChallengeStoreFailure) -> GuessVerdict {
        // The first call has counted it there already.
        var subject = guess.subject
        subject.windows = []
        var own: ScriptCall = [
            "proof": .bytes(guess.proof), "word": .text(word.rawValue), "seed": .bytes(challenge.salt),
            "created": .integer(challenge.created),
        ]
        own.add("identity", guess.sealedIdentity.map { .bytes($0) })
        return try verdict(try await run(scripts.settle, subject, own, guess.charge, guess.label))
    }

    func admitVerified(_ subject: CallSubject) async throws(ChallengeStoreFailure) -> AdmissionVerdict {
        let reply = try await run(scripts.admit, subject)
        switch reply.result {
        case "admitted": return .admitted
        case "limited": return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1) }
        default: throw reply.failure
        }
    }

    private func verdict(_ reply: ScriptReply) throws(ChallengeStoreFailure) -> GuessVerdict {
        switch reply.result {
        case "approved":
            let reviewEndsAt = try reply.integer("reviewEnds")
            return .approved(
                try reply.challenge(), expiresAt: try reply.integer("ends"),
                reviewEndsAt: reviewEndsAt == 0 ? nil : reviewEndsAt)
        case "limited": return try reply.limited { .limited(rule: $0, retryAfterSeconds: $1) }
        case "wrong_code": return .wrongCode
        case "used": return .used
        case "expired": return .expired
        case "unknown": return .unknown
        case "ask": return .ask(try reply.challenge(), channel: try reply.channel())
        case "undecided", "unsettled": return .undecided
        case "away": return .providerAway
        case "malformed": return .malformed
        default: throw reply.failure
        }
    }

    func charge(_ send: SendAttempt) async throws(ChallengeStoreFailure) -> TryVerdict {
        guard send.charge != nil else { return .charged([]) }
        let reply = try await run(scripts.charge, send.subject, [:], send.charge, send.label)
        switch reply.result {
        case "charged": return .charged(reply.news)
        case "limited": return try reply.limited { .limited(retryAfterSeconds: $1, reply.news) }
        default: throw reply.failure
        }
    }

    func noteOutcome(
        of send: SendAttempt, _ outcome: SendOutcome, bad: Set<PhoneChannel>
    ) async throws(ChallengeStoreFailure) {
        let reply = try await run(
            scripts.failedSend, send.subject,
            ["bad": .bytes(bad.map(\.number).sorted()), "outcome": .text(outcome.rawValue)])
        guard reply.result == "noted" else { throw reply.failure }
    }

    func forgetNetworks(
        of recipient: RecipientTag, until: Int64, codesUntil: Int64?, now: Int64
    ) async throws(ChallengeStoreFailure) {
        let reply = try await call(
            scripts.forgetNetworks, on: recipient, now,
            ["day": .integer(until / 86_400), "codesUntil": .integer(codesUntil ?? 0)])
        guard reply.result == "forgotten" else { throw reply.failure }
    }

    func clear(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool {
        try await call(scripts.clearNumber, on: recipient, now).result == "cleared"
    }

    func unlock(_ recipient: RecipientTag, now: Int64) async throws(ChallengeStoreFailure) -> Bool {
        let reply = try await call(
            scripts.unlock, on: recipient, now, ["subject": .bytes(recipient.bytes), "operator": .operatorOfCall])
        guard reply.result == "unlocked" || reply.result == "not_locked" else { throw reply.failure }
        return reply.result == "unlocked"
    }

    func noteUndelivered(
        _ recipient: RecipientTag, by channel: PhoneChannel, now: Int64
    ) async throws(ChallengeStoreFailure) {
        _ = try await call(scripts.undelivered, on: recipient, now, ["channel": .bytes([channel.number])])
    }

    /// Removes entries from a bucket that no longer count. Buckets are numbered from 0 to `RecipientTag.bucketCount`.
    func sweep(bucket: Int, now: Int64) async throws(ChallengeStoreFailure) {
        _ = try await redis.call(
            scripts.sweep, [RedisKeys.refusals, OTPAuditStream.key, RedisKeys.bucket(bucket)], ["now": .integer(now)])
    }

    /// Calls a function of a number.
    ///
    /// - Parameter keys: the keys of the function's own.
    func call(
        _ script: RedisFunction, on recipient: RecipientTag, _ now: Int64, _ own: ScriptCall = [:],
        keys: [String] = []
    ) async throws(ChallengeStoreFailure) -> ScriptReply {
        var call: ScriptCall = ["now": .integer(now), "field": .bytes(recipient.field)]
        call.add(own)
        let ofNumber = [
            RedisKeys.refusals, OTPAuditStream.key, RedisKeys.bucket(recipient.bucket), RedisKeys.own(recipient),
        ]
        return try await redis.call(script, ofNumber + keys, call)
    }

    /// Calls a function for a client; `windows` of the subject come last (`ScriptCall`).
    private func run(
        _ script: RedisFunction, _ subject: CallSubject, _ own: ScriptCall = [:], _ charge: SpendCharge? = nil,
        _ label: String? = nil
    ) async throws(ChallengeStoreFailure) -> ScriptReply {
        var call = own
        call.add("subject", .bytes(subject.recipient.bytes))
        call.add("place", RedisArgument(subject.place.number))
        call.add("lane", subject.place.hasOwnLane ? RedisArgument(subject.place.number) : nil)
        call.add("owner", subject.ownerTag.map { .bytes($0) })
        call.add("tag", .bytes(subject.callTag))
        call.add("block", .bytes(subject.blockTag))
        call.add("isVouchedFor", subject.isVouchedFor ? "1" : nil)
        call.add("label", label.map { .text($0) })
        if let charge { call.add(charge) }
        for window in subject.windows { call.add(window) }
        return try await self.call(
            script, on: subject.recipient, subject.now, call,
            keys: subject.windows.map(\.key) + (charge?.keys ?? []))
    }
}
