import NIOCore

/// The bytes that a client has sent and that are not processed. It reads heads and bodies from them, one turn at a time.
struct InboundReader {
    /// The progress of reading a head.
    enum Head {
        case nothing
        /// The first bytes have arrived; later ones are not reported.
        case begun
        case whole(RequestHead)
    }

    /// The greatest number of bytes, more than is ever requested. Only from a client that has closed its half does the loop read
    /// all at once.
    static let bytesMax = 1 << 20

    private var inbound = ByteBuffer()
    private var parser: RequestHeadParser
    private var body = BodyDecoder(.none)
    private var turn = Turn()

    init(limits: HeaderBlock.Limits, hostlessPath: [UInt8]) {
        parser = RequestHeadParser(limits: limits, hostlessPath: hostlessPath)
    }

    /// Whether bytes wait to be read.
    var hasBytes: Bool { inbound.readableBytes > 0 }
    /// The memory that they take.
    var capacity: Int { inbound.storageCapacity }
    /// The head that was refused, or that is not complete.
    var headBytes: ByteBuffer { parser.refused?.bytes ?? inbound }
    /// Whether any byte of a head has arrived.
    var isHeadUnderWay: Bool { parser.isUnderWay }
    /// Whether the body of the request is complete.
    var isBodyDone: Bool { body.isDone }
    /// Whether further work has to wait for the next turn.
    var isTurnOver: Bool { turn.isOver }

    /// Accepts bytes that have arrived, or returns `false` if they are more than was requested.
    mutating func receive(_ bytes: ByteBuffer) -> Bool {
        var bytes = bytes
        if inbound.readableBytes == 0 { inbound = bytes } else { inbound.writeBuffer(&bytes) }
        return inbound.readableBytes <= Self.bytesMax
    }

    /// Releases the buffer if it is empty, so that a connection at rest holds none.
    mutating func releaseEmptyBuffer() {
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
    }

    /// Begins a new turn, since all other connections have had theirs.
    mutating func beginTurn() { turn.begin() }

    /// Reads the header by which a proxy in front announces its client.
    mutating func proxyHeader() -> ProxyHeader { ProxyHeader.read(from: &inbound) }

    /// Reads a head. After it the body is read, also after a refused head if the body's end is known.
    mutating func head() throws(HTTPViolation) -> Head {
        guard inbound.readableBytes > 0 else { return .nothing }
        let isFirstByte = !parser.isUnderWay
        do throws(HTTPViolation) {
            guard let head = try parser.next(from: &inbound) else { return isFirstByte ? .begun : .nothing }
            turn.beginRequest()
            body = BodyDecoder(head.framing)
            return .whole(head)
        } catch {
            body = BodyDecoder(parser.refused.map { Self.framing(of: $0, refusedFor: error) } ?? .none)
            throw error
        }
    }

    /// Returns the framing of a request that was refused for another reason than its framing.
    private static func framing(of block: HeaderBlock, refusedFor violation: HTTPViolation) -> BodyFraming {
        switch violation {
        case .malformedStartLine, .unsupportedVersion: return .none
        default: break
        }
        do throws(HTTPViolation) {
            return try BodyFraming.stated(in: block, isHTTP11: RequestLine.endsInHTTP11(block)) ?? .none
        } catch {
            return .none
        }
    }

    /// Releases the refused head once it is answered.
    mutating func forgetRefused() { parser.forgetRefused() }

    /// Reads all bytes that follow as one body without an end, because they belong to another protocol.
    mutating func beginTunnel() { body = BodyDecoder(.untilClose) }

    /// Stops reading the request's body; its end is not searched.
    mutating func forgetBody() { body = BodyDecoder(.none) }

    /// Returns the next piece of the body, as far as the turn allows.
    mutating func nextOfBody() throws(HTTPViolation) -> BodyDecoder.Event {
        let event = try body.next(from: &inbound, linesMax: turn.framingLinesLeft)
        turn.readFramingLines(body.takeLineCount())
        guard !body.isWasteful else { throw .wastefulFraming }
        return event
    }

    /// Discards all bytes and returns how many there were.
    mutating func drop() -> Int {
        defer { inbound.clear() }
        return inbound.readableBytes
    }
}
