import NIOCore

/// What an exchange's answer goes to: a connection of HTTP/1.1, which carries one exchange after the other, or any other
/// carrier of one. Called on its event loop; the only one that speaks to the client.
protocol ExchangeOutput: AnyObject {
    /// Whether the client has taken so much of what was written that there is room for more.
    var takesAnswers: Bool { get }

    /// Tells a client that waits for it to send the body (RFC 9110 section 10.1.1).
    func askForBody()
    /// Something has changed on the exchange's side: its body may be taken again, or the next request may come.
    func exchangeDidMove()
    /// The client has broken a rule: its body is too large, or late.
    func exchangeDidFail(_ violation: HTTPViolation)

    /// Writes the whole of an answer of our own; the request is answered with it.
    func write(_ reply: Reply, as frame: AnswerFrame)
    /// Writes a 1xx head of the upstream's.
    func announce(_ interim: ResponseHead)
    /// Begins an answer of the upstream's.
    func beginAnswer(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame)
    /// Goes on with it.
    func writeAnswer(_ data: ByteBuffer)
    /// What was written should go out now; more may follow later.
    func pauseAnswer()
    /// The answer is whole, and with it the request is answered.
    func endAnswer()
    /// The answer breaks off: the client has to see that it is not whole.
    func abort()
}

/// The parts of a response that depend on its request: fields in addition to its own, and how its end is found.
struct AnswerFrame {
    let id: RequestID
    /// The request was HEAD: the head states the length that the body would have, and no body follows.
    var isHEAD = false
    /// The client reads chunks, and keeps the connection unless it is told otherwise.
    var isHTTP11 = true
    /// Lines of the head, written as they are.
    var lines: [UInt8] = []
}
