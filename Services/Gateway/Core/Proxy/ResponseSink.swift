internal import NIOCore

/// Takes an upstream's answer as it arrives; every call is made on the event loop of both sides.
protocol ResponseSink: AnyObject {
    func responseDidBegin(_ head: ResponseHead)
    func responseDidSend(_ data: ByteBuffer)
    func responseDidEnd()
    /// No more will come; nothing else is called afterwards.
    func responseDidFail(_ failure: UpstreamFailure)
    /// The upstream takes more of the request's body, or no more for now.
    func upstreamWritabilityDidChange(_ isWritable: Bool)
}
