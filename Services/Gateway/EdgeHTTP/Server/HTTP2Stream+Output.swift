import NIOCore
import NIOHPACK
import NIOHTTP2

/// The writing of the response.
extension HTTP2Stream: ExchangeOutput {
    var takesAnswers: Bool { connection.isWritable && unsent < HTTP2Limits.streamUnsentBytesMax }

    func askForBody() {
        guard expectsContinue, lacksBody else { return }
        expectsContinue = false
        send([":status": "100"], isLast: false)
    }

    func exchangeDidMove() { proceed() }

    func exchangeDidFail(_ violation: HTTPViolation) { refuse(violation) }

    func write(_ reply: Reply, as frame: AnswerFrame) {
        var head = ByteBuffer()
        // A head without its body.
        ReplySerializer.write(
            reply, requestID: frame.id, isHEAD: true, keepsAlive: true, adding: frame.lines, into: &head)
        let hasBody = !frame.isHEAD && reply.status != 204 && reply.status != 304 && !reply.body.isEmpty
        begin(HTTP2ResponseHead.fields(reply.status, head), isLast: !hasBody)
        if hasBody { send(ByteBuffer(bytes: reply.body), isLast: true) }
        answerDidEnd()
        // A response of ours after which an HTTP/1.1 connection would be closed.
        if reply.closes, !isRefusing { connection.drain() }
    }

    func announce(_ interim: ResponseHead) {
        send(HTTP2ResponseHead.fields(interim.status, ProxyMessages.announcement(interim)), isLast: false)
    }

    func beginAnswer(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame) {
        // Frames end the body, so a length is stated only where the upstream states one.
        let framing = if case .length = head.framing { head.framing } else { BodyFraming.none }
        let text = ProxyMessages.answer(head, plan: plan, as: frame, framing: framing, closes: false)
        begin(HTTP2ResponseHead.fields(head.status, text), isLast: head.framing.isEmpty)
        proxied = OutgoingBody(isChunked: false)
    }

    func writeAnswer(_ data: ByteBuffer) { proxied?.append(data) { send($0, isLast: false) } }

    func pauseAnswer() {
        proxied?.drain { send($0, isLast: false) }
        connection.flushSoon()
    }

    func endAnswer() {
        var last = ByteBuffer()
        proxied?.drain { last = $0 }
        proxied = nil
        if !hasAnswerEnded { send(last, isLast: true) }
        answerDidEnd()
    }

    func abort() { reset(.internalError) }

    /// Tells the exchange if the client accepts more than before, or no more.
    func noteWritability() {
        guard isBlocked == takesAnswers else { return }
        isBlocked.toggle()
        exchange.clientWritabilityDidChange(!isBlocked)
    }

    private func begin(_ fields: HPACKHeaders, isLast: Bool) {
        hasAnswerBegun = true
        hasAnswerEnded = isLast
        send(fields, isLast: isLast)
    }

    private func send(_ fields: HPACKHeaders, isLast: Bool) {
        guard isOpen else { return }
        connection.write(id, .headers(.init(headers: fields, endStream: isLast)))
        connection.flushSoon()
    }

    private func send(_ data: ByteBuffer, isLast: Bool) {
        guard isOpen else { return }
        hasAnswerEnded = isLast
        unsent += data.readableBytes
        connection.unsent += data.readableBytes
        connection.write(id, .data(.init(data: .byteBuffer(data), endStream: isLast)))
        if !isBlocked { noteWritability() }
    }
}
