import FoundationEssentials
import StrictJSON

/// What a provider says of a mail, as far as it concerns later ones (integration guide 2.1).
enum MailFate: String, Sendable, CaseIterable {
    case delivered
    /// Nobody has the address, or it takes no mail for good.
    case bounced
    /// The provider itself sends nothing there any more.
    case suppressed
    /// The person called the mail spam.
    case complained
    case delayed = "delivery_delayed"

    /// Seconds for which nothing is sent to the address after it; 0: it bars nothing.
    var barSeconds: Int64 {
        switch self {
        case .delivered, .delayed: 0
        case .bounced, .suppressed: 7 * 86_400
        case .complained: 30 * 86_400
        }
    }
}

/// Resend's webhook, once its signature is known to be right.
struct ResendEvent: Sendable, Equatable {
    let fate: MailFate
    /// The addresses that the mail went to, as they stand there.
    let recipients: [String]
    /// When the mail was made, in Unix seconds: an event may come late, after one of a later mail.
    let mailTime: Int64

    /// - Returns: nil for what is no event, or none that concerns us.
    init?(_ body: [UInt8]) {
        guard let event = Self.decoded(body), event.type.hasPrefix("email."),
            let fate = MailFate(rawValue: String(event.type.dropFirst("email.".count))),
            let time = Self.seconds(event.data.created_at ?? event.created_at)
        else { return nil }
        // One that is temporary may do the next time.
        if fate == .bounced, event.data.bounce?.type.lowercased() != "permanent" { return nil }
        self.fate = fate
        recipients = event.data.to
        mailTime = time
    }

    private static func decoded(_ body: [UInt8]) -> Body? {
        do { return try StrictJSON.decode(Body.self, from: body, limits: .own) } catch { return nil }
    }

    /// Of `2026-02-22T23:41:11.894719+00:00` and its like: whole seconds, always of Greenwich.
    private static func seconds(_ text: String) -> Int64? {
        let whole = text.prefix(19).replacing(" ", with: "T")
        guard whole.utf8.count == 19 else { return nil }
        do {
            let time = try Date(whole + "Z", strategy: .iso8601).timeIntervalSince1970
            return Int64(exactly: time.rounded())
        } catch { return nil }
    }

    private struct Body: Decodable {
        struct Details: Decodable {
            let to: [String]
            let created_at: String?
            let bounce: Bounce?
        }

        struct Bounce: Decodable { let type: String }

        let type: String
        let created_at: String
        let data: Details
    }
}
