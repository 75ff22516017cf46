import Synchronization

/// Limits the number of messages that another sender has in progress. Messages beyond it fail at once, so that a provider
/// that hangs delays only its own messages.
package final class BoundedSender: MessageSender {
    package static let inFlightMax = 512

    private let inner: any MessageSender
    private let limit: Int
    private let inFlight = Atomic(0)

    package init(_ inner: any MessageSender, inFlightMax limit: Int = BoundedSender.inFlightMax) {
        self.inner = inner
        self.limit = limit
    }

    package var provider: String { inner.provider }
    package var abilities: SenderAbilities { inner.abilities }

    /// The number of messages in progress.
    var count: Int { inFlight.load(ordering: .relaxed) }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        defer { inFlight.wrappingSubtract(1, ordering: .relaxed) }
        guard inFlight.wrappingAdd(1, ordering: .relaxed).oldValue < limit else { throw .throttled }
        return try await inner.send(message)
    }
}
