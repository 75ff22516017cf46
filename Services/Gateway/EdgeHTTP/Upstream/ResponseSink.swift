import NIOCore

/// Takes an upstream's answer as it arrives; every call is made on the event loop of both sides.
protocol ResponseSink: AnyObject {
    /// A 1xx head that is for the client; another head follows.
    func responseDidAnnounce(_ head: ResponseHead)
    func responseDidBegin(_ head: ResponseHead)
    func responseDidSend(_ data: ByteBuffer)
    /// What has come so far should go on now; more may follow later.
    func responseDidPause()
    func responseDidEnd()
    /// No more will come; nothing else is called afterwards.
    func responseDidFail(_ failure: UpstreamFailure)
    /// The upstream takes more of the request's body, or no more for now.
    func upstreamWritabilityDidChange(_ isWritable: Bool)
}
