import NIOCore

/// The state machine of one HTTP/1.1 connection: the permitted order of heads, bodies, responses, the next request and the end.
///
/// It receives bytes and events, and returns steps. It uses no channel and no clock, and knows of a request only the progress of
/// its body and whether its response has begun. It handles one request at a time; the bytes of the next request wait.
struct ConnectionMachine {
    private(set) var stage: Stage
    /// Whether a part of the response to the request under way is written.
    private(set) var hasAnswerBegun = false
    /// Whether the connection is closed after the request.
    private(set) var closesAfter = false
    private(set) var isDraining = false
    /// Whether the bytes of the request under way belong to another protocol.
    private(set) var isTunnel = false
    private var reader: InboundReader
    /// Whether the client of the request under way waits before it sends the body, and the body's length, if it stated one.
    private var expectsContinue = false
    private var statedLength: Int?
    private let limits: ServerLimits

    init(limits: ServerLimits) {
        self.limits = limits
        reader = InboundReader(limits: limits.head, hostlessPath: limits.healthPath)
        stage = limits.expectsProxyHeader ? .preface : .idle
    }

    // MARK: Input

    /// Accepts the bytes that the client sent, or returns `false` if they are more than was requested.
    mutating func receive(_ bytes: ByteBuffer) -> Bool { reader.receive(bytes) }

    /// Takes one step, as far as the bytes and the turn allow. It reads a body only if the exchange needs it.
    ///
    /// - Throws: the rule that the client has broken; nothing after it can be read any more.
    mutating func next() throws(HTTPViolation) -> Step {
        switch stage {
        case .preface:
            let header = reader.proxyHeader()
            return header == .incomplete ? .wait : .client(header)
        case .idle: return try nextOfHead()
        case .exchange: return try nextOfBody()
        case .discarding(let bytesLeft): return try discard(bytesLeft: bytesLeft)
        case .absorbing(let bytesLeft): return absorb(bytesLeft: bytesLeft)
        case .lingering(let bytesLeft):
            let left = bytesLeft - reader.drop()
            guard left >= 0 else { return .abort }
            stage = .lingering(bytesLeft: left)
            return .wait
        case .closed: return .wait
        }
    }

    private mutating func nextOfHead() throws(HTTPViolation) -> Step {
        switch try reader.head() {
        case .nothing: return .wait
        case .begun: return .headBegan
        case .whole(let head):
            expectsContinue = head.expectsContinue
            statedLength = if case .length(let count) = head.framing { count } else { nil }
            closesAfter = !head.keepsAlive || isDraining
            stage = .exchange
            return .request(head)
        }
    }

    private mutating func nextOfBody() throws(HTTPViolation) -> Step {
        guard !reader.isBodyDone else { return .wait }
        switch try reader.nextOfBody() {
        case .needMore: return .wait
        case .data(let data): return .body(data, isLast: reader.isBodyDone)
        case .end: return .bodyEnd
        }
    }

    /// Discards a piece of a body that is no longer needed.
    private mutating func discard(bytesLeft: Int) throws(HTTPViolation) -> Step {
        switch try reader.nextOfBody() {
        case .needMore: return .wait
        case .data(let data):
            guard data.readableBytes <= bytesLeft else { return .linger }
            stage = .discarding(bytesLeft: bytesLeft - data.readableBytes)
            return .dropped
        case .end: return .through(endRequest())
        }
    }

    /// Discards a piece of a body after a refusal. The connection is closing, so these bytes are never read as a request.
    private mutating func absorb(bytesLeft: Int) -> Step {
        do throws(HTTPViolation) {
            switch try reader.nextOfBody() {
            case .needMore: return .wait
            case .data(let data):
                guard data.readableBytes <= bytesLeft else { return .abort }
                stage = .absorbing(bytesLeft: bytesLeft - data.readableBytes)
                return .dropped
            case .end: break
            }
        } catch {
            // The end of the body is no longer known.
            reader.forgetBody()
        }
        stage = .lingering(bytesLeft: limits.lingerBytesMax)
        return .absorbed
    }

    /// Notes that the client is known, before the first request.
    mutating func prefaceDidEnd() { stage = .idle }

    /// Notes that the process is about to exit. The request under way, or the one that is arriving, is the last.
    mutating func drain() {
        isDraining = true
        // A response whose head is sent may have promised to keep the connection. Then the next request is the last.
        if stage == .exchange, !hasAnswerBegun { closesAfter = true }
    }

    /// Begins a new turn, since all other connections have had theirs.
    mutating func beginTurn() { reader.beginTurn() }

    /// Releases the buffer if it is empty.
    mutating func releaseEmptyBuffer() { reader.releaseEmptyBuffer() }

    // MARK: Output

    /// Notes that the whole of one of the edge's responses is about to be written.
    ///
    /// - Parameter closes: whether the connection is closed after it.
    mutating func beginReply(closes: Bool) {
        hasAnswerBegun = true
        closesAfter = closesAfter || closes || isDraining || !isRestOfBodySmall
    }

    /// Notes that an upstream's response is about to be written. If it arrives before the request is complete, the connection is
    /// closed after it.
    ///
    /// - Parameter endsByClose: whether the end of the connection is the end of the response.
    mutating func beginProxiedAnswer(endsByClose: Bool = false) {
        hasAnswerBegun = true
        closesAfter = closesAfter || endsByClose || isDraining || !reader.isBodyDone
    }

    /// Notes that the response begins another protocol. All bytes that follow belong to it, and after it the connection is closed.
    mutating func beginTunnel() {
        isTunnel = true
        reader.beginTunnel()
    }

    /// Makes the next response the last.
    mutating func closeAfterAnswer() { closesAfter = true }

    /// Notes that the response is written to its end.
    mutating func endAnswer() -> Ending {
        if isTunnel { reader.forgetBody() }
        guard reader.isBodyDone || closesAfter else {
            stage = .discarding(bytesLeft: limits.discardedBytesMax)
            return .discard
        }
        return endRequest()
    }

    /// Notes that our half is about to be closed. An incomplete body is read to its end.
    mutating func linger() {
        stage =
            reader.isBodyDone
            ? .lingering(bytesLeft: limits.lingerBytesMax) : .absorbing(bytesLeft: limits.absorbedBytesMax)
    }

    /// Releases the refused head once it is answered.
    mutating func forgetRefused() { reader.forgetRefused() }

    /// Stops reading the request's body, because its end is not known or not worth waiting for.
    mutating func forgetBody() { reader.forgetBody() }

    /// Notes that the connection is closed.
    mutating func close() { stage = .closed }

    private mutating func endRequest() -> Ending {
        hasAnswerBegun = false
        guard !closesAfter else { return .linger }
        stage = .idle
        return .rest
    }

    /// Whether the rest of the body is short enough to read it and keep the connection. A client that waits for 100 may never send
    /// it.
    private var isRestOfBodySmall: Bool {
        guard !reader.isBodyDone else { return true }
        return (statedLength ?? 0) <= limits.discardedBytesMax && !expectsContinue
    }

    // MARK: Progress

    /// Whether the body of the request is complete.
    var isRequestWhole: Bool { reader.isBodyDone }
    /// Whether more of the body has to arrive from the client.
    var lacksBody: Bool { !reader.isBodyDone && !reader.hasBytes }
    /// The head that was refused, or that is not complete.
    var headBytes: ByteBuffer { reader.headBytes }
    /// Whether any byte of a head has arrived.
    var isHeadUnderWay: Bool { reader.isHeadUnderWay }
    /// Whether bytes wait to be read.
    var hasInbound: Bool { reader.hasBytes }
    /// The memory that these bytes take.
    var inboundCapacity: Int { reader.capacity }
    /// Whether further work has to wait for the next turn.
    var isTurnOver: Bool { reader.isTurnOver }
    /// Whether `100 Continue` has to be sent to a client that waits for it.
    var owesContinue: Bool { expectsContinue && lacksBody }
}
