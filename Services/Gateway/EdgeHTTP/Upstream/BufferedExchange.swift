import NIOCore

/// Carries out one call of `UpstreamClient`: it collects the response, and tries again if that is allowed.
final class BufferedExchange: ResponseSink, ConnectionTaker {
    private let pool: UpstreamPool
    private let body: [UInt8]
    private let writeHead: UpstreamClient.HeadWriter
    private let promise: EventLoopPromise<UpstreamClient.Answer>
    private var triesLeft: Int
    private var connection: UpstreamConnection?
    private var isGoodAnswer: UpstreamClient.AnswerCheck?
    private var head: ResponseHead?
    private var gathered = ByteBuffer()
    private var timer: Scheduled<Void>?
    /// Ends the try at an address that left the last call without a response.
    private var trial: Scheduled<Void>?
    private var eventLoop: (any EventLoop)?
    private var isOver = false

    init(
        pool: UpstreamPool, body: [UInt8], triesLeft: Int, writeHead: @escaping UpstreamClient.HeadWriter,
        promise: EventLoopPromise<UpstreamClient.Answer>
    ) {
        self.pool = pool
        self.body = body
        self.triesLeft = triesLeft
        self.writeHead = writeHead
        self.promise = promise
    }

    func start(deadline: NIODeadline, on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.giveUp(.timeout) }
        pool.acquire(for: self)
    }

    var wantsConnection: Bool { !isOver && connection == nil }

    func take(_ connection: UpstreamConnection) {
        triesLeft -= 1
        self.connection = connection
        var request = ByteBufferAllocator().buffer(capacity: ReplySerializer.usualHeadBytes + body.count)
        isGoodAnswer = writeHead(connection.endpoint, &request)
        request.writeBytes(body)
        if connection.replica.isSilent, triesLeft > 0 {
            let limit = TimeAmount.milliseconds(pool.group.limits.silenceTrialMilliseconds)
            trial = eventLoop?.assumeIsolated().scheduleTask(in: limit) { self.endTrial(on: connection) }
        }
        connection.begin(request, isHEAD: false, isComplete: true, isLast: false, sink: self)
    }

    /// Makes the call at another address, if there is one.
    private func endTrial(on tried: UpstreamConnection) {
        let (now, replica) = (NIODeadline.now(), tried.replica)
        let hasOther = pool.replicas.contains { $0 !== replica && $0.hasRoom && $0.isHealthy(now: now) }
        guard !isOver, connection === tried, replica.isSilent, hasOther else { return }
        replica.callDidTimeOut(now: now)
        pool.group.failures.note(.timeout, at: replica.target, now: now)
        connection = nil
        tried.cancel()
        pool.acquire(for: self)
    }

    func getNone(_ failure: UpstreamFailure) { end(.failure(failure)) }

    func responseDidAnnounce(_ head: ResponseHead) {}

    func responseDidBegin(_ head: ResponseHead) {
        connection?.replica.callDidEnd()
        self.head = head
    }

    func responseDidSend(_ data: ByteBuffer) {
        guard gathered.readableBytes + data.readableBytes <= UpstreamClient.answerBytesMax else {
            return giveUp(.malformedAnswer)
        }
        gathered.writeImmutableBuffer(data)
    }

    func responseDidPause() {}

    func responseDidEnd() {
        guard let head, let isGoodAnswer, isGoodAnswer(head, gathered) else { return end(.failure(.refusedAnswer)) }
        end(.success(.init(status: head.status, body: Array(gathered.readableBytesView))))
    }

    func responseDidFail(_ failure: UpstreamFailure) {
        let isLost = failure == .closedBeforeAnswer || failure == .brokenAnswer
        guard isLost, triesLeft > 0, !isOver else { return end(.failure(failure)) }
        connection = nil
        head = nil
        gathered.clear()
        pool.acquire(for: self, fresh: true)
    }

    func upstreamWritabilityDidChange(_ isWritable: Bool) {}

    private func giveUp(_ failure: UpstreamFailure) {
        let isLate = failure == .timeout && head == nil
        if isLate { connection?.replica.callDidTimeOut(now: .now()) }
        connection?.cancel(isLate: isLate || failure == .malformedAnswer)
        end(.failure(failure))
    }

    private func end(_ result: Result<UpstreamClient.Answer, UpstreamFailure>) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        trial?.cancel()
        switch result {
        case .success(let answer): promise.succeed(answer)
        case .failure(let failure):
            if let target = connection?.replica.target { pool.group.failures.note(failure, at: target, now: .now()) }
            promise.fail(failure)
        }
    }
}
