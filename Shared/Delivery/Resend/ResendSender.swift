package import ServiceCalls
import StrictJSON

/// Sends mail through Resend's HTTP interface (integration guide 2.1).
package struct ResendSender: MessageSender {
    package static let defaultURL = "https://api.resend.com"

    package let provider = "resend"
    package let abilities = SenderAbilities.mail
    private let url: String
    private let from: String
    private let headers: [String: String]
    private let exchange: any ProviderExchange
    private let tries: SendTries
    private let pace: SendPace

    /// - Parameters:
    ///     - url: The base URL without a path; tests set another one than Resend's.
    ///     - from: The sender, of a domain that is verified at Resend.
    ///     - key: The API key, `re_…`.
    ///     - release: The release named in `User-Agent`.
    package init(
        url: String = defaultURL, from: MailFrom, key: String, release: String, exchange: any ProviderExchange,
        tries: SendTries = ResendSender.tries, pace: SendPace = SendPace()
    ) {
        self.url = url
        self.from = from.text
        headers = ["Authorization": "Bearer \(key)", "User-Agent": "Latchkey/\(release)"]
        self.exchange = exchange
        self.tries = tries
        self.pace = pace
    }

    /// Mail providers are retried sooner than hooks, since the person is waiting.
    package static var tries: SendTries {
        var tries = SendTries()
        tries.pause = .milliseconds(500)
        return tries
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let request = ProviderRequest(
            url: url + "/emails",
            // Every attempt has the same key, so a lost response causes no second mail. Resend remembers a key for a day.
            headers: headers.merging(["Idempotency-Key": message.id]) { $1 }, body: try encoded(message))
        return try await tries { limit in await attempt(request, to: message.recipient, within: limit) }
    }

    private func attempt(
        _ request: ProviderRequest, to recipient: String, within limit: Duration
    ) async -> SendVerdict {
        let deadline = ContinuousClock.now + limit
        guard await pace.waitForTurn(within: limit), ContinuousClock.now < deadline else { return .failed(.throttled) }
        do {
            let answer = try await exchange.send(request, within: deadline - .now)
            pace.note(answer)
            return .ofResend(answer, recipient: recipient)
        } catch {
            return .lost(DeliveryFailure(of: error))
        }
    }

    private func encoded(_ message: Message) throws(DeliveryFailure) -> [UInt8] {
        let body = Body(
            from: from, to: [message.recipient], subject: message.content.subject ?? "", text: message.content.text,
            html: message.content.html)
        do { return try StrictJSON.encode(body) } catch { throw .badAnswer }
    }

    private struct Body: Encodable {
        let from: String
        let to: [String]
        let subject: String
        let text: String
        let html: String?
        /// Keeps vacation responders from replying (RFC 3834 §5).
        let headers = ["Auto-Submitted": "auto-generated"]
    }
}
