import ArgumentParser
import InternalAPI

/// `latchkeyctl messages …`
struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Tries whether mail goes out, and lets it go to an address again.",
        subcommands: [MessagesSendTest.self, MessagesClear.self])
}

/// `latchkeyctl messages send-test`
struct MessagesSendTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-test", abstract: "Sends a test mail by the sender of otp-service, and says what came of it.")

    @Option(help: "The address that the mail goes to.")
    var to: String

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let answer = try await connection.withConnection {
            try await $0.call(OTPOperations.sendTest, MailAddressRequest(to: to))
        }
        guard let provider = answer.provider else {
            throw CommandFailure(
                description: "no mail goes out: the policy has no section email, or MAIL_SENDER is none")
        }
        guard let id = answer.id else {
            throw CommandFailure(description: "\(provider): \(Self.advice(answer.failure ?? ""))")
        }
        print("\(provider) has taken the mail: \(id)")
    }

    /// What is to be mended, by the names that logs and metrics use.
    private static func advice(_ failure: String) -> String {
        switch failure {
        case "timed_out": "timed_out: it does not answer in time; is it up, and may otp-service reach it?"
        case "unreachable": "unreachable: no connection; are RESEND_URL or SMTP_HOST and SMTP_PORT right?"
        case "throttled": "throttled: it takes no more for now; what does its account allow?"
        case "refused":
            "refused: it does not accept key, password or sender; see resend_api_key or smtp_password, and MAIL_FROM"
        case "undeliverable": "undeliverable: it says that nobody has this address"
        case "untrusted":
            "untrusted: its certificate is not for SMTP_HOST, or not of a known root (SMTP_CA_FILE), or no TLS"
        default: "\(failure): it does not answer as agreed; is RESEND_URL right?"
        }
    }
}

/// `latchkeyctl messages clear`
struct MessagesClear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Lets mail go to an address to which it came back.")

    @Argument(help: "The address.")
    var address: String

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let cleared = try await connection.withConnection {
            try await $0.call(OTPOperations.clearAddress, MailAddressRequest(to: address))
        }
        print(cleared.wasBarred ? "mail goes there again" : "it was not barred")
    }
}
