internal import NIOCore

/// Takes a body apart as it arrives: data out, framing gone, end found.
///
/// Chunk sizes are hexadecimal digits and nothing else; extensions are refused, trailers read and dropped (security guide
///
struct BodyDecoder: Sendable {
    enum Event: Sendable, Equatable {
        case data(ByteBuffer)
        case end
        case needMore
    }

    private enum State: Sendable, Equatable {
        case length(left: Int)
        case chunkSize
        case chunkData(left: Int)
        case chunkEnd
        case trailers(bytes: Int)
        case untilClose
        case done
    }

    /// Characters of a chunk's size: 15 digits always fit into Int.
    private static let sizeDigitsMax = 15
    private static let trailerBytesMax = 8 * 1024

    private var state: State

    init(_ framing: BodyFraming) {
        state =
            switch framing {
            case .none, .length(0): .done
            case .length(let count): .length(left: count)
            case .chunked: .chunkSize
            case .untilClose: .untilClose
            }
    }

    /// Whether the body is through, its framing included.
    var isDone: Bool { state == .done }

    /// The next piece out of `buffer`.
    mutating func next(from buffer: inout ByteBuffer) throws(HTTPViolation) -> Event {
        while true {
            switch state {
            case .done: return .end
            case .untilClose: return data(of: buffer.readableBytes, from: &buffer) ?? .needMore
            case .length(let left):
                let count = min(left, buffer.readableBytes)
                guard let event = data(of: count, from: &buffer) else { return .needMore }
                state = left == count ? .done : .length(left: left - count)
                return event
            case .chunkData(let left):
                let count = min(left, buffer.readableBytes)
                guard let event = data(of: count, from: &buffer) else { return .needMore }
                state = left == count ? .chunkEnd : .chunkData(left: left - count)
                return event
            case .chunkSize, .chunkEnd, .trailers:
                guard try readLine(from: &buffer) else { return .needMore }
            }
        }
    }

    private func data(of count: Int, from buffer: inout ByteBuffer) -> Event? {
        guard count > 0, let slice = buffer.readSlice(length: count) else { return nil }
        return .data(slice)
    }

    /// Reads a line of framing; false when it is not whole yet.
    private mutating func readLine(from buffer: inout ByteBuffer) throws(HTTPViolation) -> Bool {
        guard let length = try Self.lineLength(buffer.readableBytesUInt8Span, most: lineBytesMax) else { return false }
        state = try stateAfterLine(buffer.readableBytesUInt8Span, length: length)
        buffer.moveReaderIndex(forwardBy: length + 2)
        return true
    }

    private func stateAfterLine(_ bytes: Span<UInt8>, length: Int) throws(HTTPViolation) -> State {
        switch state {
        case .chunkSize:
            let size = try Self.size(bytes, digits: length)
            return size == 0 ? .trailers(bytes: 0) : .chunkData(left: size)
        case .trailers(let read) where length > 0:
            try Self.judgeTrailer(bytes, length: length)
            return .trailers(bytes: read + length + 2)
        case .trailers: return .done
        default: return .chunkSize
        }
    }

    private var lineBytesMax: Int {
        switch state {
        case .chunkSize: Self.sizeDigitsMax
        case .trailers(let read): max(0, Self.trailerBytesMax - read)
        default: 0
        }
    }

    /// The length of the line without its CR LF; nil until it is whole.
    private static func lineLength(_ bytes: Span<UInt8>, most: Int) throws(HTTPViolation) -> Int? {
        var position = 0
        while position < bytes.count, bytes[position] != 0x0D {
            guard position < most, ByteClass.isFieldValue(bytes[position]) else { throw .badChunk }
            position += 1
        }
        guard position + 1 < bytes.count else { return nil }
        guard bytes[position + 1] == 0x0A else { throw .badChunk }
        return position
    }

    /// No sign, no space, no `0x`, no extension.
    private static func size(_ bytes: Span<UInt8>, digits: Int) throws(HTTPViolation) -> Int {
        guard (1...sizeDigitsMax).contains(digits) else { throw .badChunk }
        var size = 0
        for position in 0..<digits {
            guard let digit = ByteClass.hexValue(bytes[position]) else { throw .badChunk }
            size = size << 4 | Int(digit)
        }
        return size
    }

    /// A trailer must be a field line, though nobody gets it: what it could say was decided with the head.
    private static func judgeTrailer(_ bytes: Span<UInt8>, length: Int) throws(HTTPViolation) {
        var position = 0
        while position < length, ASCIISet.token.contains(bytes[position]) { position += 1 }
        guard position > 0, position < length, bytes[position] == UInt8(ascii: ":") else { throw .badChunk }
    }
}
