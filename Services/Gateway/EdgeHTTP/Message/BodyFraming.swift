import NIOCore

/// How the end of a body is found (RFC 9112 section 6).
enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// The body ends with the connection; in responses only.
    case untilClose

    /// Whether the body has no byte.
    var isEmpty: Bool { self == .none || self == .length(0) }

    /// The digits of the longest length: 18 digits always fit into Int.
    private static let lengthDigitsMax = 18

    /// Returns the framing of a request, or `nil` if it states none.
    ///
    /// HTTP/1.0 has no `Transfer-Encoding`. A reader that ignores it would find another request in the body.
    static func stated(in block: HeaderBlock, isHTTP11: Bool) throws(HTTPViolation) -> BodyFraming? {
        guard !block.has(.framingLookalike) else { throw .framingLookalike }
        let framing = try stated(in: block)
        guard isHTTP11 || framing != .chunked else { throw .badTransferEncoding }
        return framing
    }

    /// Returns the framing that `Content-Length` and `Transfer-Encoding` state, or `nil` if there is neither.
    ///
    /// Both together, two of one kind, or any unusual spelling are refused, since two readers could disagree.
    static func stated(in block: HeaderBlock) throws(HTTPViolation) -> BodyFraming? {
        let length = try block.only(.contentLength, else: .badContentLength)
        let encoding = try block.only(.transferEncoding, else: .badTransferEncoding)
        guard length == nil || encoding == nil else { throw .ambiguousFraming }
        if let encoding {
            guard block.equals(encoding.value, "chunked") else { throw .badTransferEncoding }
            return .chunked
        }
        return try length.map { field throws(HTTPViolation) in .length(try number(block, field.value)) }
    }

    private static func number(_ block: HeaderBlock, _ range: Range<Int>) throws(HTTPViolation) -> Int {
        guard (1...lengthDigitsMax).contains(range.count) else { throw .badContentLength }
        let bytes = block.bytes.readableBytesUInt8Span
        var number = 0
        for position in range {
            guard ByteClass.isDigit(bytes[position]) else { throw .badContentLength }
            number = number * 10 + Int(bytes[position] - UInt8(ascii: "0"))
        }
        return number
    }
}
