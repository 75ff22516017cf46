import NIOCore

/// Reports what one connection's exchanges tell about the health of their upstream's address.
struct ExchangeWatch {
    private let pool: UpstreamPool
    private let replica: Replica
    /// Whether the request is the one that tries a skipped address.
    private var isTrial = false
    /// Whether the upstream may send nothing for long, as on a route for live responses, so that it is not silent.
    private var mayStaySilent = false
    private var isRequestSent = false
    private var hasReceived = false
    private var isReading = true
    /// Whether the bytes belong to a WebSocket. Its client can cause every end of it, so none says anything about the address.
    private var isTunnel = false
    /// Whether the address is silent if it sends nothing: the request is complete, and a response is expected soon and read.
    private var isWaiting = false {
        didSet { if isWaiting != oldValue { replica.waitingCount += isWaiting ? 1 : -1 } }
    }

    init(_ pool: UpstreamPool, _ replica: Replica) { (self.pool, self.replica) = (pool, replica) }

    mutating func requestDidBegin(isComplete: Bool, mayStaySilent: Bool) {
        (isRequestSent, hasReceived, self.mayStaySilent) = (isComplete, false, mayStaySilent)
        (isTrial, isTunnel) = (replica.takeTrial(), false)
        update()
    }

    mutating func requestDidEnd() {
        isRequestSent = true
        update()
    }

    mutating func setReading(_ reads: Bool) {
        isReading = reads
        update()
    }

    mutating func didReceive() {
        replica.hasSent = true
        guard !hasReceived else { return }
        hasReceived = true
        isWaiting = false
    }

    mutating func responseDidBegin(_ head: ResponseHead) {
        pool.responseDidBegin(head, from: replica, isTrial: isTrial)
        isTrial = false
        guard head.switches else { return }
        // To health, the response is complete.
        responseDidEnd()
        isTunnel = true
    }

    func responseDidEnd() {
        if !isTunnel { pool.responseDidEnd(from: replica) }
    }

    /// Notes that the exchange was cancelled.
    ///
    /// - Parameter isLate: whether the reason is that the upstream has not responded in time.
    func didCancel(isLate: Bool) {
        if isLate {
            pool.requestDidFail(at: replica, isTrial: isTrial)
        } else if isTrial {
            replica.health.trialDidCancel(now: .now())
        }
    }

    /// Notes that the exchange failed. An upstream may refuse a body by closing, even in the middle of its response.
    func didFail(_ failure: UpstreamFailure) {
        didCancel(isLate: !isTunnel && (failure == .malformedAnswer || isRequestSent))
    }

    /// Notes that the connection carries no exchange any more.
    mutating func didRelease() {
        isRequestSent = false
        isWaiting = false
    }

    private mutating func update() { isWaiting = isRequestSent && isReading && !hasReceived && !mayStaySilent }
}
