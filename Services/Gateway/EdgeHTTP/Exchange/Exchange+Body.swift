import NIOCore

/// The reading of a request's body.
extension Exchange {
    /// Starts to collect a body that an endpoint gets as a whole.
    func collect(
        bytesMax: Int, handler: @escaping @Sendable (EndpointRequest) async -> Reply, of head: RequestHead
    ) {
        guard !head.framing.isEmpty else { return call(handler, ByteBuffer()) }
        output?.askForBody()
        context.timer.set(seconds: context.bodyLimits.pieceSeconds)
        phase = .collecting(ByteBuffer(), bytesMax: bytesMax, handler: handler)
    }

    /// Accepts a piece of the body, while `bodyDemand` allows it.
    ///
    /// - Throws: `.bodyTooLarge` if it is more than the route accepts.
    func bodyDidArrive(_ data: ByteBuffer, isLast: Bool) throws(HTTPViolation) {
        switch phase {
        case .collecting(let bytes, let bytesMax, let handler):
            guard bytes.readableBytes + data.readableBytes <= bytesMax else { throw .bodyTooLarge }
            var bytes = bytes
            // The buffer is not shared with the phase while it grows.
            phase = .deciding
            bytes.writeImmutableBuffer(data)
            if isLast { return call(handler, bytes) }
            context.timer.set(bodyDeadline())
            phase = .collecting(bytes, bytesMax: bytesMax, handler: handler)
        case .proxying(let proxied, let bytesLeft):
            guard data.readableBytes <= bytesLeft else { throw .bodyTooLarge }
            phase = .proxying(proxied, bodyBytesLeft: bytesLeft - data.readableBytes)
            proxied.requestDidSend(data)
            if isLast { proxied.requestDidEnd() }
        case .over, .deciding, .handling: break
        }
    }

    /// Notes that the body ended after its last piece.
    func bodyDidEnd() {
        switch phase {
        case .collecting(let bytes, _, let handler): call(handler, bytes)
        case .proxying(let proxied, _): proxied.requestDidEnd()
        case .over, .deciding, .handling: break
        }
    }

    /// Sends on the part of the body that has arrived; more may follow later.
    func bodyDidPause() {
        if case .proxying(let proxied, _) = phase { proxied.requestDidPause() }
    }

    /// Returns the deadline of the next piece, or of the whole body if that is earlier.
    private func bodyDeadline() -> NIODeadline {
        let piece = NIODeadline.now() + .seconds(context.bodyLimits.pieceSeconds)
        guard let request else { return piece }
        return min(piece, request.startedAt + .seconds(context.bodyLimits.wholeSeconds))
    }

    private func call(_ handler: @escaping @Sendable (EndpointRequest) async -> Reply, _ bytes: ByteBuffer) {
        guard let request else { return }
        guard !isStale else { return answer(unavailable) }
        phase = .handling(bodyBytes: bytes.readableBytes)
        context.timer.clear()
        let endpointRequest = EndpointRequest(
            head: request.head, body: Array(bytes.readableBytesView), requestID: request.id.text,
            clientAddress: request.rules.router.clientAddress(of: request.head))
        // A client that leaves does not stop a handler that has begun, so that a sign-in happens as a whole or not at all.
        let answered = EdgeSpan.within(request.span) { context.eventLoop.future { await handler(endpointRequest) } }
        answered.assumeIsolated().whenSuccess { reply in
            guard case .handling = self.phase else { return }
            self.answer(reply)
            self.output?.exchangeDidMove()
        }
    }
}
