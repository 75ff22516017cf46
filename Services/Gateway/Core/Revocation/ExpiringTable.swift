/// A table of facts about sessions, each kept until its own time. Removing entries costs time only for the entries removed.
struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        /// The time of expiry in Unix seconds; 32 bits last until 2106.
        var until: UInt32
    }

    private static var bucketSeconds: UInt32 { 60 }

    private var entries: [SessionKey: Entry] = [:]
    /// The sessions that may expire in each minute.
    private var buckets: [UInt32: [SessionKey]] = [:]

    var count: Int { entries.count }

    subscript(key: SessionKey) -> Value? { entries[key]?.value }

    /// Sets the value of a session. A known time of expiry is never brought forward.
    ///
    /// - Parameter merge: combines the known value and the new one.
    mutating func set(_ key: SessionKey, _ value: Value, until: Int64, merge: (Value, Value) -> Value) {
        let until = UInt32(clamping: until)
        guard let known = entries[key] else {
            entries[key] = Entry(value: value, until: until)
            buckets[until / Self.bucketSeconds, default: []].append(key)
            return
        }
        entries[key] = Entry(value: merge(known.value, value), until: max(known.until, until))
        if until > known.until { buckets[until / Self.bucketSeconds, default: []].append(key) }
    }

    /// Removes the entries that have expired at `now`, in Unix seconds.
    mutating func removeExpired(now: Int64) {
        let now = UInt32(clamping: now)
        for bucket in buckets.keys where bucket <= now / Self.bucketSeconds {
            let kept = (buckets[bucket] ?? []).filter { key in
                guard let entry = entries[key] else { return false }
                guard entry.until <= now else { return entry.until / Self.bucketSeconds == bucket }
                entries[key] = nil
                return false
            }
            buckets[bucket] = kept.isEmpty ? nil : kept
        }
    }
}
