import Glibc
import Synchronization

/// Remembers tokens whose signature and claims were checked, by their exact bytes.
///
/// Facts that change with time are not remembered: each use still checks expiry and revocation. A new key set empties the cache.
/// Its size is bounded in bytes. Two generations take turns, so that removal costs nothing per entry.
final class VerifiedTokenCache: Sendable {
    private struct Entry: Sendable {
        let token: [UInt8]
        let identity: TokenIdentity

        /// Whether it is the entry of exactly these bytes. They are compared as a block: `==` on arrays compares byte by byte,
        /// which is 4 % of a request's cost.
        func isOf(_ other: [UInt8]) -> Bool {
            guard token.count == other.count else { return false }
            return unsafe token.withUnsafeBytes { ours in
                unsafe other.withUnsafeBytes { theirs in
                    guard let ours = ours.baseAddress, let theirs = theirs.baseAddress else { return true }
                    return unsafe memcmp(ours, theirs, other.count) == 0
                }
            }
        }
    }

    private struct Shard: Sendable {
        var current: [UInt64: Entry] = [:]
        var previous: [UInt64: Entry] = [:]
        var currentBytes = 0
        var keySetVersion: UInt64 = 0
    }

    private static let shardCount = 16
    /// About how many bytes an entry costs besides its token.
    private static let entryOverheadBytes = 400

    private let shards: [Mutex<Shard>.Box]
    private let shardBytesMax: Int

    /// - Parameter bytesMax: the size of all entries together, in about as many bytes.
    init(bytesMax: Int) {
        shards = (0..<Self.shardCount).map { _ in Mutex<Shard>.Box(Shard()) }
        shardBytesMax = bytesMax / (2 * Self.shardCount)
    }

    /// Returns the identity in `token`, or `nil` unless these very bytes were checked under this key set.
    func identity(for token: [UInt8], keySetVersion: UInt64) -> TokenIdentity? {
        let key = Self.key(token)
        return shards[Int(key % UInt64(Self.shardCount))].mutex.withLock { shard in
            guard shard.keySetVersion == keySetVersion else { return nil }
            if let entry = shard.current[key] { return entry.isOf(token) ? entry.identity : nil }
            guard let entry = shard.previous[key], entry.isOf(token) else { return nil }
            insert(entry, key: key, into: &shard)
            return entry.identity
        }
    }

    /// Remembers a token that has just been checked.
    func insert(_ token: [UInt8], _ identity: TokenIdentity, keySetVersion: UInt64) {
        let key = Self.key(token)
        shards[Int(key % UInt64(Self.shardCount))].mutex.withLock { shard in
            if shard.keySetVersion != keySetVersion { shard = Shard(keySetVersion: keySetVersion) }
            insert(Entry(token: token, identity: identity), key: key, into: &shard)
        }
    }

    private func insert(_ entry: Entry, key: UInt64, into shard: inout Shard) {
        // Mapped claims are stored a second time, as values.
        let copies = entry.identity.mapped.isEmpty ? 1 : 3
        let bytes = copies * entry.token.count + Self.entryOverheadBytes
        if shard.currentBytes + bytes > shardBytesMax {
            shard.previous = shard.current
            shard.current = [:]
            shard.currentBytes = 0
        }
        shard.current[key] = entry
        shard.currentBytes += bytes
    }

    /// Makes a key from the signature's last characters. Only checked tokens are inserted, so an attacker cannot choose which
    /// collide.
    private static func key(_ token: [UInt8]) -> UInt64 {
        token.suffix(10).reduce(0) { $0 &* 64 &+ UInt64($1) }
    }
}

extension Mutex where Value: Sendable {
    /// Holds a mutex in an object of its own, because an array cannot.
    final class Box: Sendable {
        let mutex: Mutex<Value>
        init(_ value: Value) { mutex = Mutex(value) }
    }
}
