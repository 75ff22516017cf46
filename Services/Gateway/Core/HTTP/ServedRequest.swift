internal import NIOCore

/// The request that a connection is serving, from its head to the end of its answer.
struct ServedRequest {
    /// Who takes the body.
    enum BodySink {
        case collect(ByteBuffer, bytesMax: Int, handler: @Sendable (EndpointRequest) async -> Reply)
        case proxy(ProxyExchange, bytesLeft: Int)
        case discard(bytesLeft: Int)
    }

    let head: RequestHead
    let requestID: String
    /// The connection ends after the answer.
    var closesAfter: Bool
    var body: BodyDecoder
    /// Nil before the request is decided, and when its body is whole.
    var sink: BodySink?
    /// The upstream's part, for as long as its answer is awaited.
    var exchange: ProxyExchange?
    /// The status of the answer whose head is written; 0 before.
    var status = 0
    var isAnswered = false
    let startedAt = NIODeadline.now()

    init(head: RequestHead, requestID: String, closesAfter: Bool) {
        self.head = head
        self.requestID = requestID
        self.closesAfter = closesAfter
        body = BodyDecoder(head.framing)
    }

    /// Whether a body for one of our own endpoints has taken too long to come.
    func collectsFor(longerThan seconds: Int64) -> Bool {
        guard case .collect = sink else { return false }
        return NIODeadline.now() - startedAt > .seconds(seconds)
    }

    /// Whether more of the body can be taken now.
    var takesBody: Bool {
        switch sink {
        case .collect, .discard: !body.isDone
        case .proxy(let exchange, _): !body.isDone && exchange.takesBody
        case nil: false
        }
    }
}
