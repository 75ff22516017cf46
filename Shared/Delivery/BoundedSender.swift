internal import CoreMetrics

/// Bounds the time of another sender, and counts what becomes of its messages.
package struct BoundedSender: CodeSender {
    /// For one message with all tries (security guide R-58).
    package static let timeLimit: Duration = .seconds(5)

    private let inner: any CodeSender
    private let limit: Duration

    package init(_ inner: any CodeSender, limit: Duration = Self.timeLimit) {
        self.inner = inner
        self.limit = limit
    }

    package var provider: String { inner.provider }

    package func send(_ message: CodeMessage) async throws(DeliveryFailure) -> String {
        let start = ContinuousClock.now
        let outcome = await race(message)
        record(outcome, since: start)
        return try outcome.get()
    }

    private typealias Outcome = Result<String, DeliveryFailure>

    private func race(_ message: CodeMessage) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await outcome(of: message) }
            group.addTask {
                do { try await Task.sleep(for: limit) } catch {
                    // Cancelled because the message was first: nobody reads this result.
                }
                return .failure(.timedOut)
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.timedOut)
        }
    }

    private func outcome(of message: CodeMessage) async -> Outcome {
        do throws(DeliveryFailure) { return .success(try await inner.send(message)) } catch { return .failure(error) }
    }

    private func record(_ outcome: Outcome, since start: ContinuousClock.Instant) {
        var label = "ok"
        if case .failure(let failure) = outcome {
            label = failure.rawValue
            Counter(label: "auth_provider_errors_total", dimensions: [("provider", provider), ("code", label)])
                .increment()
        }
        let elapsed = (ContinuousClock.now - start) / Duration.nanoseconds(1)
        Timer(
            label: "auth_provider_request_duration_seconds",
            dimensions: [("provider", provider), ("operation", "send"), ("outcome", label)]
        ).recordNanoseconds(Int64(exactly: elapsed.rounded()) ?? 0)
    }
}
