import NIOCore

/// What may follow what on one connection of HTTP/1.1: heads, bodies, answers, the next request, the end.
///
/// Bytes and events go in, steps come out; it touches no channel and no clock, and knows of a request only how far its body
/// is and whether its answer has begun. One request at a time: while one is under way, what has come of the next waits.
struct ConnectionMachine {
    private(set) var stage: Stage
    /// Whether a part of the answer to the request under way is written.
    private(set) var hasAnswerBegun = false
    /// Whether the connection ends after the request.
    private(set) var closesAfter = false
    private(set) var isDraining = false
    private var reader: InboundReader
    /// Of the request under way: whether its client waits before it sends the body, and how long the body is, if it said so.
    private var expectsContinue = false
    private var statedLength: Int?
    private let limits: ServerLimits

    init(limits: ServerLimits) {
        self.limits = limits
        reader = InboundReader(limits: limits.head, hostlessPath: limits.healthPath)
        stage = limits.expectsProxyHeader ? .preface : .idle
    }

    // MARK: What comes

    /// Takes what the client sent; false when that is more than anybody asked for.
    mutating func receive(_ bytes: ByteBuffer) -> Bool { reader.receive(bytes) }

    /// Takes one step, as far as the bytes and the turn go; of a body only when the exchange wants it.
    ///
    /// - Throws: the rule that the client has broken; nothing behind it can be read any more.
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

    /// Drops a piece of a body that nobody wants any more.
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

    /// Drops a piece of a body after a refusal. The connection is closing, so nothing that comes is ever read as a request.
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
            // Its end is not known any more.
            reader.forgetBody()
        }
        stage = .lingering(bytesLeft: limits.lingerBytesMax)
        return .absorbed
    }

    /// The client was named before the first request.
    mutating func prefaceDidEnd() { stage = .idle }

    /// The process is about to end: the request under way is the last, or the one that is just coming.
    mutating func drain() {
        isDraining = true
        // An answer whose head is out may have promised to keep the connection: then the next one is the last.
        if stage == .exchange, !hasAnswerBegun { closesAfter = true }
    }

    /// All other connections have had their turn.
    mutating func beginTurn() { reader.beginTurn() }

    /// Lets the buffer go if nothing is in it.
    mutating func releaseEmptyBuffer() { reader.releaseEmptyBuffer() }

    // MARK: What is answered

    /// The whole of an answer of our own is about to be written.
    ///
    /// - Parameter closes: the connection ends after it.
    mutating func beginReply(closes: Bool) {
        hasAnswerBegun = true
        closesAfter = closesAfter || closes || isDraining || !isRestOfBodySmall
    }

    /// An upstream's answer is about to be written; one that comes before the request is whole ends the connection.
    ///
    /// - Parameter endsByClose: the end of the connection is the end of the answer.
    mutating func beginProxiedAnswer(endsByClose: Bool = false) {
        hasAnswerBegun = true
        closesAfter = closesAfter || endsByClose || isDraining || !reader.isBodyDone
    }

    /// Whatever is answered next is the last.
    mutating func closeAfterAnswer() { closesAfter = true }

    /// The answer is written to its end.
    mutating func endAnswer() -> Ending {
        guard reader.isBodyDone || closesAfter else {
            stage = .discarding(bytesLeft: limits.discardedBytesMax)
            return .discard
        }
        return endRequest()
    }

    /// Our half is about to be closed; a body that is not through is read to its end.
    mutating func linger() {
        stage =
            reader.isBodyDone
            ? .lingering(bytesLeft: limits.lingerBytesMax) : .absorbing(bytesLeft: limits.absorbedBytesMax)
    }

    /// Releases the refused head once it is answered.
    mutating func forgetRefused() { reader.forgetRefused() }

    /// Gives up the request's body: its end is not known, or not worth waiting for.
    mutating func forgetBody() { reader.forgetBody() }

    /// The connection is over.
    mutating func close() { stage = .closed }

    private mutating func endRequest() -> Ending {
        hasAnswerBegun = false
        guard !closesAfter else { return .linger }
        stage = .idle
        return .rest
    }

    /// Whether the rest of the body is worth reading to keep the connection; a client that waits for 100 may never send it.
    private var isRestOfBodySmall: Bool {
        guard !reader.isBodyDone else { return true }
        return (statedLength ?? 0) <= limits.discardedBytesMax && !expectsContinue
    }

    // MARK: How far it is

    /// Whether the body of the request is through.
    var isRequestWhole: Bool { reader.isBodyDone }
    /// Whether more of the body has to come from the client.
    var lacksBody: Bool { !reader.isBodyDone && !reader.hasBytes }
    /// The head that was refused, or that has not come whole.
    var headBytes: ByteBuffer { reader.headBytes }
    /// Whether any byte of a head has come.
    var isHeadUnderWay: Bool { reader.isHeadUnderWay }
    /// Whether bytes wait to be read.
    var hasInbound: Bool { reader.hasBytes }
    /// Memory that they take.
    var inboundCapacity: Int { reader.capacity }
    /// Whether the rest has to wait for the next turn.
    var isTurnOver: Bool { reader.isTurnOver }
    /// Whether a client that waits for it is to be told to send the body.
    var owesContinue: Bool { expectsContinue && lacksBody }
}
