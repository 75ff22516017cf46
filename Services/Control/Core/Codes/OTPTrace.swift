import ArgumentParser
import Foundation
import InternalAPI
import OutgoingConnections

/// `latchkeyctl otp trace`
struct OTPTrace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Shows why a code did not arrive, or was not accepted.",
        discussion: "Entries are kept for 48 hours. Each call is a record in the audit.")

    @Argument(help: "The whole phone number with its calling code, or the email address.")
    var recipient: String

    @Option(help: "The number of hours, 1 to 48.")
    var hours: Int64 = 48

    @Flag(help: "As JSON, times in Unix seconds.")
    var json = false

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let trace = try await connection.withConnection {
            try await $0.call(OTPOperations.trace, TraceRequest(to: recipient, hours: hours))
        }
        if json {
            print(try JSONOutput.text(trace))
        } else {
            print(
                trace.entries.isEmpty
                    ? "there are no entries for this recipient" : TextTable.text(trace.entries.map(Self.cells)))
        }
    }

    static func cells(_ entry: TraceAnswer.Entry) -> [String] {
        let times = entry.count > 1 ? " (\(entry.count) times)" : ""
        return [TimeText.text(entry.at), words(entry) + times, entry.requestID.map { "request \($0)" } ?? ""]
    }

    private static func words(_ entry: TraceAnswer.Entry) -> String {
        let details = entry.details
        func detail(_ index: Int) -> String { details.indices.contains(index) ? details[index] : "?" }
        switch entry.kind {
        case "refused":
            return "refused by the limit \(detail(0)) until \(TimeText.text(Int64(detail(1))))"
        case "tried":
            let id = detail(2).isEmpty ? "" : ", message \(detail(2))"
            return "\(detail(0)) by \(detail(1)): \(outcome(detail(3)))\(id)"
        case "callback":
            let code = detail(2).isEmpty ? "" : " (\(detail(2)))"
            return "the provider reports \(detail(1))\(code), message \(detail(0))"
        case "guessed": return detail(0) == "approved" ? "code accepted" : "code not accepted: \(detail(0))"
        case "undecided":
            return "the provider did not judge the code, so it counts as wrong: \(outcome(detail(0)))"
        default: return ([entry.kind] + details).joined(separator: " ")
        }
    }

    /// Returns the outcome of an attempt in words; the provider's own error number follows it.
    static func outcome(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let reason = parts.first,
            let words = ConnectionFailure(rawValue: reason)?.words(of: "the provider") ?? outcomes[reason]
        else { return text }
        return parts.count > 1 ? "\(words) (\(parts[1]))" : words
    }

    private static let outcomes = [
        "sent": "accepted by the provider",
        "fixed": "nothing sent, because its code is fixed or it is under review access",
        "not_invited": "nothing sent, because accounts.newUsers lets in only invited users",
        "not_in_countries": "nothing sent, because the policy's countries exclude it",
        "known_bad":
            "nothing sent, because a provider rejected the number within the last day (messages clear lifts that)",
        "no_way": "nothing sent, because no provider is available, or too many messages are being sent",
        "server_error": "the provider failed; the message may have been sent nevertheless",
        "throttled": "the provider accepts no more messages for now",
        "refused": "refused by the provider, for an unknown reason",
        "undeliverable": "the provider reports that the address does not exist",
        "bad_answer": "the provider's response is not as documented",
        "bad_number": "the provider rejects the number",
        "no_text_messages": "the number receives no text messages",
        "no_route": "the provider has no route to the number",
        "not_on_channel": "the number cannot be reached on this channel",
        "opted_out": "the holder of the number has replied STOP",
        "blocked_prefix": "the provider blocks the number's prefix for fraud",
        "barred": "the provider blocks messages to this number",
        "blocked_country": "the account may not send to this country",
        "send_cap": "the provider has sent its maximum of messages to this number",
        "limited": "a limit of the provider's account, or for this number",
        "misconfigured": "the account or the sender is configured wrong at the provider",
        "channel_misconfigured": "the channel is configured wrong at the provider",
    ]
}
