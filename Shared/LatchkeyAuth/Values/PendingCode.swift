/// A code that is requested, and that the user has not typed yet.
///
/// It is `Codable`: keep it while the user reads the message, since the system may end the app meanwhile. It holds the
/// phone number or email address and a secret, so keep it where you would keep those.
public struct PendingCode: Sendable, Hashable, Codable {
    /// The phone number or email address that the code goes to.
    public let destination: Destination
    /// The language of the message, as a tag of RFC 5646.
    let locale: String?
    /// Random; the keys of requests and attempts and the link's verifier derive from it.
    let secret: String

    init(destination: Destination, locale: String?, secret: String = RandomBytes.token()) {
        self.destination = destination
        self.locale = locale
        self.secret = secret
    }

    /// The receiver of a code.
    public enum Destination: Sendable, Hashable, Codable {
        /// `region` is an ISO 3166 code, such as `US`, for a number without `+`.
        case phone(String, region: String?, channel: Channel)
        case email(String)
    }

    /// The Idempotency-Key of the request for the code, so that a repeat after a lost response sends no second message.
    var requestKey: String { key("request") }

    /// The Idempotency-Key of a sign-in by this code. The same code has the same key, so that a repeat after a lost
    /// response counts as one guess and opens one session.
    func attemptKey(_ code: String) -> String { key("code \(code)") }

    private func key(_ attempt: String) -> String {
        Base64URL.encode(SHA256.authenticate(Array(attempt.utf8), key: Array(secret.utf8)))
    }

    /// The code without the spaces and hyphens that people type.
    static func digits(of code: String) -> String { code.filter { !$0.isWhitespace && $0 != "-" } }

    /// The receiver, as members of a request.
    var receiver: [String: JSONValue?] {
        switch destination {
        case .phone(let phone, let region, _): ["phoneNumber": .string(phone), "countryCode": .optional(region)]
        case .email(let email): ["email": .string(email)]
        }
    }

    /// The members of the request for a code.
    var request: [String: JSONValue?] {
        var body = receiver
        body["locale"] = .optional(locale)
        if case .phone(_, _, let channel) = destination, channel != .sms { body["channel"] = .string(channel.rawValue) }
        return body
    }

    /// The verifier that opens the link in a mail (RFC 7636 section 4.1). Only this device has it.
    var verifier: String { secret }

    /// The challenge that is sent with the request for a mail (RFC 7636 section 4.2).
    var challenge: String { Base64URL.encode(SHA256.hash(Array(verifier.utf8))) }
}

/// The way in which a code reaches a phone.
public enum Channel: String, Codable, Sendable {
    case sms
    case call
    case whatsapp
}

extension PendingCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PendingCode(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
