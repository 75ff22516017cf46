import Synchronization

/// A memory of audit records that were written lately. Without it a client could add one more such record with each attempt.
///
/// The memory is bounded and belongs to one process. A key has one record an hour, and a few more under an attack with many
/// keys.
package final class RecentRecords<Key: Hashable & Sendable>: Sendable {
    private let seconds: Int64 = 3_600
    private let recent = Mutex(RecentTable<Key, Int64>(countMax: 20_000))

    package init() {}

    /// Writes the record, unless that was done for `key` within the hour.
    ///
    /// - Parameters:
    ///   - now: Unix time in seconds.
    ///   - write: Returns whether the record is written; false and an error count as not written.
    /// - Returns: Whether the record was written, or is being written, by this call or an earlier one.
    @discardableResult
    package func once(_ key: Key, now: Int64, _ write: () async throws -> Bool) async throws -> Bool {
        guard isNews(key, now: now) else { return true }
        var isWritten = false
        defer { if !isWritten { recent.withLock { $0[key] = nil } } }
        isWritten = try await write()
        return isWritten
    }

    /// Notes the record of `key` and returns whether it is new, so that only one of several concurrent calls writes it.
    private func isNews(_ key: Key, now: Int64) -> Bool {
        recent.withLock { recent in
            if let at = recent[key], now - at < seconds { return false }
            recent[key] = now
            return true
        }
    }
}
