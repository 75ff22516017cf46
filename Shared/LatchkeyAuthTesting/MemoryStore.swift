public import Foundation
public import LatchkeyAuth

/// A store in memory, with faults on demand.
///
/// Use one store for several ``LatchkeyAuth/LatchkeyAuth`` objects to test what an app and its widget do at once.
public final class MemoryStore: SessionStore {
    private let content = Guarded(Content())

    private struct Content {
        var item: Data?
        var readTrouble: StoreTrouble?
        var writeTrouble: StoreTrouble?
    }

    /// Creates a store with an item, or an empty one.
    public init(_ item: Data? = nil) { content.change { $0.item = item } }

    /// The stored item.
    public var item: Data? {
        get { content.change { $0.item } }
        set { content.change { $0.item = newValue } }
    }

    /// Lets every read and write fail, as before the first unlock of a phone; `nil` ends that.
    public func fail(with trouble: StoreTrouble?) {
        content.change {
            $0.readTrouble = trouble
            $0.writeTrouble = trouble
        }
    }

    /// Lets every write fail; `nil` ends that.
    public func failWrites(with trouble: StoreTrouble?) { content.change { $0.writeTrouble = trouble } }

    public func load() throws(StoreFailure) -> Data? {
        let (item, trouble) = content.change { ($0.item, $0.readTrouble) }
        if let trouble { throw StoreFailure(trouble) }
        return item
    }

    public func keepNewer(_ data: Data, version: StoreVersion) throws(StoreFailure) -> Data? {
        let result: Result<Data?, StoreFailure> = content.change { content in
            if let trouble = content.writeTrouble { return .failure(StoreFailure(trouble)) }
            if let item = content.item, let present = StoreVersion(of: item), present >= version {
                return .success(item)
            }
            content.item = data
            return .success(nil)
        }
        return try result.get()
    }
}
