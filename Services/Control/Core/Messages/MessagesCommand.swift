import ArgumentParser
import InternalAPI
import OutgoingConnections

/// `latchkeyctl messages …`
struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "Sends a test message, and lifts the block of an email address or phone number.",
        subcommands: [MessagesSendTest.self, MessagesClear.self])
}

/// `latchkeyctl messages send-test`
struct MessagesSendTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-test",
        abstract: "Sends a test message as otp-service would, and reports the result.",
        discussion: "A message to a phone number costs what any other does. Its code is not valid.")

    @Option(help: "The email address, or the phone number with its calling code.")
    var to: String

    @Option(help: "The channel to a phone number: sms (default), call or whatsapp.")
    var channel: String?

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(OTPOperations.sendTest, TestMessageRequest(to: to, channel: channel))
        }
        guard let provider = answer.provider else {
            throw CommandFailure(
                description: "no mail is sent: the policy has no section email, or MAIL_SENDER is none")
        }
        guard let id = answer.id else {
            throw CommandFailure(description: Self.report(answer, of: provider))
        }
        print("\(provider) has accepted the message: \(id)")
    }

    /// Reports the failure, the remedy, and the provider's own message.
    static func report(_ answer: TestMailAnswer, of provider: String) -> String {
        let code = answer.code.map { " (the provider's error \($0))" } ?? ""
        let detail = answer.detail.map { "\n\(provider) said: \($0)" } ?? ""
        return "\(provider): \(advice(answer.failure ?? ""))\(code)"
            + (connectionFailure(answer) == nil
                ? detail : answer.detail.map { "\nthe connection ended with: \($0)" } ?? "")
    }

    /// The failure of the connection. A closed connection may nevertheless have ended with words of the server's.
    private static func connectionFailure(_ answer: TestMailAnswer) -> ConnectionFailure? {
        answer.failure.flatMap(ConnectionFailure.init(rawValue:))
    }

    /// Returns the next step after a connection that failed.
    private static func advice(_ failure: ConnectionFailure) -> String {
        switch failure {
        case .refused, .nameNotFound:
            "are RESEND_URL, SMTP_HOST and SMTP_PORT, SMS_HOOK_URL, or TWILIO_API_URL and TWILIO_VERIFY_URL right?"
        case .untrustedCertificate: "is it for that name, and is its authority in LATCHKEY_CA_FILE or SMTP_CA_FILE?"
        case .handshakeFailed: "does that port speak TLS 1.2 or newer? (SMTP_SECURITY, SMTP_PORT)"
        case .connectTimedOut, .closed, .timedOut: "is it up, and may otp-service reach it?"
        }
    }

    /// Returns advice for a failure, which has the same name in logs and metrics.
    private static func advice(_ failure: String) -> String {
        if let connection = ConnectionFailure(rawValue: failure) {
            return "\(failure): \(connection.words(of: "the server")); \(advice(connection))"
        }
        return switch failure {
        case "custom_codes_off":
            "custom_codes_off: the Verify Service does not take our codes; in the Console: Verify > Services > General"
        case _ where failure.hasPrefix("code_length_"):
            "\(failure): the Verify Service's codes have another length than otp.length"
        case "budget": "budget: the messages of this hour or day are used up; see otp guard-report"
        case "throttled": "throttled: it takes no more for now; what does its account allow?"
        case "refused":
            "refused: it does not accept the message; are resend_api_key or smtp_password, MAIL_FROM and SMTP_HELO right?"
        case "undeliverable": "undeliverable: it reports that this address does not exist"
        case "misconfigured", "channel_misconfigured":
            "\(failure): account, sender or channel are set up wrong at the provider"
        case "opted_out": "opted_out: the holder of the number has replied STOP to the sender"
        case "bad_number", "no_text_messages", "no_route", "not_on_channel", "barred", "blocked_prefix":
            "\(failure): the number is not reached this way"
        case "blocked_country": "blocked_country: the account may not send to this country"
        default: "\(failure): it does not answer as agreed; is RESEND_URL or SMS_HOOK_URL right?"
        }
    }
}

/// `latchkeyctl messages clear`
struct MessagesClear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract:
            "Lifts the block of an email address whose mail came back, or of a phone number that a provider rejected.")

    @Argument(help: "The email address, or the phone number with its calling code, such as +15555550123.")
    var address: String

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let cleared = try await connection.withConnection {
            try await $0.call(OTPOperations.clearAddress, MailAddressRequest(to: address))
        }
        print(cleared.wasBarred ? "messages are sent there again" : "it was not blocked")
    }
}
