import NIOCore

/// The responses of an exchange, and its end.
extension Exchange {
    /// Writes a whole response of the edge's own.
    func answer(_ reply: Reply) {
        guard let request else { return }
        phase = .over
        self.request?.status = reply.status
        output?.write(reply, as: request.frame)
    }

    /// Refuses a message that breaks the rules, whether its head was read or not. The request under way ends with it and is not
    /// reported to the observer.
    ///
    /// - Parameters:
    ///   - unread: the head as far as it has arrived, if none was read.
    ///   - isAnswerPossible: whether the response has not begun yet; nothing is written otherwise.
    func refuse(_ violation: HTTPViolation, _ unread: RefusedHead, isAnswerPossible: Bool) {
        noteRefusedBody()
        cancel()
        let route = request?.route ?? .other
        context.observer.requestWasRefused(violation, method: request?.head.method ?? unread.method, at: route)
        guard isAnswerPossible else { return }
        let frame = request?.frame ?? frame(of: unread)
        let reply = router.refusal(violation, at: route)
        request?.status = reply.status
        if let request { request.span?.end(request) }
        request = nil
        output?.write(reply, as: frame)
    }

    private func noteRefusedBody() {
        guard case .collecting = phase, let bodyWasRefused else { return }
        _ = EdgeSpan.within(request?.span) { context.eventLoop.future { await bodyWasRefused() } }
    }

    /// Reports a connection that is closed before its first request.
    func note(_ violation: HTTPViolation) {
        context.observer.requestWasRefused(violation, method: nil, at: .other)
    }

    /// Returns the response that there is no room, which replaces any other. The caller writes it.
    ///
    /// - Parameter unread: the head as far as it has arrived, if none was read.
    func giveUpForLackOfRoom(_ unread: RefusedHead) -> (reply: Reply, frame: AnswerFrame) {
        cancel()
        let reply = unavailable
        request?.status = reply.status
        return (reply, request?.frame ?? frame(of: unread))
    }

    /// The response that the gateway cannot serve the request now, after which the connection is closed.
    var unavailable: Reply {
        var reply = reply(to: .overloaded)
        reply.closes = true
        return reply
    }

    /// Returns the frame of the response to a request whose head was not read.
    private func frame(of unread: RefusedHead) -> AnswerFrame {
        AnswerFrame(
            id: RequestID(from: &ids), isHEAD: unread.method == .head, lines: router.answerLines(for: unread))
    }

    /// Returns the response if the upstream or service has not responded.
    func reply(to failure: UpstreamFailure) -> Reply {
        router.upstreamFailure(failure, at: request?.route ?? .other)
    }

    /// Reports the request to the observer, since its response is written and its body read.
    func finish() {
        guard let request else { return }
        self.request = nil
        request.span?.end(request)
        EdgeSpan.within(request.span) { context.observer.requestDidFinish(request.finished) }
    }

    /// Cancels the request under way without a response.
    func cancel() {
        if case .proxying(let proxied, _) = phase { proxied.cancel() }
        phase = .over
    }

    /// Ends the exchange because the client is gone; nothing is written any more.
    func end() {
        cancel()
        output = nil
        finish()
    }

    /// Notes whether the client accepts more of the response now.
    func clientWritabilityDidChange(_ isWritable: Bool) {
        if case .proxying(let proxied, _) = phase { proxied.clientWritabilityDidChange(isWritable) }
    }

    /// Handles a deadline that has passed without progress.
    ///
    /// - Parameter lacksBody: whether the client has not sent all of its body, and nothing of it waits to be read.
    func deadlineDidPass(lacksBody: Bool) {
        switch phase {
        case .collecting: output?.exchangeDidFail(.bodyTimeout)
        case .proxying(let proxied, _):
            let isClientSlow = lacksBody && proxied.takesBody && !proxied.hasAnswerBegun
            if isClientSlow { output?.exchangeDidFail(.bodyTimeout) } else { proxied.deadlineDidPass() }
        case .over, .deciding, .handling: break
        }
    }

    // MARK: Calls of the proxied side

    /// Notes that an upstream's response is about to be written.
    func proxiedAnswerDidBegin(_ head: ResponseHead, plan: ProxyPlan) {
        guard let request else { return }
        self.request?.status = head.status
        if plan.long != nil { self.request?.openedAt = .now() }
        output?.beginAnswer(head, plan: plan, as: request.frame)
    }

    /// Notes that the response has been written to its end.
    func proxiedAnswerDidEnd() {
        phase = .over
        output?.endAnswer()
    }

    /// Notes that no whole response arrived. Before the response has begun the client gets the reason.
    func proxyingDidFail(_ failure: UpstreamFailure, hasAnswerBegun: Bool) {
        guard case .proxying = phase else { return }
        guard !hasAnswerBegun else {
            output?.abort()
            return
        }
        answer(reply(to: failure))
        output?.exchangeDidMove()
    }
}
