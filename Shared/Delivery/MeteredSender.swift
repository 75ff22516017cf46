import CoreMetrics

/// Counts what becomes of another sender's messages, and how long they take.
package struct MeteredSender: MessageSender {
    private let inner: any MessageSender

    package init(_ inner: any MessageSender) { self.inner = inner }

    package var provider: String { inner.provider }
    package var abilities: SenderAbilities { inner.abilities }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let start = ContinuousClock.now
        do throws(DeliveryFailure) {
            let id = try await inner.send(message)
            record("ok", since: start)
            return id
        } catch {
            Counter(
                label: "auth_provider_errors_total", dimensions: [("provider", provider), ("code", error.label)]
            ).increment()
            record(error.label, since: start)
            throw error
        }
    }

    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        let elapsed = (ContinuousClock.now - start) / Duration.nanoseconds(1)
        Timer(
            label: "auth_provider_request_duration_seconds",
            dimensions: [("provider", provider), ("operation", "send"), ("outcome", outcome)]
        ).recordNanoseconds(Int64(exactly: elapsed.rounded()) ?? 0)
    }
}
