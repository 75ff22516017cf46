import Synchronization

/// Series at hand by what tells them apart: to ask the registry for one means to write its labels down and to look them up.
///
/// Bounded: of keys beyond the first thousand each use asks the registry.
package final class SeriesMemory<Key: Hashable & Sendable, Series: Sendable>: Sendable {
    static var countMax: Int { 1_000 }

    private let byKey = Mutex<[Key: Series]>([:])
    private let make: @Sendable (Key) -> Series

    /// - Parameter make: asks the registry; once for each of the keys that are kept.
    package init(_ make: @escaping @Sendable (Key) -> Series) { self.make = make }

    package subscript(key: Key) -> Series {
        byKey.withLock { byKey in
            if let series = byKey[key] { return series }
            let series = make(key)
            if byKey.count < Self.countMax { byKey[key] = series }
            return series
        }
    }
}
