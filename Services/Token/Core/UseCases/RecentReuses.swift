import ServiceKit
import Synchronization

/// Which spent tokens of living sessions were lately written into the audit: whoever has one could have a record of each try.
///
/// Bounded, and known to one process: each has a record an hour for a token, and a few more under a flood of many tokens.
final class RecentReuses: Sendable {
    static let seconds: Int64 = 3_600
    private static let countMax = 20_000

    private struct Spent: Hashable {
        let session: SessionID
        let generation: Int64
    }

    private let recent = Mutex(RecentTable<Spent, Int64>(countMax: countMax))

    /// Whether the token's use is to be written down; notes that it is.
    ///
    /// - Parameter now: Unix time in seconds.
    func isNews(_ session: SessionID, generation: Int64, now: Int64) -> Bool {
        let spent = Spent(session: session, generation: generation)
        return recent.withLock { recent in
            if let at = recent[spent], now - at < Self.seconds { return false }
            recent[spent] = now
            return true
        }
    }
}
