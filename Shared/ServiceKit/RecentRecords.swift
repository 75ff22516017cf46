import Synchronization

/// Which audit records were lately written that somebody could have one more of with each try.
///
/// Bounded, and known to one process: each has a record an hour for a key, and a few more under a flood of many keys.
package final class RecentRecords<Key: Hashable & Sendable>: Sendable {
    private let seconds: Int64 = 3_600
    private let recent = Mutex(RecentTable<Key, Int64>(countMax: 20_000))

    package init() {}

    /// Writes the record, unless that was done for `key` within the hour.
    ///
    /// - Parameters:
    ///   - now: Unix time in seconds.
    ///   - write: gives whether it is written; false and an error count as not done.
    /// - Returns: whether it is written, or being written, by this call or an earlier one.
    @discardableResult
    package func once(_ key: Key, now: Int64, _ write: () async throws -> Bool) async throws -> Bool {
        guard isNews(key, now: now) else { return true }
        var isWritten = false
        defer { if !isWritten { recent.withLock { $0[key] = nil } } }
        isWritten = try await write()
        return isWritten
    }

    /// Notes that it is, so that of many at once one writes.
    private func isNews(_ key: Key, now: Int64) -> Bool {
        recent.withLock { recent in
            if let at = recent[key], now - at < seconds { return false }
            recent[key] = now
            return true
        }
    }
}
