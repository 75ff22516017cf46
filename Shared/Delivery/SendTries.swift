import OutgoingConnections
import ServiceCalls

/// How often and how long a message is attempted.
package struct SendTries: Sendable {
    package var countMax = 3
    /// The pause between two attempts, unless the provider requests a longer one.
    package var pause: Duration = .seconds(2)
    /// The time for all attempts together.
    package var total = SendLimits.time

    package init() {}

    /// Attempts a message like `callAsFunction`, within at most `limit` for all attempts.
    func within(
        _ limit: Duration, _ attempt: (Duration) async -> SendVerdict
    ) async throws(DeliveryFailure) -> String {
        var tries = self
        tries.total = min(total, limit)
        return try await tries(attempt)
    }

    /// Repeats attempts until the provider accepts the message or another attempt is useless.
    ///
    /// - Parameter attempt: Makes one attempt within the remaining time.
    /// - Returns: The provider's id of the message.
    func callAsFunction(_ attempt: (Duration) async -> SendVerdict) async throws(DeliveryFailure) -> String {
        let deadline = ContinuousClock.now + total
        var failure = DeliveryFailure(connection: .timedOut)
        for number in 1...max(1, countMax) {
            switch await attempt(deadline - ContinuousClock.now) {
            case .accepted(let id): return id
            case .failed(let final): throw final
            case .retry(let afterSeconds, let reason):
                failure = reason
                let wait = max(pause, .seconds(afterSeconds))
                guard number < countMax, ContinuousClock.now + wait < deadline else { throw failure }
                do { try await Task.sleep(for: wait) } catch { throw failure }
            }
        }
        throw failure
    }
}

/// The outcome of one attempt.
enum SendVerdict: Sendable, Equatable {
    /// - id: The provider's id of the message.
    case accepted(id: String)
    /// The message is to be tried again after at least this many seconds.
    case retry(afterSeconds: Int64, DeliveryFailure)
    case failed(DeliveryFailure)

    /// The longest wait that is told apart: any longer one is too long anyway.
    private static let waitSecondsMax: Int64 = 3_600

    /// Returns the verdict on an attempt without a complete response. A certificate stays what it is, so it is not tried again.
    static func lost(_ failure: DeliveryFailure) -> SendVerdict {
        let isLasting =
            switch failure.reason {
            case .connection(.untrustedCertificate), .connection(.handshakeFailed): true
            default: false
            }
        return isLasting ? .failed(failure) : .retry(afterSeconds: 0, failure)
    }

    /// Returns a retry at the time that the provider requests.
    static func retry(after answer: ProviderAnswer, _ reason: DeliveryFailure) -> SendVerdict {
        .retry(afterSeconds: min(answer.retryAfterSeconds ?? 0, waitSecondsMax), reason)
    }
}
