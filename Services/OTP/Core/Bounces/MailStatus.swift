import FoundationEssentials
import StrictJSON

/// The delivery status of a mail, as far as it concerns later ones (integration guide 2.1).
enum MailStatus: String, Sendable, CaseIterable {
    case delivered
    /// The address does not exist, or accepts no mail permanently.
    case bounced
    /// The provider itself no longer sends to the address.
    case suppressed
    /// The person reported the mail as spam.
    case complained
    case delayed = "delivery_delayed"

    /// The seconds for which nothing is sent to the address afterwards; 0 if it is not blocked.
    var blockSeconds: Int64 {
        switch self {
        case .delivered, .delayed: 0
        case .bounced, .suppressed: 7 * 86_400
        case .complained: 30 * 86_400
        }
    }
}

/// Resend's webhook, once its signature is verified.
struct ResendEvent: Sendable, Equatable {
    let status: MailStatus
    /// The addresses that the mail was sent to, as the event states them.
    let recipients: [String]
    /// The time at which the mail was made, in Unix seconds. An event may arrive late, after one of a later mail.
    let mailTime: Int64

    /// - Returns: `nil` for a body that is no event, or not a relevant one.
    init?(_ body: [UInt8]) {
        guard let event = Self.decoded(body), event.type.hasPrefix("email."),
            let status = MailStatus(rawValue: String(event.type.dropFirst("email.".count))),
            let time = Self.seconds(event.data.created_at ?? event.created_at)
        else { return nil }
        // After a temporary bounce the next mail may arrive.
        if status == .bounced, event.data.bounce?.type.lowercased() != "permanent" { return nil }
        self.status = status
        recipients = event.data.to
        mailTime = time
    }

    private static func decoded(_ body: [UInt8]) -> Body? {
        do { return try StrictJSON.decode(Body.self, from: body, limits: .own) } catch { return nil }
    }

    /// Reads a time such as `2026-02-22T23:41:11.894719+00:00` in whole seconds, always as UTC.
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
