/// Reads the lines of a message head from bytes that arrive in pieces. It reads each byte once.
///
/// Lines end with CR LF and nothing else (security guide ).
struct HeadReader: Sendable {
    /// The number of fields that fit without growing the array, enough for most heads.
    private static let usualFieldCount = 16

    private enum Line {
        case incomplete
        case end(Int)
        case next(Int)
    }

    /// The start of the line that is being read.
    private var lineStart = 0
    /// The next byte to read.
    private var position = 0
    /// The position of that line's colon, once it has been read.
    private var nameEnd: Int?
    /// The end of the start line, without its CR LF; `nil` until it was read.
    private(set) var startLineEnd: Int?
    /// Whether any byte of a head has arrived.
    private(set) var isUnderWay = false
    private var fields: [HeaderBlock.Field] = []
    private let limits: HeaderBlock.Limits

    init(limits: HeaderBlock.Limits) { self.limits = limits }

    /// Continues to read, and returns the head's length, the empty line included, once it is complete.
    ///
    /// - Parameter bytes: all that has arrived of the head and maybe more; earlier bytes are the same as last time.
    mutating func advance(_ bytes: Span<UInt8>) throws(HTTPViolation) -> Int? {
        while true {
            switch try startLineEnd == nil ? startLine(bytes) : fieldLine(bytes) {
            case .incomplete:
                guard bytes.count <= limits.bytesMax else { throw .headerTooLarge }
                isUnderWay = bytes.count > 0
                return nil
            case .next(let start):
                guard start <= limits.bytesMax else { throw .headerTooLarge }
                lineStart = start
                position = start
                nameEnd = nil
            case .end(let length):
                guard length <= limits.bytesMax else { throw .headerTooLarge }
                return length
            }
        }
    }

    /// Returns the fields and prepares for the next head.
    mutating func takeFields() -> [HeaderBlock.Field] {
        let taken = fields
        self = HeadReader(limits: limits)
        return taken
    }

    private mutating func startLine(_ bytes: Span<UInt8>) throws(HTTPViolation) -> Line {
        guard let end = try lineEnd(bytes, else: .malformedStartLine) else { return .incomplete }
        guard end > lineStart else { throw .malformedStartLine }
        startLineEnd = end
        return .next(end + 2)
    }

    private mutating func fieldLine(_ bytes: Span<UInt8>) throws(HTTPViolation) -> Line {
        guard lineStart < bytes.count else { return .incomplete }
        if bytes[lineStart] == 0x0D { return try emptyLine(bytes) }
        guard !ByteClass.isBlank(bytes[lineStart]) else { throw .foldedHeader }
        if nameEnd == nil { nameEnd = try findNameEnd(bytes) }
        guard let nameEnd else { return .incomplete }
        guard let end = try lineEnd(bytes, else: .malformedHeader) else { return .incomplete }
        guard fields.count < limits.fieldsMax else { throw .tooManyHeaders }
        append(bytes, name: lineStart..<nameEnd, lineEnd: end)
        return .next(end + 2)
    }

    private func emptyLine(_ bytes: Span<UInt8>) throws(HTTPViolation) -> Line {
        guard lineStart + 1 < bytes.count else { return .incomplete }
        guard bytes[lineStart + 1] == 0x0A else { throw .bareLineBreak }
        return .end(lineStart + 2)
    }

    /// Returns the position of the colon directly after a name, or `nil` while it has not arrived.
    private mutating func findNameEnd(_ bytes: Span<UInt8>) throws(HTTPViolation) -> Int? {
        while position < bytes.count, ASCIISet.token.contains(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        guard position > lineStart, bytes[position] == UInt8(ascii: ":") else {
            throw bytes[position] == 0x0A ? .bareLineBreak : .malformedHeader
        }
        position += 1
        return position - 1
    }

    /// Returns the position of the line's CR LF, or `nil` while it has not arrived.
    private mutating func lineEnd(_ bytes: Span<UInt8>, else violation: HTTPViolation) throws(HTTPViolation) -> Int? {
        while position < bytes.count, ByteClass.isFieldValue(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        guard bytes[position] == 0x0D else { throw bytes[position] == 0x0A ? .bareLineBreak : violation }
        guard position + 1 < bytes.count else { return nil }
        guard bytes[position + 1] == 0x0A else { throw .bareLineBreak }
        return position
    }

    private mutating func append(_ bytes: Span<UInt8>, name: Range<Int>, lineEnd: Int) {
        var start = name.upperBound + 1
        var end = lineEnd
        while start < end, ByteClass.isBlank(bytes[start]) { start += 1 }
        while end > start, ByteClass.isBlank(bytes[end - 1]) { end -= 1 }
        if fields.isEmpty { fields.reserveCapacity(Self.usualFieldCount) }
        fields.append(
            HeaderBlock.Field(
                nameStart: UInt32(clamping: name.lowerBound), nameEnd: UInt32(clamping: name.upperBound),
                valueStart: UInt32(clamping: start), valueEnd: UInt32(clamping: end),
                kind: FieldKind(nameIn: bytes, name),
                isPlain: start == name.upperBound + 2 && bytes[start - 1] == UInt8(ascii: " ") && end == lineEnd))
    }
}
