import CryptoPrimitives
import OutgoingConnections
package import ServiceCalls

/// Posts events to the hook, signed by Standard Webhooks.
package struct EventPoster: Sendable {
    private let url: String
    private let signature: WebhookSignature
    private let exchange: any ProviderExchange
    /// Unix time in seconds.
    private let now: @Sendable () -> Int64

    package init(
        url: String, signature: WebhookSignature, exchange: any ProviderExchange, now: @escaping @Sendable () -> Int64
    ) {
        (self.url, self.signature, self.exchange, self.now) = (url, signature, exchange, now)
    }

    /// Makes one attempt, which is signed with its own time. All attempts at an event have the same id.
    func post(_ event: QueuedEvent, _ content: EventBody) async -> EventVerdict {
        let (id, timestamp) = (Self.id(of: event), now())
        do {
            let body = try content.encoded()
            let request = ProviderRequest(
                url: url,
                headers: [
                    "webhook-id": id, "webhook-timestamp": String(timestamp),
                    "webhook-signature": signature.header(id: id, timestamp: timestamp, body: body),
                ], body: body)
            return EventVerdict(status: try await exchange.send(request, within: EventLimits.postLimit).status)
        } catch let answer as AnswerTooLarge {
            return EventVerdict(status: answer.status)
        } catch {
            return .unreachable(error as? ConnectionFailure ?? .closed)
        }
    }

    /// Returns the event's id, by which a receiver recognises a repeat.
    package static func id(of event: QueuedEvent) -> String {
        "\(event.kind.prefix { $0 != "." })_\(Hex.encode(event.user))_\(event.sequence)"
    }
}
