import ServiceCalls

/// The meaning of Twilio's errors: the tables of integration guide 1.2.6 and 1.3.
enum TwilioErrors {
    /// The next step after a call.
    enum Verdict: Sendable, Equatable {
        case taken(id: String)
        /// The call was not processed and is repeated after this many seconds. If that is too late, or fails likewise, it
        /// is this failure.
        case again(afterSeconds: Int64, DeliveryFailure)
        /// The verification has had all its messages: it is closed, and the call repeated.
        case closeFirst(DeliveryFailure)
        case failed(DeliveryFailure)
    }

    /// Returns the verdict on a call that got no success.
    static func verdict(_ result: TwilioResult) -> Verdict {
        let answer: TwilioAnswer
        do { answer = try result.get() } catch { return .failed(error) }
        let known = answer.code.flatMap { verdict(ofCode: $0, answer) }
        return known
            ?? .failed(
                DeliveryFailure(
                    reason(ofStatus: answer.status, isTwilios: answer.code != nil), providerCode: answer.code))
    }

    /// Whether the tables contain the code.
    static func isKnown(_ code: Int) -> Bool { isRepeated(code) || reasons[code] != nil }

    /// Whether a call with this code may be repeated, or the code's meaning depends on the rest of the response.
    private static func isRepeated(_ code: Int) -> Bool { [20_429, 60_200, 60_203, 60_212].contains(code) }

    /// Returns `nil` for a code that is not in the tables.
    private static func verdict(ofCode code: Int, _ answer: TwilioAnswer) -> Verdict? {
        let retry = answer.retryAfterSeconds
        func failure(_ reason: DeliveryFailure.Reason, after seconds: Int64? = nil) -> DeliveryFailure {
            DeliveryFailure(reason, providerCode: code, retryAfterSeconds: seconds)
        }
        switch code {
        case 20_429 where answer.isOwnRateLimit: return .failed(failure(.limited, after: retry))
        case 20_429: return .again(afterSeconds: retry ?? 1, failure(.throttled))
        case 60_212: return .again(afterSeconds: max(1, retry ?? 1), failure(.limited, after: retry))
        // The verification expires within ten minutes.
        case 60_203: return .closeFirst(failure(.sendCap, after: retry ?? 600))
        case 60_200: return .failed(failure(answer.namesRecipient ? .badNumber : .misconfigured))
        default: return reason(ofCode: code).map { .failed(failure($0)) }
        }
    }

    /// Returns the meaning of an error code of a message that Twilio accepted.
    static func failure(ofMessageCode code: Int?) -> DeliveryFailure {
        DeliveryFailure(code.flatMap(reason(ofCode:)) ?? .refused, providerCode: code)
    }

    private static func reason(ofCode code: Int) -> DeliveryFailure.Reason? {
        reasons[code] ?? (channelCodes.contains(code) ? .channelMisconfigured : nil)
    }

    /// - Parameter isTwilios: Whether Twilio gave a code that the tables do not contain. Then the next way may work, and
    ///   the operator has to look the code up.
    private static func reason(ofStatus status: Int, isTwilios: Bool) -> DeliveryFailure.Reason {
        switch status {
        case 200...299: .badAnswer
        case 429: .throttled
        case 500...: .serverError
        // Redirects are not followed: the URL in a setting is wrong.
        default: isTwilios ? .refused : .misconfigured
        }
    }

    /// Errors of WhatsApp and other channels than text messages; another channel may work.
    private static let channelCodes = 63_000...63_999

    /// Codes that the person sees as a blocked country, and that also alarm the operator, since Twilio is reviewing the
    /// account.
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
        // WhatsApp: errors of Twilio or Meta, a full quota, or the recipient; all other codes are settings of ours.
        63_010: .serverError, 63_012: .serverError, 63_018: .throttled, 63_038: .throttled, 63_003: .notOnChannel,
        63_024: .notOnChannel, 63_032: .notOnChannel, 63_033: .notOnChannel, 63_049: .notOnChannel,
        63_016: .channelMisconfigured,
    ]
}

extension TwilioAnswer {
    /// Whether an invalid parameter is the number: "Invalid parameter `To`: …".
    fileprivate var namesRecipient: Bool { body?.text?.contains("`To`") ?? false }
}
