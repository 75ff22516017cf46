package import ServiceCalls
import StrictJSON

/// Sends codes through a signed HTTP hook, to which any provider can be attached (integration guide 1.5).
package struct WebhookSender: MessageSender {
    package let provider = "webhook"
    /// All phone channels, since the receiver decides how to deliver; it has its own wording for codes.
    package let abilities = SenderAbilities(channels: ["sms", "call", "whatsapp"], contents: [.code])
    private let url: String
    private let signature: WebhookSignature
    private let exchange: any ProviderExchange
    private let tries: SendTries
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///     - url: The URL of the hook, http or https, set by the operator.
    ///     - now: Unix time in seconds.
    package init(
        url: String, signature: WebhookSignature, exchange: any ProviderExchange, tries: SendTries = SendTries(),
        now: @escaping @Sendable () -> Int64
    ) {
        self.url = url
        self.signature = signature
        self.exchange = exchange
        self.tries = tries
        self.now = now
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let body = try encoded(message)
        return try await tries.within(message.limit) { limit in await attempt(message.id, body, within: limit) }
    }

    /// Makes one attempt; each is signed again under the same id, by which the receiver recognises a repeat.
    private func attempt(_ id: String, _ body: [UInt8], within limit: Duration) async -> SendVerdict {
        let timestamp = now()
        var hook = ProviderRequest(
            url: url,
            headers: [
                "webhook-id": id, "webhook-timestamp": String(timestamp),
                "webhook-signature": signature.header(id: id, timestamp: timestamp, body: body),
            ], body: body)
        hook.passesTrace = true
        do {
            return .ofHook(try await exchange.send(hook, within: limit), id: id)
        } catch {
            return .lost(DeliveryFailure(of: error))
        }
    }

    private func encoded(_ message: Message) throws(DeliveryFailure) -> [UInt8] {
        // The receivers of this hook word the message themselves, around the code.
        guard let code = message.content.code else { throw .refused }
        do { return try StrictJSON.encode(SMSHook(message, code: code, now: now())) } catch { throw .badAnswer }
    }
}
