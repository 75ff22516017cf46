import NIOCore

/// The carrier of an exchange's response: an HTTP/1.1 connection, which carries one exchange after the other, or any other. Only it
/// writes to the client. It is called on its event loop.
protocol ExchangeOutput: AnyObject {
    /// Whether the client has accepted enough of the written bytes that there is room for more.
    var takesAnswers: Bool { get }

    /// Sends `100 Continue` to a client that waits for it (RFC 9110 section 10.1.1).
    func askForBody()
    /// Notes a change of the exchange: its body may be read again, or the next request may begin.
    func exchangeDidMove()
    /// Notes that the client has broken a rule: its body is too large, or late.
    func exchangeDidFail(_ violation: HTTPViolation)

    /// Writes the whole of a response of our own, which answers the request.
    func write(_ reply: Reply, as frame: AnswerFrame)
    /// Writes a 1xx head of the upstream's.
    func announce(_ interim: ResponseHead)
    /// Begins a response of the upstream's.
    func beginAnswer(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame)
    /// Writes a piece of that response.
    func writeAnswer(_ data: ByteBuffer)
    /// Sends out the bytes written so far; more may follow later.
    func pauseAnswer()
    /// Ends the response, which answers the request.
    func endAnswer()
    /// Breaks the response off, so that the client sees that it is not whole.
    func abort()
}

/// The parts of a response that depend on its request: fields in addition to its own, and how its end is found.
struct AnswerFrame {
    let id: RequestID
    /// Whether the request was HEAD. The head then states the length that the body would have, and no body follows.
    var isHEAD = false
    /// Whether the client reads chunks, and keeps the connection unless a header states otherwise.
    var isHTTP11 = true
    /// Lines of the head, written as they are.
    var lines: [UInt8] = []
}
