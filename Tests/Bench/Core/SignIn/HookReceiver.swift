import AccessTokens
import CryptoPrimitives
import Delivery
import FoundationEssentials
import ServiceCalls
import StrictJSON
import Synchronization

/// Stands for the providers of text messages and mail, and for Apple: takes the codes out of otp-service's hooks, of what it
/// hands to Twilio Messaging, and of the mails for Resend; publishes the keys of identity tokens.
final class HookReceiver: Sendable {
    /// The maximum number of codes that have not been used yet.
    private static let waitingMax = 100_000
    private static let path = "/sms"
    private static let mailPath = "/emails"
    private static let keysPath = "/auth/keys"
    private static let account = "AC" + String(repeating: "0123456789abcdef", count: 2)
    static let twilioPath = "/2010-04-01/Accounts/\(account)/Messages.json"
    static let twilioToken = String(repeating: "fedcba9876543210", count: 2)
    private static let authorization = "Basic " + Data("\(account):\(twilioToken)".utf8).base64EncodedString()
    private static let taken = Array(
        #"{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued","num_segments":"1"}"#.utf8)
    /// A mail's subject begins with its code; a text message contains one.
    private static let codeLength = 6

    /// The text of the secret by which otp-service signs its hooks.
    let secret: String
    private let signature: WebhookSignature
    private let codes = Mutex<[String: String]>([:])
    private let refused = Atomic<Int>(0)
    private let pauseMilliseconds = Atomic<Int64>(0)

    /// - Parameter random: the bytes of the secret, 24 to 64 of them.
    convenience init(random: [UInt8]) throws {
        let secret = "v1,whsec_" + Data(random).base64EncodedString()
        self.init(secret: secret, signature: try WebhookSignature(secrets: secret))
    }

    // Swift 6.3 crashes on optimising an initialiser that throws after it has made a Mutex.
    private init(secret: String, signature: WebhookSignature) {
        self.secret = secret
        self.signature = signature
    }

    /// The settings by which messages and requests for Apple's keys come to this port.
    static func settings(port: Int) -> [String: String] {
        let url = "http://127.0.0.1:\(port)"
        return [
            "OTP_SENDER": "webhook", "SMS_HOOK_URL": url + path, "MAIL_SENDER": "resend", "RESEND_URL": url,
            "MAIL_FROM": "Latchkey <login@latchkey.example>", "TWILIO_ACCOUNT_SID": account, "TWILIO_API_URL": url,
            "TWILIO_FROM": "+15005550006", "APPLE_URL": url,
        ]
    }

    /// The secret files of otp-service.
    var secrets: [String: String] {
        ["sms_hook_secret": secret, "resend_api_key": "re_bench", "twilio_auth_token": Self.twilioToken]
    }

    /// Messages that were not as they must be.
    var refusedCount: Int { refused.load(ordering: .relaxed) }

    /// - Throws: `UnexpectedReply` if a message was malformed or wrongly signed.
    func checkNoneRefused() throws {
        guard refusedCount == 0 else {
            throw UnexpectedReply(description: "\(refusedCount) messages were malformed or wrongly signed")
        }
    }

    /// From now on text messages wait so long for their answers; their codes are there at once.
    func setPause(milliseconds: Int64) { pauseMilliseconds.store(milliseconds, ordering: .relaxed) }

    /// The code that was sent to a number in E.164 or to an address; the second time nil.
    func takeCode(for recipient: String) -> String? {
        codes.withLock { $0.removeValue(forKey: String(recipient.trimmingPrefix("+"))) }
    }

    /// The answer to a hook: 204 once the code is kept, 400 for one that is malformed or wrongly signed; to a message for
    /// Twilio: 201; to a mail: 200.
    func answer(_ request: ServedRequest) -> ServedAnswer {
        switch request.path {
        case Self.keysPath: AppleTokens.answerKeys()
        case Self.mailPath: keep(mail(request.body), 200, Array(#"{"id":"mail"}"#.utf8), refusal: 422, pause: false)
        case Self.twilioPath: keep(twilioMessage(request), 201, Self.taken)
        default: keep(hook(request), 204)
        }
    }

    /// - Parameter message: the recipient, a number without its `+`, and the code; nil for what is no message with a code.
    private func keep(
        _ message: (recipient: String, code: String)?, _ status: Int, _ body: [UInt8] = [], refusal: Int = 400,
        pause: Bool = true
    ) -> ServedAnswer {
        let isKept = codes.withLock { codes in
            guard let message, codes.count < Self.waitingMax else { return false }
            codes[message.recipient] = message.code
            return true
        }
        guard isKept else {
            refused.add(1, ordering: .relaxed)
            return ServedAnswer(status: refusal)
        }
        return ServedAnswer(
            status: status, body: body, afterMilliseconds: pause ? pauseMilliseconds.load(ordering: .relaxed) : 0)
    }

    private func mail(_ body: [UInt8]) -> (String, String)? {
        guard let mail = Self.decoded(Mail.self, body), let recipient = mail.to.first else { return nil }
        return (recipient, String(mail.subject.prefix(Self.codeLength)))
    }

    private func hook(_ request: ServedRequest) -> (String, String)? {
        guard request.path == Self.path, let id = request.headers["webhook-id"],
            let timestamp = request.headers["webhook-timestamp"].flatMap({ Int64($0) }),
            request.headers["webhook-signature"] == signature.header(id: id, timestamp: timestamp, body: request.body)
        else { return nil }
        return Self.decoded(Hook.self, request.body).map { ($0.sms.phone, $0.sms.otp) }
    }

    private func twilioMessage(_ request: ServedRequest) -> (String, String)? {
        let form = FormText.decode(String(decoding: request.body, as: UTF8.self), countMax: 16) ?? []
        let fields = Dictionary(form) { first, _ in first }
        guard request.headers["authorization"] == Self.authorization, let number = fields["To"],
            let code = (fields["Body"] ?? "").split(whereSeparator: { !$0.isNumber })
                .first(where: { $0.count == Self.codeLength })
        else { return nil }
        return (String(number.trimmingPrefix("+")), String(code))
    }

    private static func decoded<Message: Decodable>(_ type: Message.Type, _ body: [UInt8]) -> Message? {
        // The receiver refuses every message that it cannot read.
        do { return try StrictJSON.decode(type, from: body, limits: .own) } catch { return nil }
    }
}

/// The members of a mail for Resend that a receiver needs.
private struct Mail: Decodable {
    let to: [String]
    let subject: String
}

/// The members of a hook that a receiver needs.
private struct Hook: Decodable {
    struct Message: Decodable {
        let otp: String
        let phone: String
    }

    let sms: Message
}

/// Apple's identity tokens, signed with one RSA key.
enum AppleTokens {
    /// The audience in the policy `howru`.
    private static let audience = "com.howru"
    private static let issuer = "https://appleid.apple.com"
    private static let lifetimeSeconds = 600
    private static let key = Result { try SigningKey.generate(keyID: "apple", algorithm: .RS256) }

    /// Answers a request for the keys.
    static func answerKeys() -> ServedAnswer {
        do {
            let keys = try [key.get()].compactMap(\.verificationKey.jwk)
            return ServedAnswer(status: 200, body: try StrictJSON.encode(["keys": keys]))
        } catch { return ServedAnswer(status: 500) }
    }

    /// Returns a new token for the user of this name.
    ///
    /// - Throws: `KeyError` if libcrypto cannot make the key or sign.
    static func token(of subject: String) throws -> String {
        let key = try key.get()
        let issuedAt = Report.now()
        let header = #"{"alg":"RS256","kid":"\#(key.keyID)"}"#
        let claims = """
            {"iss":"\(issuer)","aud":"\(audience)","sub":"\(subject)","iat":\(issuedAt),\
            "exp":\(issuedAt + Int64(lifetimeSeconds)),"jti":"\(UUIDText.random())"}
            """
        let signed = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }
}
