import CryptoPrimitives
import Delivery
import FoundationEssentials
import StrictJSON
import Synchronization

/// Stands for the providers of text messages and mail: takes the codes out of otp-service's hooks, of what it hands to Twilio
/// Messaging, and of the mails for Resend.
package final class HookReceiver: Sendable {
    /// The maximum number of codes that have not been used yet.
    private static let waitingMax = 100_000
    private static let path = "/sms"
    private static let mailPath = "/emails"
    /// A mail's subject begins with its code.
    static let codeLength = 6

    /// The text of the secret file, for otp-service.
    package let secret: String
    private let signature: WebhookSignature
    private let codes = Mutex<[String: String]>([:])
    private let refused = Atomic<Int>(0)
    private let pauseMilliseconds = Atomic<Int64>(0)

    /// - Parameter random: the bytes of the secret, 24 to 64 of them.
    package convenience init(random: [UInt8]) throws {
        let secret = "v1,whsec_" + Data(random).base64EncodedString()
        self.init(secret: secret, signature: try WebhookSignature(secrets: secret))
    }

    // Swift 6.3 crashes on optimising an initialiser that throws after it has made a Mutex.
    private init(secret: String, signature: WebhookSignature) {
        self.secret = secret
        self.signature = signature
    }

    /// Returns the value for `SMS_HOOK_URL`.
    package static func url(port: Int) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Settings of otp-service by which its mails come here.
    package static func mailSettings(port: Int) -> [String: String] {
        [
            "MAIL_SENDER": "resend", "RESEND_URL": "http://127.0.0.1:\(port)",
            "MAIL_FROM": "Latchkey <login@latchkey.example>",
        ]
    }

    /// Hooks and mails that were not as they must be.
    package var refusedCount: Int { refused.load(ordering: .relaxed) }

    /// From now on text messages wait so long for their answers; their codes are there at once.
    package func setPause(milliseconds: Int64) { pauseMilliseconds.store(milliseconds, ordering: .relaxed) }

    /// The answer to a hook: 204 once the code is kept, 400 for one that is malformed or wrongly signed; to a message for
    /// Twilio: 201; to a mail: 200.
    package func answer(_ request: ServedRequest) -> ServedAnswer {
        if request.path == Self.mailPath { return answerMail(request) }
        if request.path == Self.twilioPath { return answerTwilio(request) }
        guard isGenuine(request), let message = message(request.body), keep(message.otp, for: message.phone) else {
            return refuse(with: 400)
        }
        return inTime(204)
    }

    /// The code that was sent to a number in E.164 or to an address; the second time nil.
    package func takeCode(for recipient: String) -> String? {
        codes.withLock { $0.removeValue(forKey: String(recipient.trimmingPrefix("+"))) }
    }

    private func answerMail(_ request: ServedRequest) -> ServedAnswer {
        // What cannot be read is refused, whatever the reason.
        let mail: Mail?
        do { mail = try StrictJSON.decode(Mail.self, from: request.body, limits: .own) } catch { mail = nil }
        guard let mail, let recipient = mail.to.first,
            keep(String(mail.subject.prefix(Self.codeLength)), for: recipient)
        else { return refuse(with: 422) }
        return ServedAnswer(status: 200, body: Array(#"{"id":"mail"}"#.utf8))
    }

    private func isGenuine(_ request: ServedRequest) -> Bool {
        guard request.path == Self.path, let id = request.headers["webhook-id"],
            let timestamp = request.headers["webhook-timestamp"].flatMap({ Int64($0) }),
            let presented = request.headers["webhook-signature"]
        else { return false }
        return presented == signature.header(id: id, timestamp: timestamp, body: request.body)
    }

    private func message(_ body: [UInt8]) -> Hook.Message? {
        // What cannot be read is refused, whatever the reason.
        do { return try StrictJSON.decode(Hook.self, from: body, limits: .own).sms } catch { return nil }
    }

    /// - Parameter recipient: an address, or a number without its `+`.
    func keep(_ code: String, for recipient: String) -> Bool {
        codes.withLock { codes in
            guard codes.count < Self.waitingMax else { return false }
            codes[recipient] = code
            return true
        }
    }

    func refuse(with status: Int) -> ServedAnswer {
        refused.wrappingAdd(1, ordering: .relaxed)
        return ServedAnswer(status: status)
    }

    /// An answer to a text message.
    func inTime(_ status: Int, _ body: [UInt8] = []) -> ServedAnswer {
        ServedAnswer(status: status, body: body, afterMilliseconds: pauseMilliseconds.load(ordering: .relaxed))
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
