import NIOCore

/// The requests that may stay open for hours.
extension ProxyExchange {
    /// Whether it is of a WebSocket or a live response. Its upstream may be silent for long, which is no sign of a fault.
    var isLong: Bool { plan.long != nil }
    /// Whether it is an open WebSocket.
    var isTunnel: Bool { isOpen && plan.long?.handshake != nil }

    /// Opens a WebSocket or a live response, or returns why it cannot begin. Another response to a handshake is an ordinary one.
    func open(_ long: LongPlan, _ head: ResponseHead) -> UpstreamFailure? {
        if let handshake = long.handshake {
            guard head.switches else { return nil }
            guard handshake.isAccepted(by: head.block) else { return .malformedAnswer }
        }
        isOpen = true
        let eventLoop = client.context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let end: @Sendable (LongEnding) -> Void = { ending in eventLoop.execute { bound.value.end(ending) } }
        guard let refusal = long.watch.didOpen(end: end) else { return nil }
        noteEnd(refusal)
        return .cancelled
    }

    /// Ends it without waiting for either side.
    func end(_ ending: LongEnding) {
        guard phase == .streaming, isOpen else { return }
        noteEnd(ending)
        cancel()
        client.proxyingDidFail(.cancelled, hasAnswerBegun: true)
    }

    /// Notes the end of such a request, once.
    func noteEnd(_ ending: LongEnding) {
        guard hasLongPlace, let long = plan.long else { return }
        hasLongPlace = false
        pool.longCount -= 1
        if isOpen { long.watch.didEnd(ending) }
    }
}
