import ArgumentParser
import Foundation
import InternalAPI

/// `latchkeyctl otp trace`
struct OTPTrace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Says why a code did not arrive, or was not taken.",
        discussion: "What is kept goes back 48 hours at most. Each look is a record in the audit.")

    @Argument(help: "The whole number with its calling code, or the e-mail address.")
    var recipient: String

    @Option(help: "How far back; 1 to 48.")
    var hours: Int64 = 48

    @Flag(help: "As JSON.")
    var json = false

    @OptionGroup var connection: CodeOperatorOptions

    func run() async throws {
        let trace = try await connection.withConnection {
            try await $0.call(OTPOperations.trace, TraceRequest(to: recipient, hours: hours))
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(trace), as: UTF8.self))
        } else {
            print(trace.entries.isEmpty ? "nothing is known" : TextTable.text(trace.entries.map(Self.cells)))
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
            return "provider says \(detail(1))\(code), message \(detail(0))"
        case "guessed": return detail(0) == "approved" ? "code approved" : "code not taken: \(detail(0))"
        case "undecided":
            return "whether the code is right is not known, it counts as wrong: \(outcome(detail(0)))"
        default: return ([entry.kind] + details).joined(separator: " ")
        }
    }

    /// What came of a try; the provider's own number comes behind.
    static func outcome(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let reason = parts.first, let words = outcomes[reason] else { return text }
        return parts.count > 1 ? "\(words) (\(parts[1]))" : words
    }

    private static let outcomes = [
        "sent": "taken by the provider",
        "fixed": "nothing sent, its code is fixed or it is under review access",
        "not_invited": "nothing sent, accounts.newUsers lets in nobody who is not invited",
        "not_in_countries": "nothing sent, the policy's countries do not hold it",
        "known_bad": "nothing sent, a provider called the number bad within the last day (messages clear)",
        "no_way": "nothing sent, no provider is well, or too many messages are under way",
        "timed_out": "no answer in time; it may have gone out all the same",
        "unreachable": "the provider was not reached",
        "server_error": "the provider failed; it may have gone out all the same",
        "throttled": "the provider takes no more for now",
        "refused": "refused by the provider, for a reason that is not known here",
        "undeliverable": "the provider says that nobody has this address",
        "untrusted": "the provider could not prove who it is",
        "bad_answer": "the provider does not answer as agreed",
        "bad_number": "the provider calls the number bad",
        "no_text_messages": "the number takes no text messages",
        "no_route": "the provider finds no way to the number",
        "not_on_channel": "the number is not reached on this channel",
        "opted_out": "the person has answered STOP",
        "blocked_prefix": "the provider takes the number's prefix for fraud",
        "barred": "the provider wants no message to this number",
        "blocked_country": "the account may not send to this country",
        "send_cap": "the provider has sent this number as many as it ever does",
        "limited": "limited by the account at the provider, or for this number",
        "misconfigured": "the account or the sender is set up wrong",
        "channel_misconfigured": "the channel is set up wrong at the provider",
    ]
}
