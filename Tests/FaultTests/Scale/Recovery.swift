import TestSupport

/// How long after a fault clients were served again, by what they were answered.
struct Recovery {
    /// All requests succeed for so long.
    private static let steady = Duration.seconds(5)
    /// Younger requests may still be answered.
    private static let pending = Duration.seconds(1)
    private static let successesMin = 10

    /// The times since the fault until requests to the database succeeded, and calls; `nil` while they do not.
    let times: (all: Duration, calls: Duration)?

    /// - Parameter operations: those at gateways that have to serve again.
    init(_ operations: [Operation], since fault: Duration, now: Duration) {
        let all = Self.time(operations.filter { $0.kind != .call && $0.kind != .guess }, fault, now)
        let calls = Self.time(operations.filter { $0.kind == .call }, fault, now)
        times = if let all, let calls { (all, calls) } else { nil }
    }

    private static func time(_ operations: [Operation], _ fault: Duration, _ now: Duration) -> Duration? {
        let later = operations.filter { $0.invoked >= fault && $0.invoked < now - pending }
        let failed = later.filter { $0.outcome == .unknown }.map(\.invoked).max() ?? fault
        let succeeded = later.filter { $0.outcome != .unknown && $0.invoked >= failed }.compactMap(\.completed)
        guard succeeded.count >= successesMin, let first = succeeded.min(), now - pending - first >= steady else {
            return nil
        }
        return first - fault
    }
}
