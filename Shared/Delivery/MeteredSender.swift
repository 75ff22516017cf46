import CoreMetrics

/// Counts the outcomes of another sender's messages, and measures how long they take.
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
            ProviderMetrics.failed(provider, error)
            record(error.label, since: start)
            throw error
        }
    }

    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        ProviderMetrics.took(provider, "send", outcome, since: start)
    }
}

/// Counts the outcomes of another code checker, and measures how long they take.
package struct MeteredChecker: CodeChecker {
    private let inner: any CodeChecker

    package init(_ inner: any CodeChecker) { self.inner = inner }

    package var provider: String { inner.provider }

    package func check(_ code: String, of number: String, within limit: Duration) async -> CodeCheck {
        let start = ContinuousClock.now
        let check = await inner.check(code, of: number, within: limit)
        if case .unknown(let failure) = check { ProviderMetrics.failed(provider, failure) }
        ProviderMetrics.took(provider, "check", check.label, since: start)
        return check
    }
}

/// The metrics of calls to providers (integration guide 7.4).
private enum ProviderMetrics {
    static func failed(_ provider: String, _ failure: DeliveryFailure) {
        Counter(
            label: "auth_provider_errors_total", dimensions: [("provider", provider), ("code", failure.label)]
        ).increment()
    }

    static func took(_ provider: String, _ operation: String, _ outcome: String, since start: ContinuousClock.Instant) {
        let elapsed = (ContinuousClock.now - start) / Duration.nanoseconds(1)
        Timer(
            label: "auth_provider_request_duration_seconds",
            dimensions: [("provider", provider), ("operation", operation), ("outcome", outcome)]
        ).recordNanoseconds(Int64(exactly: elapsed.rounded()) ?? 0)
    }
}
