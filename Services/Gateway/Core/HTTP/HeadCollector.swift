internal import NIOCore

/// Finds the end of a message head in bytes that arrive in pieces; looks at each byte once.
struct HeadCollector: Sendable {
    /// Readable bytes that have been looked at.
    private var scanned = 0
    private var lineStart = 0
    private let bytesMax: Int

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Takes the head, with the line end of its last field but without the empty line, off the buffer; nil until it is
    /// there.
    mutating func next(from buffer: inout ByteBuffer) throws(HTTPViolation) -> [UInt8]? {
        let view = buffer.readableBytesView
        let base = view.startIndex
        while scanned < view.count {
            let byte = view[base + scanned]
            scanned += 1
            guard byte == 0x0A else {
                if scanned > bytesMax { throw .headerTooLarge }
                continue
            }
            guard scanned >= 2, view[base + scanned - 2] == 0x0D else { throw .bareLineBreak }
            if scanned - lineStart == 2 { return take(from: &buffer) }
            lineStart = scanned
        }
        return nil
    }

    private mutating func take(from buffer: inout ByteBuffer) -> [UInt8] {
        let head = buffer.readBytes(length: scanned - 2) ?? []
        buffer.moveReaderIndex(forwardBy: 2)
        scanned = 0
        lineStart = 0
        return head
    }

    /// Whether any byte of a head has come.
    var isUnderWay: Bool { scanned > 0 }
}
