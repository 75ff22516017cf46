import InternalAPI
import RedisClient

/// Reads the replies of Redis about the stream `rev:log`.
enum RevocationStream {
    struct Entry: Sendable, Equatable {
        let id: String
        /// The revocation; `nil` for an entry of a kind that this version does not know.
        let revocation: Revocation?
        /// Whether the key set has to be fetched again.
        let changesKeys: Bool
    }

    /// Returns the entries of a reply to XRANGE or XREVRANGE.
    static func entries(_ reply: RedisValue) -> [Entry] {
        (reply.arrayValue ?? []).compactMap { element in
            guard let parts = element.arrayValue, parts.count == 2, let id = parts[0].text else { return nil }
            let fields = fields(parts[1])
            return Entry(
                id: id, revocation: Revocation(streamFields: fields),
                changesKeys: [RevocationFeed.keysKind, RevocationFeed.keyKind].contains(fields["kind"]))
        }
    }

    /// Returns the entries of a reply to XREAD of this one stream, which are none if the wait ended without a new one.
    static func entriesOfRead(_ reply: RedisValue) -> [Entry] {
        guard let stream = reply.arrayValue?.first?.arrayValue, stream.count == 2 else { return [] }
        return entries(stream[1])
    }

    /// Whether entries after `last` may have been trimmed before they were read.
    ///
    /// While the newest known entry is still there, no entry after it is missing. A stream that ends before it is another stream,
    /// and so is an empty one, because a complete list has at least one entry.
    ///
    /// - Parameters:
    ///   - oldest: the id of the oldest entry that is left.
    ///   - newest: the id of the newest entry.
    static func hasGap(oldest: String?, newest: String?, after last: String) -> Bool {
        guard let oldest = oldest.flatMap(parse), let newest = newest.flatMap(parse), let last = parse(last) else {
            return true
        }
        return oldest > last || newest < last
    }

    private static func parse(_ id: String) -> (UInt64, UInt64)? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, let time = UInt64(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
        return (time, sequence)
    }

    private static func fields(_ value: RedisValue) -> [String: String] {
        let texts = (value.arrayValue ?? []).compactMap(\.text)
        var fields: [String: String] = [:]
        for index in stride(from: 0, to: texts.count - 1, by: 2) { fields[texts[index]] = texts[index + 1] }
        return fields
    }
}
