import NIOCore

/// The names of the edge's own cookies and of the console's, which no upstream of the app gets or sets.
///
/// Names are compared without case, since browsers compare their prefixes so. The edge itself reads only the exact spelling.
package enum OwnCookies {
    /// The part that all names contain.
    private static let mark: StaticString = "latchkey-"
    private static let prefixes: [StaticString] = ["__secure-", "__host-"]
    private static let names: [StaticString] = [
        "latchkey-refresh", "latchkey-page", "latchkey-access", "latchkey-console",
    ]

    /// Whether one of our cookies may be in the value of a `Cookie` field.
    static func areIn(_ value: Range<Int>, of block: HeaderBlock) -> Bool {
        let bytes = block.bytes.readableBytesUInt8Span
        let length = mark.utf8CodeUnitCount
        guard value.count >= length else { return false }
        for start in value.lowerBound...(value.upperBound - length) where begins(bytes, start..<value.upperBound, mark)
        {
            return true
        }
        return false
    }

    /// Appends a `Cookie` field without our cookies, or nothing if it has no others.
    static func write(_ value: Range<Int>, of block: HeaderBlock, into buffer: inout ByteBuffer) {
        let bytes = block.bytes.readableBytesUInt8Span
        var isFirst = true
        forEachPair(bytes, value) { pair in
            guard !isOwn(bytes, pair) else { return }
            buffer.writeStaticString(isFirst ? "Cookie: " : "; ")
            isFirst = false
            buffer.writeBytes(block.view(pair))
        }
        if !isFirst { buffer.writeStaticString("\r\n") }
    }

    /// Whether the value of a `Set-Cookie` field sets one of our cookies.
    static func isSet(by value: Range<Int>, of block: HeaderBlock) -> Bool {
        isOwn(block.bytes.readableBytesUInt8Span, value)
    }

    /// Calls `body` with each pair of a `Cookie` field's value (RFC 6265 section 4.2.1), without the blanks around it. Empty pairs
    /// are skipped.
    fileprivate static func forEachPair(_ bytes: Span<UInt8>, _ value: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = value.lowerBound
        while start < value.upperBound {
            var end = start
            while end < value.upperBound, bytes[end] != UInt8(ascii: ";") { end += 1 }
            var (first, last) = (start, end)
            while first < last, ByteClass.isBlank(bytes[first]) { first += 1 }
            while first < last, ByteClass.isBlank(bytes[last - 1]) { last -= 1 }
            if first < last { body(first..<last) }
            start = end + 1
        }
    }

    /// Whether a pair is one of our cookies, or a nameless one that is sent back as one (`=name=value`).
    private static func isOwn(_ bytes: Span<UInt8>, _ pair: Range<Int>) -> Bool {
        var start = pair.lowerBound
        while start < pair.upperBound, ByteClass.isBlank(bytes[start]) || bytes[start] == UInt8(ascii: "=") {
            start += 1
        }
        for prefix in prefixes where begins(bytes, start..<pair.upperBound, prefix) {
            start += prefix.utf8CodeUnitCount
            break
        }
        for name in names where begins(bytes, start..<pair.upperBound, name) {
            var end = start + name.utf8CodeUnitCount
            while end < pair.upperBound, ByteClass.isBlank(bytes[end]) { end += 1 }
            return end == pair.upperBound || bytes[end] == UInt8(ascii: "=") || bytes[end] == UInt8(ascii: ";")
        }
        return false
    }

    /// Whether the bytes at the start of `range` are `text` (in lower case), whatever their case.
    private static func begins(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count >= text.utf8CodeUnitCount else { return false }
        let start = unsafe text.utf8Start
        for offset in 0..<text.utf8CodeUnitCount {
            guard unsafe ByteClass.lowercased(bytes[range.lowerBound + offset]) == start[offset] else { return false }
        }
        return true
    }
}

extension HeaderBlock {
    /// Calls `body` with the places of the name and value of each cookie in the `Cookie` fields. A pair without `=` has no name, and
    /// is left out.
    package func forEachCookie(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        let bytes = self.bytes.readableBytesUInt8Span
        for field in fields where field.kind == .cookie {
            OwnCookies.forEachPair(bytes, field.value) { pair in
                var end = pair.lowerBound
                while end < pair.upperBound, bytes[end] != UInt8(ascii: "=") { end += 1 }
                if end < pair.upperBound { body(pair.lowerBound..<end, end + 1..<pair.upperBound) }
            }
        }
    }
}
