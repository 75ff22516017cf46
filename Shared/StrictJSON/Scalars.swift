/// Values without parts, as JSON writes them.
extension [UInt8] {
    /// Appends a string in quotes, escaped as RFC 8259 §7 requires and no further.
    mutating func append(quoted string: String) {
        append(UInt8(ascii: "\""))
        let content = string.utf8Span.span
        if content.plainCount(onlyASCII: false) == content.count {
            append(run: content)
        } else {
            append(escaped: content)
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped content: Span<UInt8>) {
        var position = 0
        while position < content.count {
            let rest = content.extracting(position...)
            let plainCount = rest.plainCount(onlyASCII: false)
            append(run: rest.extracting(..<plainCount))
            if plainCount < rest.count { append(escaped: rest[plainCount]) }
            position += plainCount + 1
        }
    }

    private mutating func append(escaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        guard byte < 0x20 else { return append(byte) }
        append(contentsOf: "u00".utf8)
        append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        let digit = byte & 15
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }

    mutating func append(_ value: Bool) { append(contentsOf: (value ? "true" : "false").utf8) }

    /// Appends the digits of a whole number, with a minus before a negative one.
    mutating func append(decimal value: some FixedWidthInteger) {
        guard var rest = UInt64(exactly: value.magnitude) else { return append(contentsOf: String(value).utf8) }
        if value < 0 { append(UInt8(ascii: "-")) }
        // UInt64.max has 20 digits.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = digits.count
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        append(run: digits.span.extracting(start..<digits.count))
    }

    private mutating func append(run: Span<UInt8>) {
        // Only a buffer is copied at once; the pointer is used while the span is borrowed and no longer.
        unsafe run.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
