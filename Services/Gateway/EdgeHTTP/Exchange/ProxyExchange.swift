import NIOCore
import Spans
import Tracing

/// One proxied request. It streams the client's body to the upstream and the response back, with back-pressure both ways.
///
/// A request is sent at most twice, and only if the upstream cannot have acted on the first: it has no body and a safe method, and
/// was sent on a kept connection that closed before any byte of a response (security guide F-41, R-103). The pool returns a kept
/// connection only if no bytes have arrived on it. If it still turns out to be closed under any other request, the response is 502.
final class ProxyExchange: ResponseSink, ConnectionTaker {
    enum Phase { case connecting, streaming, over }

    private let head: RequestHead
    let plan: ProxyPlan
    private let requestID: RequestID
    /// The span of a traced request.
    private let span: (any Span)?
    let pool: UpstreamPool
    /// The client's side, which holds this object until the exchange is over.
    let client: Exchange
    /// The carrier of the response.
    private let output: any ExchangeOutput
    private let timer: DeadlineTimer
    /// The deadline that the route sets for the whole exchange.
    private let total: NIODeadline?
    var phase = Phase.connecting { didSet { if phase == .over { endSpan() } } }
    private var connection: UpstreamConnection?
    private var isRequestComplete: Bool
    private var isRepeated = false
    /// Whether the request was sent on a connection that had been kept.
    private var isOnKeptConnection = false
    private var requestBody: OutgoingBody
    /// Whether a part of the response is on its way to the client.
    private(set) var hasAnswerBegun = false
    /// Whether it has a place among the pool's requests that may stay open, and whether it is open by now.
    var (hasLongPlace, isOpen) = (false, false)

    init(
        head: RequestHead, plan: ProxyPlan, requestID: RequestID, span: (any Span)?, pool: UpstreamPool,
        client: Exchange, output: any ExchangeOutput, timer: DeadlineTimer
    ) {
        self.head = head
        self.plan = plan
        self.requestID = requestID
        self.span = span
        self.pool = pool
        self.client = client
        self.output = output
        self.timer = timer
        total = plan.totalSeconds.map { .now() + .seconds($0) }
        isRequestComplete = head.framing.isEmpty
        requestBody = OutgoingBody(isChunked: head.framing == .chunked)
    }

    /// Finds a connection and sends the head.
    func start() {
        awaitProgress()
        if isLong {
            guard pool.hasRoomForLong else { return getNone(.overloaded) }
            hasLongPlace = true
            pool.longCount += 1
        }
        pool.acquire(for: self)
    }

    /// Sets the deadline again after progress. While the client does not accept its response, only its rate is checked, and the
    /// upstream has all the time that this takes.
    private func awaitProgress() {
        guard output.takesAnswers else { return end.map(timer.set) ?? timer.clear() }
        let next = NIODeadline.now() + .seconds(waitSeconds)
        timer.set(end.map { min($0, next) } ?? next)
    }

    /// The deadline of the whole exchange. The token's expiry applies once it is open; before, the upstream would seem to be late.
    private var end: NIODeadline? { if isOpen, let long = plan.long { long.end(atMost: total) } else { total } }

    /// The longest time without progress, in seconds.
    private var waitSeconds: Int64 {
        guard isOpen, let long = plan.long else { return plan.timeoutSeconds }
        return long.idleSeconds
    }

    private func endSpan() {
        guard let span else { return }
        if !hasAnswerBegun { span.setStatus(.init(code: .error)) }
        span.end()
    }

    // MARK: ConnectionTaker

    var wantsConnection: Bool { phase == .connecting }

    func take(_ connection: UpstreamConnection) {
        phase = .streaming
        self.connection = connection
        isOnKeptConnection = connection.isReused
        // The client's state before there was a connection is not reported again.
        if !output.takesAnswers { connection.setReading(false) }
        connection.begin(
            ProxyMessages.request(
                head, plan: plan, to: connection.endpoint, id: requestID, span: span?.context, ids: &client.ids),
            isHEAD: head.method == .head, isComplete: isRequestComplete, isLast: head.hasUnusualBody,
            maySwitch: plan.long?.handshake != nil, mayStaySilent: plan.long != nil, sink: self)
        if !isRequestComplete { output.exchangeDidMove() }
    }

    func getNone(_ failure: UpstreamFailure) { responseDidFail(failure) }

    // MARK: The client's side

    /// Whether the upstream accepts more of the body now.
    var takesBody: Bool { phase == .streaming && connection?.isWritable == true }

    /// The connection that carries the request; `nil` until there is one.
    var upstreamChannel: (any Channel)? { phase == .streaming ? connection?.channel : nil }

    /// Accepts a piece of the client's body.
    func requestDidSend(_ data: ByteBuffer) {
        guard let connection, phase == .streaming else { return }
        awaitProgress()
        requestBody.append(data) { connection.send($0, isLast: false) }
    }

    /// Sends on the bytes that have arrived; more may follow later.
    func requestDidPause() {
        guard let connection, phase == .streaming else { return }
        requestBody.drain { connection.send($0, isLast: false) }
    }

    /// Notes that the client's body is complete.
    func requestDidEnd() {
        guard let connection, phase == .streaming else { return }
        isRequestComplete = true
        awaitProgress()
        requestBody.end()
        requestBody.drain { connection.send($0, isLast: false) }
        connection.send(ByteBuffer(), isLast: true)
        // The other direction of a WebSocket goes on.
        if isTunnel { connection.channel?.close(mode: .output, promise: nil) }
    }

    /// Cancels the request, because the client is gone or has broken the rules.
    func cancel() { cancel(isLate: false) }

    private func cancel(isLate: Bool) {
        guard phase != .over else { return }
        phase = .over
        noteEnd(.closed)
        // The last bytes of a WebSocket reach an upstream that accepts them.
        connection?.cancel(isLate: isLate, resets: !isTunnel || connection?.isWritable == false)
    }

    /// Reads from the upstream only as fast as the client takes it.
    func clientWritabilityDidChange(_ isWritable: Bool) {
        guard phase != .over else { return }
        awaitProgress()
        connection?.setReading(isWritable)
    }

    /// Handles a deadline that has passed without progress.
    func deadlineDidPass() {
        guard phase != .over else { return }
        if isOpen, let long = plan.long { return end(long.ending(at: .now(), end: end)) }
        cancel(isLate: isUpstreamLate)
        tell(.timeout)
    }

    /// Whether the deadline passed because of the upstream. The client may have used the time up, and a response may just be long.
    private var isUpstreamLate: Bool {
        guard isRequestComplete, output.takesAnswers, !hasAnswerBegun else { return false }
        // A slow body leaves the upstream little of the time for the whole exchange.
        return head.framing.isEmpty || end.map { NIODeadline.now() < $0 } ?? true
    }

    // MARK: ResponseSink

    /// Passes an interim response on, but not to a client of HTTP/1.0, which does not know them (RFC 9110 section 15.2).
    func responseDidAnnounce(_ interim: ResponseHead) {
        if head.isHTTP11 { output.announce(interim) }
    }

    func responseDidBegin(_ head: ResponseHead) {
        if let long = plan.long, let failure = open(long, head) {
            cancel()
            return tell(failure)
        }
        hasAnswerBegun = true
        span?.attributes[.status] = Int64(head.status)
        client.proxiedAnswerDidBegin(head, plan: plan)
        // The client may have sent bytes ahead.
        if head.switches { output.exchangeDidMove() }
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
        noteEnd(.upstream)
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
        noteEnd(.upstream)
        tell(failure)
    }

    func upstreamWritabilityDidChange(_ isWritable: Bool) {
        if isWritable { output.exchangeDidMove() }
    }

    private var mayRepeat: Bool { !isRepeated && head.isSafeToRepeat && isOnKeptConnection }

    /// Reports a failure. Before the response has begun the client gets the reason; later it must see that the response is not
    /// whole.
    private func tell(_ failure: UpstreamFailure) {
        if let target = connection?.replica.target { pool.group.failures.note(failure, at: target, now: .now()) }
        client.proxyingDidFail(failure, hasAnswerBegun: hasAnswerBegun)
    }
}
