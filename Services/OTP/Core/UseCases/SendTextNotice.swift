import Delivery
import InternalAPI
import Logging
import PhoneNumbers
import Policies
import RedisClient

/// Sends the notice of a change, or of a removal after inactivity, as a text message, to a user without an email address.
///
/// A number gets few of them a day, within the budgets of messages. Each is counted before it is sent, and one that is tried again is
/// paid for again. Senders that only send codes, such as Twilio Verify, send none.
struct SendTextNotice: Sendable {
    /// The most notices to one number on a day in UTC.
    static let perDayMax: Int64 = 3
    private static let channel = PhoneChannel.sms.rawValue
    private static let daySeconds: Int64 = 86_400

    let letter: NoticeLetter
    let rules: CodeRules
    let charge: MessageCharge
    let redis: RedisClient
    let line: SenderLine
    /// The operator's trace of phone numbers; `nil` if there is none.
    let trace: TraceBook?
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Succeeds also if the number gets no message, since no later try would help; except for the notice of a removal.
    ///
    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ notice: MailNotice) async throws -> OperationOutcome<Done, NoticeRefusal> {
        guard let phone = rules.phone(notice.to, region: nil) else { throw InvalidInput(member: "to") }
        guard notice.kind.goesAsText, notice.hasFittingToken else { throw InvalidInput(member: "token") }
        let ways = ways(to: phone)
        guard let text = letter.textMessage(notice), !ways.isEmpty else {
            return heldBack(notice, because: "not_sent_there")
        }
        guard SenderLine.waitSeconds(of: ways) == nil, line.load.enter() else { return .refused(.providerError) }
        defer { line.load.leave() }
        guard try await isCounted(notice, phone) else { return heldBack(notice, because: "limit") }
        return await send(text, notice, to: phone, over: ways)
    }

    /// Whether notices go to a phone number, apart from limits and faults.
    func reaches(_ number: String) -> Bool { rules.phone(number, region: nil).map { !ways(to: $0).isEmpty } ?? false }

    private func ways(to phone: PhoneNumber) -> [Way] {
        guard rules.countries.allows(phone), rules.fixedCode(phone, now: now()) == nil else { return [] }
        return line.ways(of: Self.channel, for: .text).filter { $0.channel == Self.channel }
    }

    private func isCounted(_ notice: MailNotice, _ phone: PhoneNumber) async throws(ChallengeStoreFailure) -> Bool {
        let key = RedisKeys.textNotices(secrets.tag(.phone(phone)), day: now() / Self.daySeconds)
        let reply = try await redis.call(
            CodeFunctions.countTextNotice, [key], ["id": .text(notice.id), "max": .integer(Self.perDayMax)])
        switch reply.result {
        case "counted": return true
        case "limited": return false
        default: throw reply.failure
        }
    }

    private func send(
        _ text: String, _ notice: MailNotice, to phone: PhoneNumber, over ways: [Way]
    ) async -> OperationOutcome<Done, NoticeRefusal> {
        let message = Message(
            id: notice.id, channel: Self.channel, recipient: phone.e164, content: Message.Content(text: text),
            locale: nil, clientAddress: "")
        let turn = TryInTurn(paidChannel: nil) { await isPaid(notice, phone, $0) }
        let trail = await turn(message, over: ways)
        note(trail, notice, phone)
        if let (way, _) = trail.sent {
            OTPMetrics.segments(SMSSegment(text).count, by: way.sender.provider, .phone(phone))
            return .answer(Done())
        }
        // Without a failure the budgets had no room.
        let isFinal = trail.failures.last?.failure.dependsOnRecipient ?? false
        return isFinal ? notice.unsent : .refused(.providerError)
    }

    /// Whether the budgets have room. Notices of removals, of which many are sent at once, leave room for the codes of recognised clients.
    private func isPaid(_ notice: MailNotice, _ phone: PhoneNumber, _ way: Way) async -> Bool {
        do throws(ChallengeStoreFailure) {
            return try await charge(phone, way.channel, isVouchedFor: notice.kind != .inactivity)
        } catch {
            logger.warning("otp.spend.uncharged", metadata: ["cause": "\(error)"])
            return false
        }
    }

    /// Records each try in the log and in the operator's trace.
    private func note(_ trail: TryInTurn.Trail, _ notice: MailNotice, _ phone: PhoneNumber) {
        func trace(_ way: Way, _ messageID: String, _ outcome: String) {
            self.trace?.note(
                .tried(channel: way.channel, sender: way.sender.provider, messageID: messageID, outcome: outcome),
                of: secrets.tag(.phone(phone)))
        }
        for (way, failure) in trail.failures {
            var facts = failure.metadata
            (facts["provider"], facts["message.id"]) = ("\(way.sender.provider)", "\(notice.id)")
            logger.error("notice.send.failed", metadata: facts)
            trace(way, "", failure.text)
        }
        if let (way, id) = trail.sent { trace(way, id, TraceEvent.sent) }
    }

    private func heldBack(_ notice: MailNotice, because reason: String) -> OperationOutcome<Done, NoticeRefusal> {
        logger.notice(
            "notice.held_back",
            metadata: ["kind": "\(notice.kind.rawValue)", "message.id": "\(notice.id)", "reason": "\(reason)"])
        return notice.unsent
    }
}
