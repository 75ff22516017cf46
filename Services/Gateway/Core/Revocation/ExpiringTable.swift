/// What is known of sessions, each until its own time; forgetting costs what is forgotten, not what is held.
struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        /// Unix seconds; in 32 bits, which last until 2106.
        var until: UInt32
    }

    private static var bucketSeconds: UInt32 { 60 }

    private var entries: [SessionKey: Entry] = [:]
    /// By the minute of their end, the sessions that may end then.
    private var buckets: [UInt32: [SessionKey]] = [:]

    var count: Int { entries.count }

    subscript(key: SessionKey) -> Value? { entries[key]?.value }

    /// Sets what is known; an end that is known is never brought forward.
    ///
    /// - Parameter merge: what stays of the known value and the new one.
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

    /// Forgets what ends at `now`, Unix seconds, or has ended.
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
