internal import NIOCore

/// Takes a body apart as it arrives: data out, framing gone, end found.
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

    var isDone: Bool { state == .done }

    /// The next piece out of `buffer`.
    mutating func next(from buffer: inout ByteBuffer) throws(HTTPViolation) -> Event {
        while true {
            switch state {
            case .done: return .end
            case .untilClose: return data(of: buffer.readableBytes, from: &buffer) ?? .needMore
            case .length(let left):
                guard let event = data(of: min(left, buffer.readableBytes), from: &buffer) else { return .needMore }
                state = left == event.count ? .done : .length(left: left - event.count)
                return event
            case .chunkSize:
                guard let line = try line(from: &buffer, bytesMax: Self.sizeDigitsMax) else { return .needMore }
                let size = try Self.size(line)
                state = size == 0 ? .trailers(bytes: 0) : .chunkData(left: size)
            case .chunkData(let left):
                guard let event = data(of: min(left, buffer.readableBytes), from: &buffer) else { return .needMore }
                state = left == event.count ? .chunkEnd : .chunkData(left: left - event.count)
                return event
            case .chunkEnd:
                guard let line = try line(from: &buffer, bytesMax: 0) else { return .needMore }
                guard line.isEmpty else { throw .badChunk }
                state = .chunkSize
            case .trailers(let bytes):
                // Trailers are read and dropped: what they could set was decided with the head.
                guard let line = try line(from: &buffer, bytesMax: Self.trailerBytesMax - bytes) else {
                    return .needMore
                }
                state = line.isEmpty ? .done : .trailers(bytes: bytes + line.count)
            }
        }
    }

    private func data(of count: Int, from buffer: inout ByteBuffer) -> Event? {
        guard count > 0, let slice = buffer.readSlice(length: count) else { return nil }
        return .data(slice)
    }

    /// A line without its CR LF; nil until it is whole.
    private func line(from buffer: inout ByteBuffer, bytesMax: Int) throws(HTTPViolation) -> [UInt8]? {
        let view = buffer.readableBytesView
        guard let end = view.firstIndex(of: 0x0A) else {
            guard view.count <= bytesMax + 1 else { throw .badChunk }
            return nil
        }
        let length = end - view.startIndex
        guard length >= 1, length - 1 <= bytesMax, view[end - 1] == 0x0D else { throw .badChunk }
        let line = Array(view[view.startIndex..<end - 1])
        buffer.moveReaderIndex(forwardBy: length + 1)
        return line
    }

    /// Hexadecimal digits and nothing else: no sign, no space, no extension.
    private static func size(_ line: [UInt8]) throws(HTTPViolation) -> Int {
        guard (1...sizeDigitsMax).contains(line.count) else { throw .badChunk }
        var size = 0
        for byte in line {
            guard let digit = ByteClass.hexValue(byte) else { throw .badChunk }
            size = size << 4 | Int(digit)
        }
        return size
    }
}

extension BodyDecoder.Event {
    /// Bytes of data.
    fileprivate var count: Int {
        if case .data(let buffer) = self { buffer.readableBytes } else { 0 }
    }
}
