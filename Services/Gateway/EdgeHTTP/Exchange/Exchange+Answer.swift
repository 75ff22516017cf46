/// How an exchange answers, and how it ends.
extension Exchange {
    /// Writes a whole answer of our own.
    func answer(_ reply: Reply) {
        guard let request else { return }
        phase = .over
        self.request?.status = reply.status
        output?.write(reply, as: request.frame)
    }

    /// Refuses a message that breaks the rules, whether its head was read or not. What is under way ends with it and is not
    /// reported to the observer as a request.
    ///
    /// - Parameters:
    ///   - unread: the head, where none was read.
    ///   - isAnswerPossible: whether the answer to it has not begun yet; nothing is written otherwise.
    func refuse(_ violation: HTTPViolation, _ unread: RefusedHead, isAnswerPossible: Bool) {
        noteRefusedBody()
        cancel()
        let route = request?.route ?? .other
        context.observer.requestWasRefused(violation, method: request?.head.method ?? unread.method, at: route)
        guard isAnswerPossible else { return }
        let frame = request?.frame ?? frame(of: unread)
        let reply = context.router.refusal(violation, at: route)
        request = nil
        output?.write(reply, as: frame)
    }

    private func noteRefusedBody() {
        guard case .collecting = phase, let bodyWasRefused else { return }
        _ = context.eventLoop.future { await bodyWasRefused() }
    }

    /// Reports a connection that is closed before its first request.
    func note(_ violation: HTTPViolation) {
        context.observer.requestWasRefused(violation, method: nil, at: .other)
    }

    /// The answer that there is no room, in the place of whatever would have been answered; the caller writes it.
    ///
    /// - Parameter unread: the head, where none was read.
    func giveUpForLackOfRoom(_ unread: RefusedHead) -> (reply: Reply, frame: AnswerFrame) {
        cancel()
        var reply = self.reply(to: .overloaded)
        reply.closes = true
        request?.status = reply.status
        return (reply, request?.frame ?? frame(of: unread))
    }

    /// How a request is answered of which no head was read.
    private func frame(of unread: RefusedHead) -> AnswerFrame {
        AnswerFrame(
            id: RequestID(from: &ids), isHEAD: unread.method == .head, lines: context.router.answerLines(for: unread))
    }

    /// What is said when no upstream or service has answered.
    func reply(to failure: UpstreamFailure) -> Reply {
        context.router.upstreamFailure(failure, at: request?.route ?? .other)
    }

    /// The request is through, its answer written and its body read: tells the observer.
    func finish() {
        guard let request else { return }
        self.request = nil
        context.observer.requestDidFinish(request.finished)
    }

    /// Gives up what is under way; nobody is answered.
    func cancel() {
        if case .proxying(let proxied, _) = phase { proxied.cancel() }
        phase = .over
    }

    /// The client is gone: nothing is written any more.
    func end() {
        cancel()
        output = nil
        finish()
    }

    /// The client takes answers again, or no more for now.
    func clientWritabilityDidChange(_ isWritable: Bool) {
        if case .proxying(let proxied, _) = phase { proxied.clientWritabilityDidChange(isWritable) }
    }

    /// Nothing has moved for too long.
    ///
    /// - Parameter lacksBody: the client has not sent all of its body, and nothing of it waits to be read.
    func deadlineDidPass(lacksBody: Bool) {
        switch phase {
        case .collecting: output?.exchangeDidFail(.bodyTimeout)
        case .proxying(let proxied, _):
            let isClientSlow = lacksBody && proxied.takesBody && !proxied.hasAnswerBegun
            if isClientSlow { output?.exchangeDidFail(.bodyTimeout) } else { proxied.deadlineDidPass() }
        case .over, .deciding, .handling: break
        }
    }

    // MARK: What the proxied side tells

    /// An upstream's answer is about to be written.
    func proxiedAnswerDidBegin(_ head: ResponseHead, plan: ProxyPlan) {
        guard let request else { return }
        self.request?.status = head.status
        output?.beginAnswer(head, plan: plan, as: request.frame)
    }

    /// The answer has been written to its end.
    func proxiedAnswerDidEnd() {
        phase = .over
        output?.endAnswer()
    }

    /// No whole answer came: before it has begun the client is told why.
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
