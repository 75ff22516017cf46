internal import Policies
internal import Synchronization

/// What this process may still let through for each caller without asking, bounded in callers.
///
/// Redis hands out a window's allowance in pieces, so that most requests are counted here alone. What is left of a piece
/// when its window ends lapses: a caller may be refused early, by as much as the other gateways hold, never let through
/// too often.
final class LeaseTable: Sendable {
    /// Callers that are remembered; beyond it all are forgotten, and asked for again.
    static let callersMax = 100_000

    /// What is known of a caller.
    enum Take: Sendable, Equatable {
        /// The request is counted.
        case granted
        /// Nothing is left in this window.
        case exhausted
        /// A new piece has to be asked for.
        case unknown
    }

    private struct Lease: Sendable {
        var left = 0
        /// Nobody is asked for more in this window.
        var isLast = false
    }

    private struct State: Sendable {
        var leases: [AllowanceKey: Lease] = [:]
    }

    private let state = Mutex(State())

    /// Counts a request if something is left.
    func take(_ key: AllowanceKey) -> Take {
        state.withLock { state in
            guard let lease = state.leases[key] else { return .unknown }
            guard lease.left > 0 else { return lease.isLast ? .exhausted : .unknown }
            state.leases[key]?.left -= 1
            return .granted
        }
    }

    /// Notes a piece that was handed out.
    ///
    /// - Parameter isLast: there is no more in this window, or nobody to ask.
    func add(_ count: Int, to key: AllowanceKey, isLast: Bool = false) {
        state.withLock { state in
            if state.leases.count >= Self.callersMax { state.leases.removeAll() }
            var lease = state.leases[key] ?? Lease()
            // Many may have asked at once: what is whole already grows no further.
            guard !lease.isLast else { return }
            lease.left += count
            lease.isLast = isLast
            state.leases[key] = lease
        }
    }

    /// Forgets windows that have ended.
    ///
    /// - Parameter now: Unix seconds.
    func sweep(now: Int64) {
        state.withLock { state in
            state.leases = state.leases.filter { $0.key.window >= now / max(1, $0.key.rate.windowSeconds) }
        }
    }
}
