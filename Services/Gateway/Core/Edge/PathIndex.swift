import Policies

/// Finds patterns of paths by their first two segments, so that a look-up costs the same however many there are.
struct PathIndex<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let pattern: RoutePattern
        let value: Value
    }

    /// The entries by the hash of a pattern's literal segments, of which at most the first two are used.
    private var entries: [UInt64: [Entry]] = [:]
    private let ignoresCase: Bool

    /// - Parameter ignoresCase: whether paths match in any mix of upper and lower case; patterns are in lower case then.
    init(ignoresCase: Bool = false) { self.ignoresCase = ignoresCase }

    mutating func insert(_ value: Value, at pattern: RoutePattern) {
        let start = Array(pattern.literalPrefix.utf8)
        let key = keys(of: start.span)
        let hasTwo = start.count { $0 == UInt8(ascii: "/") } > 1
        entries[hasTwo ? key.two : key.one, default: []].append(Entry(pattern: pattern, value: value))
    }

    /// Returns the value of the pattern that matches `path`; no two patterns do.
    func first(_ path: Span<UInt8>) -> Value? {
        let keys = keys(of: path)
        if let value = first(path, among: keys.two) { return value }
        return keys.one == keys.two ? nil : first(path, among: keys.one)
    }

    private func first(_ path: Span<UInt8>, among key: UInt64) -> Value? {
        guard let entries = entries[key] else { return nil }
        for entry in entries where entry.pattern.matches(path, ignoringCase: ignoresCase) { return entry.value }
        return nil
    }

    /// Hashes the first segment, and the first two (FNV-1a).
    private func keys(of path: Span<UInt8>) -> (one: UInt64, two: UInt64) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var one: UInt64?
        for index in path.indices {
            if path[index] == UInt8(ascii: "/"), index > 0 {
                guard one == nil else { break }
                one = hash
            }
            let byte = ignoresCase ? FoldedPath.lowercased(path[index]) : path[index]
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return (one ?? hash, hash)
    }
}
