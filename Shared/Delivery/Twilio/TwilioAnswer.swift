import ServiceCalls
import StrictJSON

/// A response of Twilio, judged by Twilio's own error codes first, since the status and text of errors differ between its
/// interfaces (integration guide 1.2.6).
struct TwilioAnswer: Sendable, Equatable {
    let status: Int
    let retryAfterSeconds: Int64?
    /// Whether the account set the limit on its Verify Service itself.
    let isOwnRateLimit: Bool
    /// The body; `nil` if it is not a JSON object of the form that both interfaces return.
    let body: TwilioBody?

    init(_ answer: ProviderAnswer) {
        status = answer.status
        retryAfterSeconds = answer.retryAfterSeconds
        isOwnRateLimit = answer.headers["twilio-reached-rate-limit"] != nil
        do { body = try StrictJSON.decode(TwilioBody.self, from: answer.body, limits: .own) } catch { body = nil }
    }

    var isSuccess: Bool { (200...299).contains(status) }

    /// The error's code; `nil` if a proxy responded, or there was no error.
    var code: Int? { isSuccess ? nil : body?.code }
}

/// The members that we read of all responses: of a resource, and of an error, in Twilio's own format or in that of RFC
/// 9457.
struct TwilioBody: Decodable, Sendable, Equatable {
    let sid: String?
    let status: String?
    let code: Int?
    let text: String?
    /// The error code of a message that was refused after it had been accepted.
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
        // Errors use the same names for other things, e.g. `status` is a number there. A member of another type counts as
        // missing.
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
