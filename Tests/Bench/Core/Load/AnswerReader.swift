package import NIOCore

/// Takes whole answers out of a connection's bytes.
///
/// Only what our own processes send to a load generator, whose work must stay small beside theirs: a head of ASCII, and a
/// body of stated length or none. Anything else is `unreadable`.
package struct AnswerReader {
    private static let headBytesMax = 64 * 1024
    private static let bodyBytesMax = 1 << 20
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lengthName = Array("content-length:".utf8)

    private var buffer = ByteBuffer()

    package init() {}

    package mutating func append(_ bytes: inout ByteBuffer) {
        if buffer.readableBytes == 0 { buffer = bytes } else { buffer.writeBuffer(&bytes) }
    }

    /// The next answer; nil while it is not whole.
    package mutating func next() throws(LoadFailure) -> LoadAnswer? {
        guard let frame = try Self.frame(buffer.readableBytesUInt8Span) else { return nil }
        let head = buffer.readBytes(length: frame.headCount) ?? []
        return LoadAnswer(status: frame.status, head: head, body: buffer.readBytes(length: frame.bodyCount) ?? [])
    }

    private struct Frame {
        let status: Int
        let headCount: Int
        let bodyCount: Int
    }

    private static func frame(_ bytes: Span<UInt8>) throws(LoadFailure) -> Frame? {
        guard let headEnd = headEnd(bytes) else {
            guard bytes.count <= headBytesMax else { throw .tooLarge }
            return nil
        }
        let status = try status(bytes)
        let bodyCount = try bodyCount(bytes, headEnd, status: status)
        return bytes.count < headEnd + bodyCount ? nil : Frame(status: status, headCount: headEnd, bodyCount: bodyCount)
    }

    /// Where the empty line ends.
    private static func headEnd(_ bytes: Span<UInt8>) -> Int? {
        var index = 3
        while index < bytes.count {
            if bytes[index] == lineFeed, bytes[index - 1] == carriageReturn, bytes[index - 2] == lineFeed,
                bytes[index - 3] == carriageReturn
            {
                return index + 1
            }
            index += 1
        }
        return nil
    }

    /// Reads the status from `HTTP/1.1 200 …`.
    private static func status(_ bytes: Span<UInt8>) throws(LoadFailure) -> Int {
        guard bytes.count > 12, let status = number(bytes.extracting(9..<12)) else { throw .unreadable }
        return status
    }

    private static func bodyCount(_ bytes: Span<UInt8>, _ headEnd: Int, status: Int) throws(LoadFailure) -> Int {
        guard status >= 200 else { throw .unreadable }
        guard status != 204, status != 304 else { return 0 }
        for start in 0..<headEnd where bytes[start] == lineFeed && isLength(bytes, at: start + 1, headEnd) {
            var digits = start + 1 + lengthName.count
            while bytes[digits] == UInt8(ascii: " ") { digits += 1 }
            var end = digits
            while bytes[end] != carriageReturn { end += 1 }
            guard let count = number(bytes.extracting(digits..<end)) else { throw .unreadable }
            guard count <= bodyBytesMax else { throw .tooLarge }
            return count
        }
        throw .unreadable
    }

    private static func isLength(_ bytes: Span<UInt8>, at start: Int, _ headEnd: Int) -> Bool {
        guard start + lengthName.count < headEnd - 2 else { return false }
        for offset in lengthName.indices where bytes[start + offset] | 0x20 != lengthName[offset] | 0x20 {
            return false
        }
        return true
    }

    private static func number(_ digits: Span<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count < 10 else { return nil }
        var value = 0
        for index in digits.indices {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[index]) else { return nil }
            value = value * 10 + Int(digits[index] - UInt8(ascii: "0"))
        }
        return value
    }
}
