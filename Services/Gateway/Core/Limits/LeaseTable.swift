import Policies
import ServiceKit
import Synchronization

/// What this process may still let through for each caller without asking, bounded in callers.
///
/// Redis hands out a window's allowance in pieces, so that most requests are counted here alone. What is left of a piece
/// when its window ends lapses: a caller may be refused early, by as much as the other gateways hold, never let through
/// too often.
final class LeaseTable: Sendable {
    /// Callers that are remembered; beyond it those written longest ago are forgotten, and asked for again.
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
        /// Leases of wider blocks out of which each request is counted too; those that Redis grants have been counted there.
        var wider: [AllowanceKey] = []
    }

    private struct State: Sendable {
        var leases = RecentTable<AllowanceKey, Lease>(countMax: LeaseTable.callersMax)
    }

    private let state = Mutex(State())

    /// Counts a request if something is left.
    func take(_ key: AllowanceKey) -> Take {
        state.withLock { state in
            guard var lease = state.leases[key] else { return .unknown }
            guard lease.left > 0 else { return lease.isLast ? .exhausted : .unknown }
            let wider = lease.wider.map { ($0, state.leases[$0]) }
            for (_, lease) in wider {
                guard let lease else { return .unknown }
                guard lease.left > 0 else { return .exhausted }
            }
            lease.left -= 1
            state.leases[key] = lease
            for case (let key, var lease?) in wider {
                lease.left -= 1
                state.leases[key] = lease
            }
            return .granted
        }
    }

    /// Whether nothing is left of this window; counts nothing.
    func isExhausted(_ key: AllowanceKey) -> Bool {
        state.withLock { state in state.leases[key].map { $0.left <= 0 && $0.isLast } ?? false }
    }

    /// Makes the window's whole allowance, and that of each wider block, this process's own, once.
    func takeOver(_ key: AllowanceKey) {
        for wider in key.wider { add(wider.rate.max, to: wider, isLast: true) }
        add(key.rate.max, to: key, isLast: true, outOf: key.wider)
    }

    /// Notes a piece that was handed out.
    ///
    /// - Parameters:
    ///   - isLast: there is no more in this window, or nobody to ask.
    ///   - wider: leases that each request is counted in too.
    func add(_ count: Int, to key: AllowanceKey, isLast: Bool = false, outOf wider: [AllowanceKey] = []) {
        state.withLock { state in
            var lease = state.leases[key] ?? Lease()
            // Concurrent requests may each bring a lease; once `isLast` is set, later ones are ignored.
            guard !lease.isLast else { return }
            lease.left += count
            lease.isLast = isLast
            lease.wider = wider
            state.leases[key] = lease
        }
    }

    /// Forgets windows that have ended.
    ///
    /// - Parameter now: Unix seconds.
    func sweep(now: Int64) {
        state.withLock { state in
            state.leases.removeAll { $0.window < now / max(1, $0.rate.windowSeconds) }
        }
    }
}
