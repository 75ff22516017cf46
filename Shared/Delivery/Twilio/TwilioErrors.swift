import ServiceCalls

/// What Twilio's errors mean to us: the tables of integration guide 1.2.6 and 1.3.
enum TwilioErrors {
    /// What is to be done after a call.
    enum Verdict: Sendable, Equatable {
        case taken(id: String)
        /// The call was not processed: once more after so many seconds; if that is too late, or fails alike, it is this
        /// failure.
        case again(afterSeconds: Int64, DeliveryFailure)
        /// The verification has had all its messages: once more after it is closed.
        case closeFirst(DeliveryFailure)
        case failed(DeliveryFailure)
    }

    /// Of an answer that is no success; nil: no whole one came in time, and the message may have gone out.
    static func verdict(_ answer: TwilioAnswer?) -> Verdict {
        guard let answer else { return .failed(.timedOut) }
        let known = answer.code.flatMap { verdict(ofCode: $0, answer) }
        return known
            ?? .failed(
                DeliveryFailure(
                    reason(ofStatus: answer.status, isTwilios: answer.code != nil), providerCode: answer.code))
    }

    /// Whether the code is one of the tables.
    static func isKnown(_ code: Int) -> Bool { isRepeated(code) || reasons[code] != nil }

    /// Codes whose call may be repeated, or whose meaning depends on the rest of the answer.
    private static func isRepeated(_ code: Int) -> Bool { [20_429, 60_200, 60_203, 60_212].contains(code) }

    /// `nil` for a code that is not in the tables.
    private static func verdict(ofCode code: Int, _ answer: TwilioAnswer) -> Verdict? {
        let retry = answer.retryAfterSeconds
        func failure(_ reason: DeliveryFailure.Reason, after seconds: Int64? = nil) -> DeliveryFailure {
            DeliveryFailure(reason, providerCode: code, retryAfterSeconds: seconds)
        }
        switch code {
        case 20_429 where answer.isOwnRateLimit: return .failed(failure(.limited, after: retry))
        case 20_429: return .again(afterSeconds: retry ?? 1, failure(.throttled))
        case 60_212: return .again(afterSeconds: max(1, retry ?? 1), failure(.limited, after: retry))
        // Within ten minutes the verification ends by itself.
        case 60_203: return .closeFirst(failure(.sendCap, after: retry ?? 600))
        case 60_200: return .failed(failure(answer.namesRecipient ? .badNumber : .misconfigured))
        default: return reason(ofCode: code).map { .failed(failure($0)) }
        }
    }

    /// The meaning of a code within a message that Twilio took.
    static func failure(ofMessageCode code: Int?) -> DeliveryFailure {
        DeliveryFailure(code.flatMap(reason(ofCode:)) ?? .refused, providerCode: code)
    }

    private static func reason(ofCode code: Int) -> DeliveryFailure.Reason? {
        reasons[code] ?? (channelCodes.contains(code) ? .channelMisconfigured : nil)
    }

    /// - Parameter isTwilios: whether Twilio gave a code, which the tables do not have: the next way may do, and the operator
    ///   has to look it up.
    private static func reason(ofStatus status: Int, isTwilios: Bool) -> DeliveryFailure.Reason {
        switch status {
        case 200...299: .badAnswer
        case 429: .throttled
        case 500...: .serverError
        // A redirect is not followed: the URL of a setting is wrong.
        default: isTwilios ? .refused : .misconfigured
        }
    }

    /// Errors of WhatsApp and of other channels than text messages; another channel may do.
    private static let channelCodes = 63_000...63_999

    /// For the person as if the country were off; for the operator too, since Twilio has the account under review.
    static let alarmsBeside: Set<Int> = [60_238]

    static let reasons: [Int: DeliveryFailure.Reason] = [
        // Verify and Messaging
        20_003: .misconfigured, 20_404: .misconfigured,
        // Verify
        60_201: .misconfigured, 60_204: .misconfigured, 60_205: .noTextMessages, 60_206: .misconfigured,
        60_207: .misconfigured, 60_208: .misconfigured, 60_209: .misconfigured, 60_210: .misconfigured,
        60_211: .misconfigured, 60_214: .channelMisconfigured, 60_217: .channelMisconfigured,
        60_220: .blockedCountry, 60_221: .misconfigured, 60_223: .channelMisconfigured, 60_238: .blockedCountry,
        60_243: .misconfigured, 60_308: .misconfigured, 60_410: .blockedPrefix, 60_413: .barred,
        60_605: .blockedCountry,
        // Messaging
        21_211: .badNumber, 21_212: .misconfigured, 21_217: .badNumber, 21_265: .badNumber, 21_408: .blockedCountry,
        21_421: .badNumber, 21_603: .misconfigured, 21_606: .misconfigured, 21_608: .misconfigured,
        21_609: .misconfigured, 21_610: .optedOut, 21_611: .throttled, 21_612: .noRoute, 21_614: .noTextMessages,
        21_635: .noTextMessages, 21_659: .misconfigured, 21_660: .misconfigured, 21_661: .misconfigured,
        21_703: .misconfigured, 21_704: .misconfigured, 21_705: .misconfigured, 30_001: .throttled,
        30_002: .misconfigured, 30_003: .noRoute, 30_004: .noRoute, 30_005: .noRoute, 30_006: .noTextMessages,
        30_007: .noRoute, 30_034: .misconfigured, 30_450: .blockedPrefix, 30_453: .blockedPrefix,
        // WhatsApp: Twilio's or Meta's fault, a full quota, or the recipient; all others are settings of ours.
        63_010: .serverError, 63_012: .serverError, 63_018: .throttled, 63_038: .throttled, 63_003: .notOnChannel,
        63_024: .notOnChannel, 63_032: .notOnChannel, 63_033: .notOnChannel, 63_049: .notOnChannel,
        63_016: .channelMisconfigured,
    ]
}

extension TwilioAnswer {
    /// Whether an invalid parameter is the number: "Invalid parameter `To`: …".
    fileprivate var namesRecipient: Bool { body?.text?.contains("`To`") ?? false }
}
