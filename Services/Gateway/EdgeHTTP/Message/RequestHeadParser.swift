import NIOCore

/// Reads requests' heads strictly: a head with two readings is refused (security guide R-80…R-89).
struct RequestHeadParser: Sendable {
    private var reader: HeadReader
    private let hostlessPath: [UInt8]
    /// The head that was refused after it had been read to its end.
    private(set) var refused: HeaderBlock?

    /// - Parameter hostlessPath: the path at which a request of HTTP/1.0 needs no `Host`; empty if there is none.
    init(limits: HeaderBlock.Limits, hostlessPath: [UInt8] = []) {
        reader = HeadReader(limits: limits)
        self.hostlessPath = hostlessPath
    }

    /// Whether any byte of a head has arrived.
    var isUnderWay: Bool { reader.isUnderWay }

    /// Removes the next head from `buffer`, or returns `nil` until it is complete.
    ///
    /// - Throws: the first rule that is broken; nothing after it can be read any more.
    mutating func next(from buffer: inout ByteBuffer) throws(HTTPViolation) -> RequestHead? {
        guard let length = try reader.advance(buffer.readableBytesUInt8Span), let lineEnd = reader.startLineEnd,
            let bytes = buffer.readSlice(length: length)
        else { return nil }
        let block = HeaderBlock(bytes: bytes, fields: reader.takeFields())
        do throws(HTTPViolation) {
            return try RequestHead(block, startLineEnd: lineEnd, hostlessPath: hostlessPath)
        } catch {
            refused = block
            throw error
        }
    }

    /// Releases the refused head, and the fields of one that was refused before its end.
    mutating func forgetRefused() {
        refused = nil
        _ = reader.takeFields()
    }
}
