internal import NIOCore

/// One proxied request: streams the client's body to the upstream and the answer back, with back-pressure both ways.
final class ProxyExchange: ResponseSink {
    private enum Phase { case connecting, streaming, over }

    private let head: RequestHead
    private let plan: ProxyPlan
    private let requestID: String
    private let pools: LoopPools
    private let eventLoop: any EventLoop
    /// The client's side; holds the exchange until it is over.
    private let client: ServerConnection
    private var phase = Phase.connecting
    private var lease: LoopPools.Lease?
    private var timer: Scheduled<Void>?
    private var isRequestComplete: Bool
    private var hasAnswerBegun = false
    private var hasSentBody = false
    private var isRepeated = false
    /// The answer's body goes to the client in chunks.
    private var answersInChunks = false

    init(
        head: RequestHead, plan: ProxyPlan, requestID: String, pools: LoopPools, eventLoop: any EventLoop,
        client: ServerConnection
    ) {
        self.head = head
        self.plan = plan
        self.requestID = requestID
        self.pools = pools
        self.eventLoop = eventLoop
        self.client = client
        isRequestComplete = head.framing == .none || head.framing == .length(0)
    }

    /// Whether the upstream takes more of the body now.
    var takesBody: Bool { phase == .streaming && lease?.connection.isWritable == true }

    /// Finds a connection and sends the head.
    func start() { connect(fresh: false) }

    private func connect(fresh: Bool) {
        pools.acquire(plan.upstream, fresh: fresh) { result in
            switch result {
            case .failure(let failure): self.responseDidFail(failure)
            case .success(let lease): self.begin(lease)
            }
        }
    }

    private func begin(_ lease: LoopPools.Lease) {
        guard phase == .connecting else { return lease.release(canBeReused: true) }
        phase = .streaming
        self.lease = lease
        lease.connection.begin(
            requestHead(for: lease.connection.endpoint), isHEAD: head.isHEAD, isComplete: isRequestComplete, sink: self
        ) { lease.release(canBeReused: $0) }
        if isRequestComplete || !lease.connection.isWritable { startTimer() } else { client.resumeBody() }
    }

    private func requestHead(for endpoint: UpstreamEndpoint) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(head.block.bytes.count + 512)
        buffer.writeBytes(head.method)
        buffer.writeStaticString(" ")
        buffer.writeBytes(plan.target)
        buffer.writeStaticString(" HTTP/1.1\r\n")
        ReplySerializer.writeField("Host", endpoint.authority, into: &buffer)
        ForwardedFields.writeRequestFields(of: head, keepsAuthorization: plan.keepsAuthorization, into: &buffer)
        for (name, value) in plan.setHeaders { ReplySerializer.writeField(name, value, into: &buffer) }
        ReplySerializer.writeField("X-Request-Id", requestID, into: &buffer)
        ReplySerializer.writeField("traceparent", TraceContext.next(after: head), into: &buffer)
        switch head.framing {
        case .length(let count): ReplySerializer.writeField("Content-Length", "\(count)", into: &buffer)
        case .chunked: buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none, .untilClose: break
        }
        buffer.writeStaticString("\r\n")
        return buffer
    }

    // MARK: Request body, called by the client's connection

    /// Sends a piece of the client's body on.
    func requestDidSend(_ data: ByteBuffer) {
        guard let connection = lease?.connection, phase == .streaming else { return }
        hasSentBody = true
        connection.send(head.framing == .chunked ? Chunk.framed(data) : data, isLast: false)
    }

    /// The client's body is whole.
    func requestDidEnd() {
        guard !isRequestComplete, let connection = lease?.connection, phase == .streaming else { return }
        isRequestComplete = true
        connection.send(head.framing == .chunked ? Chunk.last : ByteBuffer(), isLast: true)
        startTimer()
    }

    /// The client is gone: so is its request.
    func clientDidLeave() {
        guard phase != .over else { return }
        phase = .over
        timer?.cancel()
        lease?.connection.cancel()
    }

    /// Reads from the upstream only as fast as the client takes it.
    func clientWritabilityDidChange(_ isWritable: Bool) { lease?.connection.setReading(isWritable) }

    // MARK: ResponseSink

    func responseDidBegin(_ answer: ResponseHead) {
        guard phase == .streaming else { return }
        hasAnswerBegun = true
        startTimer()
        answersInChunks = (answer.framing == .chunked || answer.framing == .untilClose) && !head.isHTTP10
        var buffer = ByteBuffer()
        buffer.reserveCapacity(answer.block.bytes.count + 256)
        ReplySerializer.writeStatusLine(answer.status, into: &buffer)
        ForwardedFields.writeResponseFields(of: answer, into: &buffer)
        ReplySerializer.writeField("X-Request-Id", requestID, into: &buffer)
        writeFraming(of: answer, into: &buffer)
        client.beginProxiedAnswer(
            buffer, status: answer.status, closes: endsWithConnection(answer) || !isRequestComplete)
    }

    /// An answer without a length to a client that knows no chunks ends with the connection.
    private func endsWithConnection(_ answer: ResponseHead) -> Bool {
        head.isHTTP10 && (answer.framing == .chunked || answer.framing == .untilClose)
    }

    private func writeFraming(of answer: ResponseHead, into buffer: inout ByteBuffer) {
        switch answer.framing {
        case .length(let count): ReplySerializer.writeField("Content-Length", "\(count)", into: &buffer)
        case .chunked, .untilClose:
            if answersInChunks { buffer.writeStaticString("Transfer-Encoding: chunked\r\n") }
        case .none:
            // The length that a HEAD or 304 states is of the body that is not there.
            if let length = answer.block.values("content-length").first, answer.status != 204 {
                ReplySerializer.writeField("Content-Length", String(decoding: length, as: UTF8.self), into: &buffer)
            }
        }
    }

    func responseDidSend(_ data: ByteBuffer) {
        guard phase == .streaming else { return }
        startTimer()
        client.sendProxiedBody(answersInChunks ? Chunk.framed(data) : data)
    }

    func responseDidEnd() {
        guard phase == .streaming else { return }
        finish()
        client.endProxiedAnswer(answersInChunks ? Chunk.last : nil)
    }

    func responseDidFail(_ failure: UpstreamFailure) {
        guard phase != .over else { return }
        if failure == .closedBeforeAnswer, mayRepeat { return repeatOnce() }
        finish()
        if hasAnswerBegun { client.abortProxiedAnswer() } else { client.failProxied(failure) }
    }

    func upstreamWritabilityDidChange(_ isWritable: Bool) {
        // An upstream that stops taking the body is waited for as long as for an answer.
        guard isWritable else { return startTimer() }
        if !isRequestComplete, !hasAnswerBegun { timer?.cancel() }
        client.resumeBody()
    }

    /// A kept connection may have been closed as we used it; what changes nothing is then sent once more.
    private var mayRepeat: Bool {
        !isRepeated && !hasAnswerBegun && !hasSentBody && head.isSafeToRepeat && lease?.connection.isReused == true
    }

    private func repeatOnce() {
        isRepeated = true
        timer?.cancel()
        lease = nil
        phase = .connecting
        connect(fresh: true)
    }

    private func finish() {
        phase = .over
        timer?.cancel()
        timer = nil
    }

    private func startTimer() {
        timer?.cancel()
        timer = eventLoop.assumeIsolated().scheduleTask(in: .seconds(plan.timeoutSeconds)) {
            guard self.phase == .streaming else { return }
            self.lease?.connection.cancel()
            self.responseDidFail(.timeout)
        }
    }
}

/// Framing of chunked bodies (RFC 9112 section 7.1).
enum Chunk {
    /// The end of a chunked body, without trailers.
    static var last: ByteBuffer { ByteBuffer(staticString: "0\r\n\r\n") }

    /// `data` as one chunk.
    static func framed(_ data: ByteBuffer) -> ByteBuffer {
        var framed = ByteBuffer()
        framed.reserveCapacity(data.readableBytes + 20)
        framed.writeString(String(data.readableBytes, radix: 16))
        framed.writeStaticString("\r\n")
        framed.writeImmutableBuffer(data)
        framed.writeStaticString("\r\n")
        return framed
    }
}
