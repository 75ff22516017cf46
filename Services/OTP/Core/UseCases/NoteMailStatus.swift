import CoreMetrics
import Delivery
import EmailAddresses
import InternalAPI
import ServiceCalls

/// Notes a provider's report about mails, if it is authentic.
struct NoteMailStatus: Sendable {
    /// The greatest number of addresses of one event; a mail of ours has one.
    private static let recipientCountMax = 50

    let signature: WebhookSignature
    let blocks: AddressBlocks
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `ChallengeStoreFailure`, after which nothing is noted, and the provider repeats the report.
    func callAsFunction(_ webhook: MailWebhook) async throws -> MailWebhookAnswer {
        let body = Array(webhook.body.utf8)
        guard
            signature.isValid(
                id: webhook.id, timestamp: webhook.timestamp, body: body, header: webhook.signature, now: now())
        else { return MailWebhookAnswer(.forged) }
        // An irrelevant event is accepted too, because the provider would otherwise repeat it.
        guard let event = ResendEvent(body) else { return MailWebhookAnswer(.noted) }
        Counter(
            label: "auth_otp_delivery_total",
            dimensions: [
                ("provider", "resend"), ("channel", RequestMail.channel), ("country", "none"),
                ("status", event.status.rawValue), ("error_code", "none"),
            ]
        ).increment()
        for text in event.recipients.prefix(Self.recipientCountMax) {
            guard let address = Self.address(text) else { continue }
            try await blocks.note(event.status, of: event.mailTime, to: secrets.tag(.email(address)))
        }
        return MailWebhookAnswer(.noted)
    }

    private static func address(_ text: String) -> EmailAddress? {
        do throws(EmailAddressProblem) { return try EmailAddress(parsing: text) } catch { return nil }
    }
}
