import Synchronization

/// A cache of series by their keys. Without it every use would write the labels down and look the series up in the registry.
///
/// The cache is bounded: for keys beyond the first thousand, every use queries the registry.
package final class SeriesMemory<Key: Hashable & Sendable, Series: Sendable>: Sendable {
    static var countMax: Int { 1_000 }

    private let byKey = Mutex<[Key: Series]>([:])
    private let make: @Sendable (Key) -> Series

    /// - Parameter make: Queries the registry, once for each key in the cache.
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
