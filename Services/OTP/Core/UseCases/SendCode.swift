import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies

/// A request to send a code, once its recipient is known.
struct CodeOrder: Sendable {
    let recipient: Recipient
    /// The requested channel.
    let channel: String
    let purpose: Purpose
    /// The user that the code is bound to, if any.
    let userID: String?
    /// The client's IP address.
    let address: String
    let isVouchedFor: Bool
    let callID: String
    /// The parts, besides recipient and place, in which two calls must be equal to be the same call.
    let asking: [String]
    let locale: String?
    /// The language in which the policy has a text of its own for this message; `nil` for the common text.
    var smsLocale: String?
    /// The hash of the Android app that waits for the message.
    var appHash: String?
    /// Returns the cost of a message by a channel at a time (Unix seconds); `nil` if it costs nothing.
    var charge: @Sendable (String, Int64) -> SpendCharge? = { _, _ in nil }
    /// The fixed code of this recipient, so that nothing is sent.
    var fixedCode: String?
    /// Whether nothing is sent, although the response is as if it were.
    var isSilent = false
    /// Notes that the provider has just reported this recipient as undeliverable.
    var noteUndeliverable: @Sendable () async throws -> Void = {}
    /// The last message of a closed app, and whether the request has been answered before its message was sent; `nil` elsewhere.
    var closed: (pace: AnswerMoment.Pace, answer: LateAnswer)?
    /// Whether no message is sent, whatever is decided.
    var isSentNothing: Bool { fixedCode != nil || isSilent }
    /// Writes the message.
    let write: @Sendable (String, ChallengeSeed) throws -> Message.Content
}

/// Sends a one-time code: limits, challenge, message, in this order.
///
/// Everything is decided and counted before anything is sent. Without a count there is no message.
struct SendCode: Sendable {
    let subjects: CallSubjects
    let store: any ChallengeStore
    /// Whether the store has room for another challenge.
    let hasRoom: @Sendable () -> Bool
    let line: SenderLine
    /// The pace of the last sends.
    var pace = SendPace<OTPRequestAnswer>()
    /// The moment at which requests are answered; `nil` if the app is not closed.
    var moment: AnswerMoment?
    /// The operator's trace of each request; `nil` if there is none.
    var trace: TraceBook?
    let logger: Logger
    let now: @Sendable () -> Int64
    /// Returns so many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    /// The time after which clients may come back while the store is nearly full. Entries expire with each minute.
    private static let fullRetryAfterSeconds: Int64 = 60

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ order: CodeOrder) async throws -> OTPRequestAnswer {
        guard let moment else { return try await send(order) }
        return try await moment { pace, answer in
            var order = order
            order.closed = (pace, answer)
            return try await send(order)
        }
    }

    private func send(_ order: CodeOrder) async throws -> OTPRequestAnswer {
        guard hasRoom() else {
            throw ChallengeStoreFailure(
                "nearly full, the rest is kept for revocations", retryAfterSeconds: Self.fullRetryAfterSeconds)
        }
        let ways = line.ways(of: order.channel, for: .code)
        guard order.fixedCode == nil else { return try await answer(order, over: ways) }
        // Nothing is counted for a message that no provider would accept now.
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

    /// The number of tries: one nearly always suffices, the second follows the store's review access, and the third an operator's
    /// change in between.
    private static let triesMax = 3

    /// Returns the attempt in the form that the store checks, with the challenge that it may open.
    private func attempt(_ order: CodeOrder, over ways: [Way], under review: ReviewSeed?) throws -> SendAttempt {
        let now = self.now()
        let place = try subjects.place(of: order.purpose, order.userID)
        let call = CallSubjects.Call(
            place: place, address: order.address, isVouchedFor: order.isVouchedFor, callID: order.callID,
            asking: order.asking, now: now)
        let challenge = ChallengeSeed(created: now, salt: random(ChallengeSeed.saltByteCount))
        let channels = SenderLine.channels(of: ways)
        return SendAttempt(
            subject: try subjects.subject(ofSend: call, to: order.recipient), challenge: challenge,
            proof: proof(of: challenge, order, place, under: review), review: review,
            channels: channels.compactMap { PhoneChannel(rawValue: $0) },
            charge: charge(order, channels.first ?? order.channel, now),
            label: order.isSentNothing ? nil : order.recipient.tallyLabel(by: channels.first ?? order.channel))
    }

    private func charge(_ order: CodeOrder, _ channel: String, _ now: Int64) -> SpendCharge? {
        guard order.fixedCode == nil, var charge = order.charge(channel, now) else { return nil }
        charge.isSilent = order.isSilent
        return charge
    }

    /// Returns the proof of the right code. If nothing is sent, this service always makes the code itself.
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
            // Recognised and unrecognised clients of an address have separate quotas. A refusal would reveal which one this is, and
            // with it who has an account and from which network its owner signs in.
            if order.recipient.phone == nil, rule != .address {
                return try await pace.echo() ?? OTPRequestAnswer(.sent)
            }
            return OTPRequestAnswer(.rateLimited, limit: rule.kindOfSend, retryAfterSeconds: seconds)
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

    /// Responds to a message that is not sent as to the last one that was, so that a closed app does not reveal who is invited.
    private func echo(
        _ order: CodeOrder, _ send: SendAttempt, _ reason: NothingSent
    ) async throws -> OTPRequestAnswer {
        noteNothing(reason, order.channel, order.recipient)
        let last = if let closed = order.closed { closed.pace.lastAnswer } else { try await pace.echo() }
        let answer = last ?? OTPRequestAnswer(.sent)
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
