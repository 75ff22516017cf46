import NIOCore

/// Decodes a body as it arrives: it returns the data, removes the framing and finds the end. Small chunks that arrived together are
/// returned together.
///
/// Chunk sizes are hexadecimal digits and nothing else. Extensions are refused, and trailers are read and discarded (security guide
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

    /// The digits of a chunk's size: 15 digits always fit into Int.
    private static let sizeDigitsMax = 15
    private static let trailerBytesMax = 8 * 1024
    /// The greatest size of a piece that is joined from small chunks.
    private static let gatheredBytesMax = 16 * 1024
    /// The size up to which framing never counts as wasteful.
    private static let freeFramingBytes = 64 * 1024
    /// The greatest ratio of framing to data beyond that size.
    private static let framingFactorMax = 4

    private var state: State
    private var framingBytes = 0
    private var dataBytes = 0
    /// The lines of framing that were read since `takeLineCount()`.
    private var lineCount = 0

    init(_ framing: BodyFraming) {
        state =
            switch framing {
            case .none, .length(0): .done
            case .length(let count): .length(left: count)
            case .chunked: .chunkSize
            case .untilClose: .untilClose
            }
    }

    /// Whether the body is at its end, its framing included.
    var isDone: Bool { state == .done }

    /// Whether most of the body is framing: chunks so small that they only cost work.
    var isWasteful: Bool {
        framingBytes > Self.freeFramingBytes && framingBytes / Self.framingFactorMax > dataBytes
    }

    /// Returns how many lines of framing were read since the last call.
    mutating func takeLineCount() -> Int {
        defer { lineCount = 0 }
        return lineCount
    }

    /// Returns the next piece from `buffer`.
    ///
    /// - Parameter linesMax: the lines of framing that may be read. Beyond it the result is `.needMore`, even if there is more in
    ///   `buffer`.
    mutating func next(from buffer: inout ByteBuffer, linesMax: Int = .max) throws(HTTPViolation) -> Event {
        let linesEnd = linesMax < .max - lineCount ? lineCount + linesMax : .max
        let first = try nextPiece(from: &buffer, linesEnd: linesEnd)
        guard case .data(let piece) = first, state == .chunkEnd, piece.readableBytes < Self.gatheredBytesMax else {
            return first
        }
        return .data(try gather(behind: piece, from: &buffer, linesEnd: linesEnd))
    }

    /// Appends the small chunks that follow in `buffer` to a small first one.
    private mutating func gather(
        behind first: ByteBuffer, from buffer: inout ByteBuffer, linesEnd: Int
    ) throws(HTTPViolation) -> ByteBuffer {
        var gathered = first
        // The first chunk is copied only if there is a second one.
        while gathered.readableBytes < Self.gatheredBytesMax, lineCount < linesEnd, state != .done {
            switch state {
            case .chunkData(let left) where buffer.readableBytes == 0 || left > Self.gatheredBytesMax: return gathered
            case .chunkData:
                guard case .data(let piece) = try nextPiece(from: &buffer, linesEnd: linesEnd) else { return gathered }
                gathered.reserveCapacity(minimumWritableBytes: min(Self.gatheredBytesMax, buffer.readableBytes + 1))
                gathered.writeImmutableBuffer(piece)
            default: guard try readLine(from: &buffer) else { return gathered }
            }
        }
        return gathered
    }

    /// Returns a piece of one chunk, or of a body without chunks.
    private mutating func nextPiece(from buffer: inout ByteBuffer, linesEnd: Int) throws(HTTPViolation) -> Event {
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
                guard lineCount < linesEnd, try readLine(from: &buffer) else { return .needMore }
            }
        }
    }

    private mutating func data(of count: Int, from buffer: inout ByteBuffer) -> Event? {
        guard count > 0, let slice = buffer.readSlice(length: count) else { return nil }
        dataBytes += count
        return .data(slice)
    }

    /// Reads a line of framing, or returns `false` if it is not complete yet.
    private mutating func readLine(from buffer: inout ByteBuffer) throws(HTTPViolation) -> Bool {
        guard let length = try Self.lineLength(buffer.readableBytesUInt8Span, most: lineBytesMax) else { return false }
        state = try stateAfterLine(buffer.readableBytesUInt8Span, length: length)
        buffer.moveReaderIndex(forwardBy: length + 2)
        framingBytes += length + 2
        lineCount += 1
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

    /// Returns the length of the line without its CR LF, or `nil` if it is not complete yet.
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

    /// Reads a size without sign, space, `0x` or extension.
    private static func size(_ bytes: Span<UInt8>, digits: Int) throws(HTTPViolation) -> Int {
        guard (1...sizeDigitsMax).contains(digits) else { throw .badChunk }
        var size = 0
        for position in 0..<digits {
            guard let digit = ByteClass.hexValue(bytes[position]) else { throw .badChunk }
            size = size << 4 | Int(digit)
        }
        return size
    }

    /// Checks that a trailer is a field line, although it is discarded. All that it could state was decided with the head.
    private static func judgeTrailer(_ bytes: Span<UInt8>, length: Int) throws(HTTPViolation) {
        var position = 0
        while position < length, ASCIISet.token.contains(bytes[position]) { position += 1 }
        guard position > 0, position < length, bytes[position] == UInt8(ascii: ":") else { throw .badChunk }
    }
}
