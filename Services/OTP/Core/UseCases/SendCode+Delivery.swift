import CallDeadlines
import Delivery
import InternalAPI
import Logging
import OutgoingConnections
import Policies

extension SendCode {
    /// Sends the message. The outcome is noted for a repeat of the call, and the send stays counted.
    ///
    /// - Parameters:
    ///   - isNarrowed: whether the recipient has fewer ways than others.
    ///   - paid: the channel whose first try is paid; `nil` for none.
    func deliver(
        _ message: Message, over ways: [Way], isNarrowed: Bool, paid: String?, _ order: CodeOrder, _ send: SendAttempt
    ) async throws -> OTPRequestAnswer {
        let start = ContinuousClock.now
        // After the deadline the caller no longer waits, and this message would arrive next to the one that a repeat requests.
        let turn = TryInTurn(paidChannel: paid) { way in
            guard CallDeadline.current?.hasPassed != true else { return false }
            return await isPaid(way, order, send)
        }
        let isLate = CallDeadline.current?.hasPassed == true
        let trail =
            if isLate {
                TryInTurn.Trail()
            } else if order.closed != nil {
                // The request is answered before its deadline, as if the message had been accepted.
                await CallDeadline.lifted { await turn(message, over: ways) }
            } else {
                await turn(message, over: ways)
            }
        note(trail, message, order, send)
        let dependsOnRecipient = trail.failsByRecipient || (isNarrowed && trail.sent == nil)
        // In a closed app such a response would reveal that the number is invited.
        let isHidden = subjects.rules.isClosed && dependsOnRecipient
        let isAccepted = order.closed?.answer.isAccepted == true
        let answer = await settle(trail, isHidden: isHidden || isAccepted, message, send)
        if !isLate {
            // An echo is the response to another recipient, to whose request it does not apply.
            let shown = dependsOnRecipient ? OTPRequestAnswer(.sent) : answer
            let taken = ContinuousClock.now - start
            pace.note(taken, shown, isFailure: shown.result != .sent)
            await moment?.note(taken, shown)
        }
        if answer.result == .undeliverable { try await order.noteUndeliverable() }
        return answer
    }

    /// Notes the outcome for a repeat of the call, and returns the response.
    private func settle(
        _ trail: TryInTurn.Trail, isHidden: Bool, _ message: Message, _ send: SendAttempt
    ) async -> OTPRequestAnswer {
        let bad = trail.failures.filter(\.failure.isLasting).compactMap { PhoneChannel(rawValue: $0.way.channel) }
        let failure = trail.failures.last?.failure ?? DeliveryFailure(connection: .connectTimedOut)
        guard trail.sent == nil, !isHidden else {
            if !bad.isEmpty { await note(.taken, of: send, bad: Set(bad)) }
            return OTPRequestAnswer(.sent)
        }
        let isUnclosed = message.replacesEarlier && trail.failures.allSatisfy(\.failure.leavesEarlierCode)
        await note(isUnclosed ? .unclosed : .failed, of: send, bad: Set(bad))
        return OTPRequestAnswer(after: failure)
    }

    /// Reports the events of budgets to the log and the metrics; the store writes them to the audit.
    func tell(_ news: [SpendNews], isRefused: Bool = false) {
        if isRefused { OTPMetrics.guarded(.budget, "refused") }
        for item in news {
            switch item {
            case .observed: OTPMetrics.guarded(.budget, "observed")
            case .alarm(let scope, let window, let percent):
                OTPMetrics.spendAlarm(scope: scope, window: window, percent: percent)
                logger.warning(
                    "otp.spend.alarm",
                    metadata: ["scope": "\(scope)", "window": "\(window)", "percent": .stringConvertible(percent)])
            }
        }
    }

    /// Notes in the operator's trace that nothing was tried, and why.
    func noteNothing(_ reason: NothingSent, _ channel: String, _ recipient: Recipient) {
        trace?.note(
            .tried(channel: channel, sender: TraceEvent.nobody, messageID: "", outcome: reason.rawValue),
            of: subjects.secrets.tag(recipient))
    }

    /// Charges one more way before it is tried. A way that cannot be charged is not tried.
    private func isPaid(_ way: Way, _ order: CodeOrder, _ send: SendAttempt) async -> Bool {
        var further = send
        further.charge = order.charge(way.channel, now())
        further.label = order.recipient.tallyLabel(by: way.channel)
        do throws(ChallengeStoreFailure) {
            switch try await store.charge(further) {
            case .charged(let news):
                tell(news)
                return true
            case .limited(let seconds, let news):
                tell(news, isRefused: true)
                trace?.note(.refused(rule: .budget, until: now() + seconds), of: send.subject.recipient)
                return false
            }
        } catch {
            logger.warning("otp.spend.uncharged", metadata: ["cause": "\(error)"])
            return false
        }
    }

    /// Records each try in the log, the operator's trace and the metrics.
    private func note(_ trail: TryInTurn.Trail, _ message: Message, _ order: CodeOrder, _ send: SendAttempt) {
        for (way, failure) in trail.failures {
            log(failure, of: way, message)
            note(way, messageID: "", outcome: failure.text, send)
        }
        guard let (way, id) = trail.sent else { return }
        note(way, messageID: id, outcome: TraceEvent.sent, send)
        // A provider that writes the message itself knows how long it is.
        if way.channel == PhoneChannel.sms.rawValue, way.sender.abilities.contents.contains(.text) {
            OTPMetrics.segments(SMSSegment(message.content.text).count, by: way.sender.provider, order.recipient)
        }
    }

    private func note(_ way: Way, messageID: String, outcome: String, _ send: SendAttempt) {
        trace?.note(
            .tried(channel: way.channel, sender: way.sender.provider, messageID: messageID, outcome: outcome),
            of: send.subject.recipient)
    }

    private func log(_ failure: DeliveryFailure, of way: Way, _ message: Message) {
        var facts = failure.metadata
        facts["provider"] = "\(way.sender.provider)"
        facts["channel"] = "\(way.channel)"
        facts["message.id"] = "\(message.id)"
        logger.log(
            level: failure.isAlarm || failure.rest == .anyWay ? .error : .warning, "otp.send.failed", metadata: facts)
    }

    func note(_ outcome: SendOutcome, of send: SendAttempt, bad: Set<PhoneChannel>) async {
        do throws(ChallengeStoreFailure) {
            try await store.noteOutcome(of: send, outcome, bad: bad)
        } catch {
            logger.warning("otp.send.failure.unnoted", metadata: ["cause": "\(error)"])
        }
    }
}

/// The reason why no message followed a request, although no limit refused it.
enum NothingSent: String, Sendable {
    /// Its code is fixed, or it is under review access.
    case fixed
    /// The number is not invited.
    case notInvited = "not_invited"
    /// The number is not in the policy's countries.
    case blockedCountry = "not_in_countries"
    /// A provider reported the number as bad less than a day ago.
    case knownBad = "known_bad"
    /// No provider was available, or too many messages were under way.
    case noWay = "no_way"
}

extension DeliveryFailure {
    /// The facts for log lines.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "failure": "\(reason.rawValue)", "code": "\(code)",
        ]
        // Only where it holds: operators search logs for the member.
        if isAlarm { metadata["alarm"] = "true" }
        if let detail { metadata["reply"] = "\(detail)" }
        return metadata
    }
}

extension TryInTurn.Trail {
    /// Whether no way accepted the message, although one might accept another recipient's.
    fileprivate var failsByRecipient: Bool { sent == nil && failures.contains(where: \.failure.dependsOnRecipient) }
}

extension OTPRequestAnswer {
    /// Creates the response to the client after a message that no way accepted.
    fileprivate init(after failure: DeliveryFailure) {
        let limitSeconds: Int64 = 60
        switch failure.reason {
        case .badNumber, .noTextMessages: self.init(.invalidPhone)
        case .blockedCountry: self.init(.blockedCountry)
        case .sendCap, .limited:
            self.init(.rateLimited, limit: .sends, retryAfterSeconds: failure.retryAfterSeconds ?? limitSeconds)
        case .undeliverable: self.init(.undeliverable)
        case .optedOut: self.init(.optedOut)
        case .connection, .serverError, .throttled, .refused, .badAnswer, .noRoute, .notOnChannel,
            .blockedPrefix, .barred, .misconfigured, .channelMisconfigured:
            self.init(.providerError)
        }
    }
}
