import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies

/// A wish that a code goes to somebody, once it is known who that is.
struct CodeOrder: Sendable {
    let recipient: Recipient
    /// The channel that was asked for.
    let channel: String
    let purpose: Purpose
    /// The client's address.
    let address: String
    let isVouchedFor: Bool
    let callID: String
    /// What makes two calls the same beside recipient and place.
    let asking: [String]
    let locale: String?
    /// The language whose own text this message is; nil: the text of all.
    var smsLocale: String?
    /// The hash of our Android app that waits for the message.
    var appHash: String?
    /// What a message by a channel costs at a time (Unix seconds); nil: nothing.
    var charge: @Sendable (String, Int64) -> SpendCharge? = { _, _ in nil }
    /// The code that this recipient always has, so that nothing is sent.
    var fixedCode: String?
    /// Nothing is sent, and the answer is as if it were.
    var isSilent = false
    /// Notes that the provider has just called this recipient undeliverable.
    var noteUndeliverable: @Sendable () async throws -> Void = {}
    /// Whatever is decided, no message goes out.
    var isSentNothing: Bool { fixedCode != nil || isSilent }
    /// Words the message.
    let write: @Sendable (String, ChallengeSeed) throws -> Message.Content
}

/// Sends a one-time code: limits, challenge, message, in this order.
///
/// Everything is decided and counted before anything is sent: no counter, no message.
struct SendCode: Sendable {
    let subjects: CallSubjects
    let store: any ChallengeStore
    /// Whether the store has room for another challenge.
    let hasRoom: @Sendable () -> Bool
    let line: SenderLine
    /// How the last sends went.
    var pace = SendPace<OTPRequestAnswer>()
    /// What an operator is told of each request; nil: nothing is kept.
    var trace: TraceBook?
    let logger: Logger
    let now: @Sendable () -> Int64
    /// So many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    /// Tells callers when to come back while the store is nearly full: entries end with each minute.
    private static let fullRetryAfterSeconds: Int64 = 60

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ order: CodeOrder) async throws -> OTPRequestAnswer {
        guard hasRoom() else {
            throw ChallengeStoreFailure(
                "nearly full, the rest is kept for revocations", retryAfterSeconds: Self.fullRetryAfterSeconds)
        }
        let ways = line.ways(of: order.channel, for: .code)
        guard order.fixedCode == nil else { return try await answer(order, over: ways) }
        // Nothing is counted for a message that nobody would take now.
        if let wait = SenderLine.waitSeconds(of: ways) { return noWay(order, retryAfterSeconds: wait) }
        guard line.load.enter() else { return noWay(order, retryAfterSeconds: 1) }
        defer { line.load.leave() }
        return try await answer(order, over: ways)
    }

    private func noWay(_ order: CodeOrder, retryAfterSeconds: Int64) -> OTPRequestAnswer {
        noteNothing(.noWay, order.channel, order.recipient)
        return OTPRequestAnswer(.providerError, retryAfterSeconds: retryAfterSeconds)
    }

    private func answer(_ order: CodeOrder, over ways: [Way]) async throws -> OTPRequestAnswer {
        var review: ReviewSeed?
        for _ in 0..<Self.triesMax {
            let send = try attempt(order, over: ways, under: review)
            let verdict = try await store.admit(send)
            guard case .underReview(let other) = verdict else {
                return try await answer(order, send, over: ways, verdict: verdict)
            }
            review = other
        }
        throw ChallengeStoreFailure("the number's review access changes all the time")
    }

    /// Once as nearly always, once as the store says that it is, and once more if an operator was faster.
    private static let triesMax = 3

    /// The attempt as the store judges it, with the challenge that it may open.
    private func attempt(_ order: CodeOrder, over ways: [Way], under review: ReviewSeed?) throws -> SendAttempt {
        let now = self.now()
        let place = try subjects.place(of: order.purpose)
        let call = CallSubjects.Call(
            place: place, address: order.address, isVouchedFor: order.isVouchedFor, callID: order.callID,
            asking: order.asking, now: now)
        let challenge = ChallengeSeed(created: now, salt: random(ChallengeSeed.saltByteCount))
        let channels = SenderLine.channels(of: ways)
        return SendAttempt(
            subject: try subjects.subject(ofSend: call, to: order.recipient), challenge: challenge,
            proof: proof(of: challenge, order, place, under: review), review: review,
            channels: channels.compactMap { PhoneChannel(rawValue: $0) },
            charge: charge(order, channels.first ?? order.channel, now))
    }

    private func charge(_ order: CodeOrder, _ channel: String, _ now: Int64) -> SpendCharge? {
        guard order.fixedCode == nil, var charge = order.charge(channel, now) else { return nil }
        charge.isSilent = order.isSilent
        return charge
    }

    /// Stands for the code that is right; of what nobody is sent we make it ourselves in any case.
    private func proof(
        of challenge: ChallengeSeed, _ order: CodeOrder, _ place: ChallengePlace, under review: ReviewSeed?
    ) -> [UInt8] {
        if line.makesCodes, review == nil, !order.isSentNothing { return SendAttempt.providersProof }
        let code = review.map { reviewCode($0, order) } ?? code(of: challenge, order, place)
        return subjects.secrets.proof(code: code, recipient: order.recipient.key, place: place.name)
    }

    private func answer(
        _ order: CodeOrder, _ send: SendAttempt, over ways: [Way], verdict: SendVerdict
    ) async throws -> OTPRequestAnswer {
        switch verdict {
        case .limited(let rule, let seconds, let news):
            tell(news, isRefused: rule == .budget)
            trace?.note(.refused(rule: rule, until: send.subject.now + seconds), of: send.subject.recipient)
            OTPMetrics.limited(by: rule, route: OTPOperations.request.path)
            // Known and unknown clients of an address have quotas of their own: a refusal would tell which one this is, and
            // with it who has an account and from where its owner signs in.
            if order.recipient.phone == nil, rule != .address {
                return try await pace.echo() ?? OTPRequestAnswer(.sent)
            }
            return OTPRequestAnswer(.rateLimited, retryAfterSeconds: seconds)
        case .repeated(let failed):
            return OTPRequestAnswer(failed ? .providerError : .sent)
        case .send where order.fixedCode != nil || send.review != nil:
            noteNothing(.fixed, order.channel, order.recipient)
            return OTPRequestAnswer(.suppressed)
        case .send where order.isSilent: return try await echo(order, send, .notInvited)
        case .underReview:
            throw ChallengeStoreFailure("a review access was left out of account")
        case .badNumber:
            noteNothing(.knownBad, order.channel, order.recipient)
            return OTPRequestAnswer(.invalidPhone)
        case .send(let challenge, let bad, let late, let followsAnother, let news):
            tell(news)
            var message = try message(challenge, order, send)
            message.replacesEarlier = followsAnother
            let open = ways.filter { way in !bad.contains { $0.rawValue == way.channel } }
            guard !open.isEmpty else { return try await echo(order, send, .knownBad) }
            // A mail has no such channel.
            let paid = send.channels.isEmpty ? order.channel : send.paidChannel(bad: bad, late: late)?.rawValue
            return try await deliver(
                message, over: SenderLine.order(open, after: late), isNarrowed: open.count < ways.count, paid: paid,
                order, send)
        }
    }

    /// Answers a message that does not go out as the last one that did, so that a closed app does not reveal who is invited.
    private func echo(
        _ order: CodeOrder, _ send: SendAttempt, _ reason: NothingSent
    ) async throws -> OTPRequestAnswer {
        noteNothing(reason, order.channel, order.recipient)
        let answer = try await pace.echo() ?? OTPRequestAnswer(.sent)
        if answer.result != .sent { await note(.failed, of: send, bad: []) }
        return answer
    }

    private func message(_ challenge: ChallengeSeed, _ order: CodeOrder, _ send: SendAttempt) throws -> Message {
        Message(
            id: UUIDText.text(of: random(16)), channel: order.channel, recipient: order.recipient.destination,
            content: try order.write(code(of: challenge, order, send.subject.place), challenge), locale: order.locale,
            smsLocale: order.smsLocale, appHash: order.appHash, clientAddress: order.address)
    }

    private func reviewCode(_ review: ReviewSeed, _ order: CodeOrder) -> String {
        subjects.secrets.code(of: review, recipient: order.recipient.key, digitCount: subjects.rules.otp.length)
    }

    private func code(of challenge: ChallengeSeed, _ order: CodeOrder, _ place: ChallengePlace) -> String {
        order.fixedCode
            ?? subjects.secrets.code(
                of: challenge, recipient: order.recipient.key, place: place.name, digitCount: subjects.rules.otp.length)
    }
}
