import NIOCore

/// Receives an upstream's response as it arrives. Every call is made on the event loop of both sides.
protocol ResponseSink: AnyObject {
    /// Receives a 1xx head for the client; another head follows.
    func responseDidAnnounce(_ head: ResponseHead)
    func responseDidBegin(_ head: ResponseHead)
    func responseDidSend(_ data: ByteBuffer)
    /// Sends on the bytes that have arrived; more may follow later.
    func responseDidPause()
    func responseDidEnd()
    /// Notes that the response has failed; nothing else is called afterwards.
    func responseDidFail(_ failure: UpstreamFailure)
    /// Notes whether the upstream accepts more of the request's body now.
    func upstreamWritabilityDidChange(_ isWritable: Bool)
}
