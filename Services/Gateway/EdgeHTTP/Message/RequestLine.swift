import NIOCore

/// `METHOD SP target SP HTTP/1.1`, one space each (RFC 9112 section 3).
///
/// HTTP/1.0 is served too, since proxies and health checks speak it; every other version is refused with 505.
struct RequestLine: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let isHTTP11: Bool

    /// - Parameter end: the position of the line's CR.
    init(_ bytes: Span<UInt8>, end: Int) throws(HTTPViolation) {
        let methodEnd = Self.firstSpace(bytes, 0..<end)
        let targetEnd = Self.firstSpace(bytes, min(methodEnd + 1, end)..<end)
        guard methodEnd > 0, targetEnd > methodEnd + 1, targetEnd < end else { throw .malformedStartLine }
        // The version is checked before the method and the target.
        isHTTP11 = try Self.isHTTP11(bytes, targetEnd + 1..<end)
        method = try Self.method(bytes, 0..<methodEnd)
        target = try RequestTarget(bytes, methodEnd + 1..<targetEnd)
    }

    private static func firstSpace(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var position = range.lowerBound
        while position < range.upperBound, bytes[position] != UInt8(ascii: " ") { position += 1 }
        return position
    }

    private static func isHTTP11(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPViolation) -> Bool {
        if equals(bytes, range, "HTTP/1.1") { return true }
        if equals(bytes, range, "HTTP/1.0") { return false }
        let isVersion =
            range.count == 8 && equals(bytes, range.lowerBound..<range.lowerBound + 5, "HTTP/")
            && ByteClass.isDigit(bytes[range.lowerBound + 5]) && bytes[range.lowerBound + 6] == UInt8(ascii: ".")
            && ByteClass.isDigit(bytes[range.lowerBound + 7])
        throw isVersion ? .unsupportedVersion : .malformedStartLine
    }

    private static func method(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPViolation) -> HTTPMethod {
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "G") where equals(bytes, range, "GET"): return .get
        case UInt8(ascii: "P") where equals(bytes, range, "POST"): return .post
        case UInt8(ascii: "P") where equals(bytes, range, "PUT"): return .put
        case UInt8(ascii: "P") where equals(bytes, range, "PATCH"): return .patch
        case UInt8(ascii: "D") where equals(bytes, range, "DELETE"): return .delete
        case UInt8(ascii: "H") where equals(bytes, range, "HEAD"): return .head
        case UInt8(ascii: "O") where equals(bytes, range, "OPTIONS"): return .options
        default: break
        }
        for position in range {
            guard ASCIISet.token.contains(bytes[position]) else { throw .malformedStartLine }
        }
        throw equals(bytes, range, "TRACE") || equals(bytes, range, "CONNECT") ? .forbiddenMethod : .unknownMethod
    }

    private static func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        let start = unsafe text.utf8Start
        for offset in 0..<range.count {
            guard unsafe bytes[range.lowerBound + offset] == start[offset] else { return false }
        }
        return true
    }

    /// Whether a refused head states the version HTTP/1.1.
    static func endsInHTTP11(_ block: HeaderBlock) -> Bool {
        block.bytes.readableBytesView.prefix { $0 != 0x0D }.suffix(9).elementsEqual(" HTTP/1.1".utf8)
    }
}
