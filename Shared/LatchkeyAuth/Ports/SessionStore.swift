public import Foundation

/// The place where a session is stored. One store holds one item.
///
/// Several processes may use the same store at the same time, such as an app and its widget. Nothing is ever deleted: a
/// sign-out is an item as well.
public protocol SessionStore: Sendable {
    /// Reads the item. Returns `nil` only if there surely is none.
    func load() throws(StoreFailure) -> Data?

    /// Writes the item if the stored one is older, or if there is none.
    ///
    /// Comparing and writing must be one atomic step for all processes. If they are two, a process can write an old token
    /// over a newer one, and the next renewal ends the session.
    ///
    /// - Parameters:
    ///   - data: the item.
    ///   - version: the item's version. ``StoreVersion/init(of:)`` reads that of the stored item.
    /// - Returns: `nil` if the item was written, or the stored one if that is as new or newer.
    func keepNewer(_ data: Data, version: StoreVersion) throws(StoreFailure) -> Data?
}

/// A stored item's version; the higher one wins.
public struct StoreVersion: Sendable, Hashable, Comparable {
    /// Counts sign-ins and sign-outs.
    public let epoch: UInt64
    /// Counts the renewals since the sign-in.
    public let generation: UInt64

    public init(epoch: UInt64, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }

    /// The version of an item, or `nil` if it is damaged. A damaged item is older than every other.
    public init?(of data: Data) {
        guard let members = JSONText.decode(data)?.members, let epoch = members["epoch"]?.whole,
            let generation = members["generation"]?.whole, epoch >= 0, generation >= 0
        else { return nil }
        self.init(epoch: UInt64(epoch), generation: UInt64(generation))
    }

    public static func < (one: StoreVersion, other: StoreVersion) -> Bool {
        (one.epoch, one.generation) < (other.epoch, other.generation)
    }
}

/// A failure of the store.
public struct StoreFailure: Error, Sendable, Equatable {
    public let trouble: StoreTrouble

    public init(_ trouble: StoreTrouble) { self.trouble = trouble }
}
