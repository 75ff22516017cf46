import NIOCore

/// One proxied request: streams the client's body to the upstream and the answer back, with back-pressure both ways.
///
/// Sent twice at most, and only when the upstream cannot have acted on the first: a request without a body that asks for no
/// change, on a kept connection that was closed before any byte of an answer (security guide F-41, R-103). The pool gives a
/// kept connection only when nothing has come on it; should it still be closed under any other request, that is 502.
final class ProxyExchange: ResponseSink, ConnectionTaker {
    private enum Phase { case connecting, streaming, over }

    private let head: RequestHead
    private let plan: ProxyPlan
    private let requestID: RequestID
    private let pool: UpstreamPool
    /// The request's side; holds this until it is over.
    private let client: Exchange
    /// Where the pieces of the answer go.
    private let output: any ExchangeOutput
    private let timer: DeadlineTimer
    /// When the whole has to be over.
    private let end: NIODeadline?
    private var phase = Phase.connecting
    private var connection: UpstreamConnection?
    private var isRequestComplete: Bool
    private var isRepeated = false
    /// Whether the request went out on a connection that had been kept.
    private var isOnKeptConnection = false
    private var requestBody: OutgoingBody
    /// Whether a part of the answer is on its way to the client.
    private(set) var hasAnswerBegun = false

    init(
        head: RequestHead, plan: ProxyPlan, requestID: RequestID, pool: UpstreamPool, client: Exchange,
        output: any ExchangeOutput, timer: DeadlineTimer
    ) {
        self.head = head
        self.plan = plan
        self.requestID = requestID
        self.pool = pool
        self.client = client
        self.output = output
        self.timer = timer
        end = plan.totalSeconds.map { .now() + .seconds($0) }
        isRequestComplete = head.framing.isEmpty
        requestBody = OutgoingBody(isChunked: head.framing == .chunked)
    }

    /// Finds a connection and sends the head.
    func start() {
        awaitProgress()
        pool.acquire(for: self)
    }

    /// Sets the deadline anew: something has moved. While the client does not take its answer, its rate alone is judged, and
    /// the upstream has all the time that this takes.
    private func awaitProgress() {
        let next = output.takesAnswers ? NIODeadline.now() + .seconds(plan.timeoutSeconds) : nil
        guard let deadline = [next, end].compactMap({ $0 }).min() else { return timer.clear() }
        timer.set(deadline)
    }

    // MARK: ConnectionTaker

    var wantsConnection: Bool { phase == .connecting }

    func take(_ connection: UpstreamConnection) {
        phase = .streaming
        self.connection = connection
        isOnKeptConnection = connection.isReused
        // What the client did before there was a connection is not told again.
        if !output.takesAnswers { connection.setReading(false) }
        connection.begin(
            ProxyMessages.request(head, plan: plan, to: connection.endpoint, id: requestID, ids: &client.ids),
            isHEAD: head.method == .head, isComplete: isRequestComplete, isLast: head.hasUnusualBody, sink: self)
        if !isRequestComplete { output.exchangeDidMove() }
    }

    func getNone(_ failure: UpstreamFailure) { responseDidFail(failure) }

    // MARK: The client's side

    /// Whether the upstream takes more of the body now.
    var takesBody: Bool { phase == .streaming && connection?.isWritable == true }

    /// The connection that carries the request, once it has one.
    var upstreamChannel: (any Channel)? { phase == .streaming ? connection?.channel : nil }

    /// Takes a piece of the client's body.
    func requestDidSend(_ data: ByteBuffer) {
        guard let connection, phase == .streaming else { return }
        awaitProgress()
        requestBody.append(data) { connection.send($0, isLast: false) }
    }

    /// What has come so far should go on now; more may follow later.
    func requestDidPause() {
        guard let connection, phase == .streaming else { return }
        requestBody.drain { connection.send($0, isLast: false) }
    }

    /// The client's body is whole.
    func requestDidEnd() {
        guard let connection, phase == .streaming else { return }
        isRequestComplete = true
        requestBody.end()
        requestBody.drain { connection.send($0, isLast: false) }
        connection.send(ByteBuffer(), isLast: true)
    }

    /// The client is gone or has broken the rules: so is its request.
    func cancel() {
        guard phase != .over else { return }
        phase = .over
        connection?.cancel()
    }

    /// Reads from the upstream only as fast as the client takes it.
    func clientWritabilityDidChange(_ isWritable: Bool) {
        guard phase != .over else { return }
        awaitProgress()
        connection?.setReading(isWritable)
    }

    /// Nothing has moved for too long.
    func deadlineDidPass() {
        guard phase != .over else { return }
        cancel()
        tell(.timeout)
    }

    // MARK: ResponseSink

    /// A client of HTTP/1.0 does not know interim answers (RFC 9110 section 15.2).
    func responseDidAnnounce(_ interim: ResponseHead) {
        if head.isHTTP11 { output.announce(interim) }
    }

    func responseDidBegin(_ head: ResponseHead) {
        hasAnswerBegun = true
        client.proxiedAnswerDidBegin(head, plan: plan)
    }

    func responseDidSend(_ data: ByteBuffer) { output.writeAnswer(data) }

    func responseDidPause() {
        guard phase == .streaming else { return }
        awaitProgress()
        output.pauseAnswer()
    }

    func responseDidEnd() {
        guard phase == .streaming else { return }
        phase = .over
        client.proxiedAnswerDidEnd()
    }

    func responseDidFail(_ failure: UpstreamFailure) {
        guard phase != .over else { return }
        if failure == .closedBeforeAnswer, mayRepeat {
            isRepeated = true
            phase = .connecting
            connection = nil
            return pool.acquire(for: self, fresh: true)
        }
        phase = .over
        tell(failure)
    }

    func upstreamWritabilityDidChange(_ isWritable: Bool) {
        if isWritable { output.exchangeDidMove() }
    }

    private var mayRepeat: Bool { !isRepeated && head.isSafeToRepeat && isOnKeptConnection }

    /// Before the answer the client is told why; in the midst of it, it must see that the answer is not whole.
    private func tell(_ failure: UpstreamFailure) {
        client.proxyingDidFail(failure, hasAnswerBegun: hasAnswerBegun)
    }
}
