internal import NIOCore

/// What a proxied exchange tells the client's connection.
extension ServerConnection {
    /// An answer is about to be written; an upstream that answers before it has the whole request ends the connection.
    func proxiedAnswerDidBegin(status: Int, isRequestComplete: Bool) {
        current?.status = status
        closesAfter = closesAfter || isDraining || !isRequestComplete
    }

    /// The answer has been written to its end.
    func proxiedAnswerDidEnd() {
        // The head has said whether the connection is kept; a body that is not through by now has no end that we know.
        if !body.isDone { closesAfter = true }
        if closesAfter { flush() } else { flushLater() }
        finish()
        process()
    }

    /// No answer came, and none has begun.
    func proxyingDidFail(_ failure: UpstreamFailure) {
        guard case .proxying = phase else { return }
        answer(router.upstreamFailure(failure))
        process()
    }
}
