internal import NIOCore

extension ServerConnection {
    /// The next piece of the body, as far as the turn goes.
    private func nextOfBody() throws(HTTPViolation) -> BodyDecoder.Event {
        let event = try body.next(from: &inbound, linesMax: turn.framingLinesLeft)
        turn.readFramingLines(body.takeLineCount())
        guard !body.isWasteful else { throw .wastefulFraming }
        return event
    }

    /// Reads a piece of a body that an endpoint gets whole.
    func collect(
        _ bytes: ByteBuffer, bytesMax: Int, handler: @escaping @Sendable (EndpointRequest) async -> Reply
    ) throws(HTTPViolation) -> Bool {
        switch try nextOfBody() {
        case .needMore: return false
        case .data(let data):
            guard bytes.readableBytes + data.readableBytes <= bytesMax else { throw .bodyTooLarge }
            var bytes = bytes
            // The buffer is not shared with the phase while it grows.
            phase = .handling
            bytes.writeImmutableBuffer(data)
            timer.set(bodyDeadline())
            phase = .collecting(bytes, bytesMax: bytesMax, handler: handler)
            return true
        case .end:
            call(handler, bytes)
            return false
        }
    }

    /// The next piece in time, and the whole body in time.
    private func bodyDeadline() -> NIODeadline {
        let piece = NIODeadline.now() + .seconds(limits.bodySeconds)
        guard let current else { return piece }
        return min(piece, current.startedAt + .seconds(limits.wholeBodySeconds))
    }

    private func call(_ handler: @escaping @Sendable (EndpointRequest) async -> Reply, _ bytes: ByteBuffer) {
        guard let context, let current else { return }
        phase = .handling
        holdings.body = bytes.readableBytes
        timer.clear()
        let request = EndpointRequest(
            head: current.head, body: Array(bytes.readableBytesView), requestID: current.id.text,
            clientAddress: router.clientAddress(of: current.head))
        // A client that leaves does not stop what has begun: a sign-in is whole, or it never was.
        context.eventLoop.future { await handler(request) }.assumeIsolated().whenSuccess { reply in
            guard case .handling = self.phase else { return }
            self.answer(reply)
            self.process()
        }
    }

    /// Reads a piece of a body that is streamed on.
    func proxyBody(to exchange: ProxyExchange, bytesLeft: Int) throws(HTTPViolation) -> Bool {
        guard !body.isDone, exchange.takesBody else { return false }
        switch try nextOfBody() {
        case .needMore: return false
        case .data(let data):
            guard data.readableBytes <= bytesLeft else { throw .bodyTooLarge }
            phase = .proxying(exchange, bodyBytesLeft: bytesLeft - data.readableBytes)
            exchange.requestDidSend(data)
            if body.isDone { exchange.requestDidEnd() }
        case .end: exchange.requestDidEnd()
        }
        return true
    }

    /// Drops a piece of a body that nobody wants any more.
    func discard(bytesLeft: Int) throws(HTTPViolation) -> Bool {
        switch try nextOfBody() {
        case .needMore: return false
        case .data(let data):
            guard data.readableBytes <= bytesLeft else {
                linger()
                return true
            }
            phase = .discarding(bytesLeft: bytesLeft - data.readableBytes)
        case .end: finish()
        }
        return true
    }
}
