import CryptoPrimitives
import Delivery
import FoundationEssentials
import ServiceCalls
import StrictJSON

/// Reports the delivery status of mails to a webhook, signed as Resend signs (integration guide 2.1).
struct ResendEvents: Sendable {
    /// An event to report.
    struct Wish: Codable, Sendable {
        /// The type, such as `email.bounced`.
        var type: String
        var to: String
        /// The type of a bounce: `Permanent` (default) or `Temporary`.
        var bounce: String?
        /// The time in Unix seconds; by default the newest mail's, or now.
        var createdAt: Int64?
    }

    let url: String
    let signature: WebhookSignature
    let exchange: any ProviderExchange
    let now: @Sendable () -> Int64

    private static let limit: Duration = .seconds(5)

    /// Reports the status that a test address is named after: `delivered@`, `bounced@`, `complained@resend.dev`.
    func sendStatus(of mail: MailStore.Mail) async {
        for address in mail.to where address.hasSuffix("@resend.dev") {
            let status = address.prefix { $0 != "@" && $0 != "+" }
            guard ["delivered", "bounced", "complained"].contains(status) else { continue }
            // Like the real service, the send does not wait for the report and does not fail with it.
            Task { _ = try await tell(Wish(type: "email.\(status)", to: address), about: mail) }
        }
    }

    /// - Returns: whether the webhook accepted it.
    func tell(_ wish: Wish, about mail: MailStore.Mail?) async throws -> Bool {
        let body = try StrictJSON.encode(Event(wish, mail, now: now()))
        let (id, timestamp) = ("msg_" + Hex.encode(SecureRandom.bytes(12)), now())
        let headers = [
            "svix-id": id, "svix-timestamp": "\(timestamp)",
            "svix-signature": signature.header(id: id, timestamp: timestamp, body: body),
        ]
        let answer = try await exchange.send(
            ProviderRequest(url: url, headers: headers, body: body), within: Self.limit)
        return answer.status == 200
    }

    private struct Event: Encodable {
        let type: String
        let created_at: String
        let data: Data

        init(_ wish: Wish, _ mail: MailStore.Mail?, now: Int64) {
            type = wish.type
            created_at = Self.text(now)
            data = Data(
                email_id: mail?.id ?? "00000000-0000-0000-0000-000000000000", from: mail?.from ?? "login@example.com",
                to: [wish.to], subject: mail?.subject ?? "",
                created_at: Self.text(wish.createdAt ?? mail?.createdAt ?? now),
                bounce: wish.type == "email.bounced"
                    ? Bounce(type: wish.bounce ?? "Permanent", subType: "General", message: "no such mailbox") : nil,
                suppressed: wish.type == "email.suppressed"
                    ? Suppressed(type: "OnAccountSuppressionList", message: "bounced before") : nil)
        }

        private static func text(_ second: Int64) -> String {
            Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
        }

        struct Data: Encodable {
            let email_id, from: String
            let to: [String]
            let subject, created_at: String
            let bounce: Bounce?
            let suppressed: Suppressed?
        }

        struct Bounce: Encodable { let type, subType, message: String }
        struct Suppressed: Encodable { let type, message: String }
    }
}
