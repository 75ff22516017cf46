import ServiceCalls
import StrictJSON

/// What Twilio answered: by its own error codes first, since status and text of errors differ between its interfaces
/// (integration guide 1.2.6).
struct TwilioAnswer: Sendable, Equatable {
    let status: Int
    let retryAfterSeconds: Int64?
    /// A limit that the account set on its Verify Service, not one of Twilio's.
    let isOwnRateLimit: Bool
    /// Nil for what is no JSON object of the kind that both interfaces answer.
    let body: TwilioBody?

    init(_ answer: ProviderAnswer) {
        status = answer.status
        retryAfterSeconds = answer.retryAfterSeconds
        isOwnRateLimit = answer.headers["twilio-reached-rate-limit"] != nil
        do { body = try StrictJSON.decode(TwilioBody.self, from: answer.body, limits: .own) } catch { body = nil }
    }

    var isSuccess: Bool { (200...299).contains(status) }

    /// The error's number; nil when a proxy answered, or nothing went wrong.
    var code: Int? { isSuccess ? nil : body?.code }
}

/// The members that we read of all answers: of a thing, and of an error, in Twilio's own envelope or in that of RFC 9457.
struct TwilioBody: Decodable, Sendable, Equatable {
    let sid: String?
    let status: String?
    let code: Int?
    let text: String?
    /// Of a message that was refused after all.
    let errorCode: Int?
    let segments: Int?
    let customCodeEnabled: Bool?
    let codeLength: Int?

    private enum Key: String, CodingKey {
        case sid, status, code, message, detail
        case errorCode = "error_code"
        case segments = "num_segments"
        case customCodeEnabled = "custom_code_enabled"
        case codeLength = "code_length"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        // The same names mean other things in errors, e.g. `status` is a number there: what does not fit is not there.
        func member<Value: Decodable>(_ key: Key, _ type: Value.Type) -> Value? {
            do { return try container.decodeIfPresent(type, forKey: key) } catch { return nil }
        }
        sid = member(.sid, String.self)
        status = member(.status, String.self)
        code = member(.code, Int.self)
        text = member(.message, String.self) ?? member(.detail, String.self)
        errorCode = member(.errorCode, Int.self)
        segments = member(.segments, String.self).flatMap { Int($0) }
        customCodeEnabled = member(.customCodeEnabled, Bool.self)
        codeLength = member(.codeLength, Int.self)
    }
}
