import NIOCore

/// The bytes that a client has sent and that are not worked off: takes heads and bodies off them, a turn's worth at a time.
struct InboundReader {
    /// What has come of a head.
    enum Head {
        case nothing
        /// The first bytes of it; the next ones are not news.
        case begun
        case whole(RequestHead)
    }

    /// More than we ever ask for; only from a client that has ended its half does the loop read all at once.
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
    /// Memory that they take.
    var capacity: Int { inbound.storageCapacity }
    /// The head that was refused, or that has not come whole.
    var headBytes: ByteBuffer { parser.refused?.bytes ?? inbound }
    /// Whether any byte of a head has come.
    var isHeadUnderWay: Bool { parser.isUnderWay }
    /// Whether the body of the request is through.
    var isBodyDone: Bool { body.isDone }
    /// Whether the rest has to wait for the next turn.
    var isTurnOver: Bool { turn.isOver }

    /// Takes what has come; false when that is more than anybody asked for.
    mutating func receive(_ bytes: ByteBuffer) -> Bool {
        var bytes = bytes
        if inbound.readableBytes == 0 { inbound = bytes } else { inbound.writeBuffer(&bytes) }
        return inbound.readableBytes <= Self.bytesMax
    }

    /// Lets the buffer go if nothing is in it: a connection at rest holds none.
    mutating func releaseEmptyBuffer() {
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
    }

    /// All other connections have had their turn.
    mutating func beginTurn() { turn.begin() }

    /// What a proxy in front says of its client.
    mutating func proxyHeader() -> ProxyHeader { ProxyHeader.read(from: &inbound) }

    /// Reads a head; after a whole one its body is read, and after a refused one too, if its end is known.
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

    /// The framing of a request that was refused for another reason than its framing.
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

    /// Gives up the request's body: its end is not looked for.
    mutating func forgetBody() { body = BodyDecoder(.none) }

    /// The next piece of the body, as far as the turn goes.
    mutating func nextOfBody() throws(HTTPViolation) -> BodyDecoder.Event {
        let event = try body.next(from: &inbound, linesMax: turn.framingLinesLeft)
        turn.readFramingLines(body.takeLineCount())
        guard !body.isWasteful else { throw .wastefulFraming }
        return event
    }

    /// Drops all bytes; returns how many there were.
    mutating func drop() -> Int {
        defer { inbound.clear() }
        return inbound.readableBytes
    }
}
