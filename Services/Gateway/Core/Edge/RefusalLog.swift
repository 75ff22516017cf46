import EdgeHTTP
import Logging
import ServiceKit
import Synchronization

/// Logs messages that break a rule: one line for each reason and minute, since a scanner sends thousands.
///
/// A line contains the reason, the method and the route's template, and no text that the client wrote.
final class RefusalLog: Sendable {
    private struct Entry: Sendable {
        var minute: Int64
        /// The number of refusals since the last line.
        var skipped = 0
    }

    private let logger: Logger
    private let now: @Sendable () -> Int64
    /// The entries, at most one for each reason.
    private let entries = Mutex<[HTTPViolation: Entry]>([:])

    /// - Parameter now: Unix time in seconds.
    init(logger: Logger, now: @escaping @Sendable () -> Int64 = { UnixTime.seconds() }) {
        self.logger = logger
        self.now = now
    }

    func note(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {
        guard let skipped = skippedBefore(violation) else { return }
        logger.notice(
            "edge.refused",
            metadata: [
                "reason": "\(violation.reason)", "http.method": "\(method?.rawValue ?? "other")",
                "http.route": "\(route.text)", "http.status": .stringConvertible(violation.status),
                "skipped": .stringConvertible(skipped),
            ])
    }

    /// Returns how many refusals had no line since the last one, or `nil` if this one gets none either.
    private func skippedBefore(_ violation: HTTPViolation) -> Int? {
        let minute = now() / 60
        return entries.withLock { entries in
            guard let last = entries[violation], last.minute == minute else {
                let skipped = entries[violation]?.skipped ?? 0
                entries[violation] = Entry(minute: minute)
                return skipped
            }
            entries[violation]?.skipped += 1
            return nil
        }
    }
}
