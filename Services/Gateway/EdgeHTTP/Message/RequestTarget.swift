/// The parts of a request's target: origin form (`/path?query`) or absolute form (`http://host/path?query`).
///
/// A server has to accept the absolute form (RFC 9112 section 3.2.2). Userinfo, other schemes, `*` and authority form are refused.
/// Upstreams always get origin form.
struct RequestTarget: Sendable {
    /// The schemes of the absolute form, each with its usual port.
    private static let schemes: [(prefix: StaticString, port: StaticString)] = [("http://", "80"), ("https://", "443")]

    /// The host of the absolute form, not checked yet, and its scheme's port.
    let authority: (range: Range<Int>, usualPort: StaticString)?
    let path: Range<Int>
    /// The query with its `?`; empty if there is none.
    let query: Range<Int>

    /// The path and query in one range; `nil` for an absolute form without a path but with a query (`http://host?x`).
    var pathAndQuery: Range<Int>? {
        query.isEmpty ? path : path.upperBound == query.lowerBound ? path.lowerBound..<query.upperBound : nil
    }

    init(_ bytes: Span<UInt8>, _ target: Range<Int>) throws(HTTPViolation) {
        guard target.count <= CanonicalPath.targetBytesMax else { throw .targetTooLong }
        guard bytes[target.lowerBound] != UInt8(ascii: "/") else {
            authority = nil
            path = try CanonicalPath.judge(bytes, target)
            query = path.upperBound..<target.upperBound
            return
        }
        guard let scheme = Self.schemes.first(where: { Self.begins(bytes, target, $0.prefix) }) else {
            throw .badTarget
        }
        let start = target.lowerBound + scheme.prefix.utf8CodeUnitCount
        let end = Self.authorityEnd(bytes, start..<target.upperBound)
        authority = (start..<end, scheme.port)
        if end < target.upperBound, bytes[end] == UInt8(ascii: "/") {
            path = try CanonicalPath.judge(bytes, end..<target.upperBound)
            query = path.upperBound..<target.upperBound
        } else {
            // An empty path means `/` (RFC 9110 section 4.2.3), for which the last one of the scheme serves.
            path = start - 1..<start
            query = end..<target.upperBound
            try CanonicalPath.judgeQuery(bytes, query)
        }
    }

    private static func authorityEnd(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> Int {
        var end = rest.lowerBound
        while end < rest.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        return end
    }

    private static func begins(_ bytes: Span<UInt8>, _ target: Range<Int>, _ prefix: StaticString) -> Bool {
        guard target.count >= prefix.utf8CodeUnitCount else { return false }
        let start = unsafe prefix.utf8Start
        for offset in 0..<prefix.utf8CodeUnitCount {
            guard unsafe ByteClass.lowercased(bytes[target.lowerBound + offset]) == start[offset] else { return false }
        }
        return true
    }
}
