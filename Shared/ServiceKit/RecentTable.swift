/// A table that contains a bounded number of entries and forgets those that were written longest ago.
///
/// Two halves take turns, so that forgetting costs nothing per entry: when the newer half is full, the older one is emptied. At
/// least the last `countMax / 2` keys that were written are there.
package struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let halfMax: Int
    private var newer: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// - Parameter countMax: The maximal number of entries, at least 2.
    package init(countMax: Int) { halfMax = max(1, countMax / 2) }

    /// The number of entries; a key in both halves counts twice.
    package var count: Int { newer.count + older.count }

    /// Whether the next new key makes the table forget the older half.
    package var isFull: Bool { newer.count >= halfMax }

    /// The value of `key`; writing makes it one of the newest.
    package subscript(key: Key) -> Value? {
        get { newer[key] ?? older[key] }
        set {
            guard let newValue else {
                newer[key] = nil
                older[key] = nil
                return
            }
            if isFull, newer[key] == nil { turn() }
            newer[key] = newValue
        }
    }

    /// Removes the entries for which `isOver` is true.
    package mutating func removeAll(where isOver: (Key) -> Bool) {
        newer = newer.filter { !isOver($0.key) }
        older = older.filter { !isOver($0.key) }
    }

    /// Forgets the older half before it has to.
    package mutating func turn() {
        older = newer
        newer = [:]
    }
}
