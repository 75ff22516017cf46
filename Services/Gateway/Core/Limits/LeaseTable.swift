import Policies
import ServiceKit
import Synchronization

/// The number of requests that this process may still let through for each caller before it asks Redis. The number of callers is
/// bounded.
///
/// Redis grants a window's allowance in pieces, so that most requests are counted only here. The remainder of a piece lapses when
/// its window ends. A caller may be refused early, by as many requests as the other gateways have left, but never gets more than
/// the limit.
final class LeaseTable: Sendable {
    /// The number of callers that are remembered. Beyond it those written longest ago are removed, and Redis is asked about them
    /// again.
    static let callersMax = 100_000

    /// The outcome of counting a request.
    enum Take: Sendable, Equatable {
        /// The request is counted.
        case granted
        /// Nothing is left in this window.
        case exhausted
        /// Redis has to be asked for a new piece.
        case unknown
    }

    private struct Lease: Sendable {
        var left = 0
        /// Whether Redis is not asked again in this window.
        var isLast = false
        /// The leases of wider blocks from which each request is counted too. A lease that Redis grants has been counted there
        /// already and has none.
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

    /// Whether nothing is left in this window; counts nothing.
    func isExhausted(_ key: AllowanceKey) -> Bool {
        state.withLock { state in state.leases[key].map { $0.left <= 0 && $0.isLast } ?? false }
    }

    /// Gives this process the window's whole allowance, and that of each wider block, once.
    func takeOver(_ key: AllowanceKey) {
        for wider in key.wider { add(wider.rate.max, to: wider, isLast: true) }
        add(key.rate.max, to: key, isLast: true, outOf: key.wider)
    }

    /// Adds a piece that was granted.
    ///
    /// - Parameters:
    ///   - isLast: whether there is no more in this window, or Redis cannot be asked.
    ///   - wider: leases from which each request is counted too.
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
