import NIOCore

/// Reads requests' heads strictly: whatever has two readings is refused (security guide R-80…R-89).
struct RequestHeadParser: Sendable {
    private var reader: HeadReader

    init(limits: HeaderBlock.Limits) { reader = HeadReader(limits: limits) }

    /// Whether any byte of a head has come.
    var isUnderWay: Bool { reader.isUnderWay }

    /// Takes the next head off `buffer`; nil until it is whole.
    ///
    /// - Throws: the first rule that is broken; nothing behind it can be read any more.
    mutating func next(from buffer: inout ByteBuffer) throws(HTTPViolation) -> RequestHead? {
        guard let length = try reader.advance(buffer.readableBytesUInt8Span), let lineEnd = reader.startLineEnd,
            let bytes = buffer.readSlice(length: length)
        else { return nil }
        return try RequestHead(HeaderBlock(bytes: bytes, fields: reader.takeFields()), startLineEnd: lineEnd)
    }
}
