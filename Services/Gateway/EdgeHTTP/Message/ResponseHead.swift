import NIOCore

/// The head of an upstream's response, read as strictly as a request's.
package struct ResponseHead: Sendable {
    package let block: HeaderBlock
    package let status: Int
    let framing: BodyFraming
    /// Whether the connection can carry another exchange afterwards.
    let keepsAlive: Bool

    /// Whether it is a 1xx, after which another head follows.
    var isInterim: Bool { status < 200 && !switches }
    /// Whether the bytes after it belong to another protocol, which the request asked for.
    var switches: Bool { status == 101 }

    /// - Parameters:
    ///   - startLineEnd: the position of the status line's CR.
    ///   - isHEAD: whether the request was HEAD, so that there is no body, whatever the head states.
    ///   - maySwitch: whether the request asked for another protocol.
    init(
        _ block: HeaderBlock, startLineEnd: Int, isHEAD: Bool, maySwitch: Bool = false
    ) throws(HTTPViolation) {
        let (code, isHTTP11) = try Self.statusLine(block.bytes.readableBytesUInt8Span, end: startLineEnd)
        let stated = try BodyFraming.stated(in: block)
        let hasNoBody = isHEAD || code < 200 || code == 204 || code == 304
        // A 101 that was not asked for, or that states a body, is an attempt to get out of step.
        guard code != 101 || maySwitch && isHTTP11 && stated == nil else { throw .malformedStartLine }
        // Without a length an old server's response ends with the connection.
        guard isHTTP11 || stated != .chunked else { throw .malformedStartLine }
        framing = code == 101 ? .untilClose : hasNoBody ? .none : stated ?? .untilClose
        let options = ConnectionOptions(of: block)
        guard !options.areTooMany else { throw .tooManyOptions }
        keepsAlive = isHTTP11 && framing != .untilClose && !options.closes
        status = code
        self.block = block
    }

    /// Reads `HTTP/1.x SP 3DIGIT [SP reason]` (RFC 9112 section 4).
    private static func statusLine(
        _ bytes: Span<UInt8>, end: Int
    ) throws(HTTPViolation) -> (status: Int, isHTTP11: Bool) {
        guard end == 12 || (end > 12 && bytes[12] == UInt8(ascii: " ")) else { throw .malformedStartLine }
        let prefix: StaticString = "HTTP/1."
        for offset in 0..<prefix.utf8CodeUnitCount {
            guard unsafe bytes[offset] == prefix.utf8Start[offset] else { throw .malformedStartLine }
        }
        guard bytes[7] == UInt8(ascii: "1") || bytes[7] == UInt8(ascii: "0"), bytes[8] == UInt8(ascii: " ") else {
            throw .malformedStartLine
        }
        var status = 0
        for position in 9..<12 {
            guard ByteClass.isDigit(bytes[position]) else { throw .malformedStartLine }
            status = status * 10 + Int(bytes[position] - UInt8(ascii: "0"))
        }
        guard (100..<600).contains(status) else { throw .malformedStartLine }
        return (status, bytes[7] == UInt8(ascii: "1"))
    }
}

/// Reads the heads of responses.
struct ResponseHeadParser: Sendable {
    private var reader: HeadReader

    init(limits: HeaderBlock.Limits) { reader = HeadReader(limits: limits) }

    /// Removes the next head from `buffer`, or returns `nil` until it is complete.
    mutating func next(
        from buffer: inout ByteBuffer, isHEAD: Bool, maySwitch: Bool = false
    ) throws(HTTPViolation) -> ResponseHead? {
        guard let length = try reader.advance(buffer.readableBytesUInt8Span), let lineEnd = reader.startLineEnd,
            let bytes = buffer.readSlice(length: length)
        else { return nil }
        let block = HeaderBlock(bytes: bytes, fields: reader.takeFields())
        return try ResponseHead(block, startLineEnd: lineEnd, isHEAD: isHEAD, maySwitch: maySwitch)
    }
}
