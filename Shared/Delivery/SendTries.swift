import ServiceCalls

/// How often and how long a message is tried.
package struct SendTries: Sendable {
    package var countMax = 3
    /// Between two tries, unless the provider asks for longer.
    package var pause: Duration = .seconds(2)
    /// For all tries together.
    package var total = SendLimits.time

    package init() {}

    /// As `callAsFunction`, with no more than `limit` for all tries.
    func within(
        _ limit: Duration, _ attempt: (Duration) async -> SendVerdict
    ) async throws(DeliveryFailure) -> String {
        var tries = self
        tries.total = min(total, limit)
        return try await tries(attempt)
    }

    /// Tries until the provider takes the message or another try is of no use.
    ///
    /// - Parameter attempt: one try within what is left of the time.
    /// - Returns: the provider's id of the message.
    func callAsFunction(_ attempt: (Duration) async -> SendVerdict) async throws(DeliveryFailure) -> String {
        let deadline = ContinuousClock.now + total
        var failure = DeliveryFailure.timedOut
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

/// What one try came to.
enum SendVerdict: Sendable, Equatable {
    /// - id: the provider's name of the message.
    case accepted(id: String)
    /// To be tried again after this many seconds at least.
    case retry(afterSeconds: Int64, DeliveryFailure)
    case failed(DeliveryFailure)

    /// Longer waits than this are all the same: too long.
    private static let waitSecondsMax: Int64 = 3_600

    /// To be tried again when the provider says so.
    static func retry(after answer: ProviderAnswer, _ reason: DeliveryFailure) -> SendVerdict {
        .retry(afterSeconds: min(answer.retryAfterSeconds ?? 0, waitSecondsMax), reason)
    }
}
