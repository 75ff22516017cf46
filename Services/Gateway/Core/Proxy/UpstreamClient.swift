internal import NIOCore

/// The async face of the upstream pools: buffered calls to our own services.
final class UpstreamClient: Sendable {
    /// Bytes of an answer.
    static let answerBytesMax = 1 << 20
    /// Times that a request is sent when connections end before an answer.
    static let triesMax = 3

    private let loops: EventLoopPools

    init(loops: EventLoopPools) { self.loops = loops }

    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]
    }

    /// Sends a request that is safe to repeat, again on another connection if one ends before its answer.
    ///
    /// - Parameters:
    ///   - timeout: for all tries together.
    ///   - makeHead: request line and fields with the empty line, made anew for each try.
    func send(
        to group: UpstreamGroup, timeout: TimeAmount, body: [UInt8],
        makeHead: @escaping @Sendable (UpstreamEndpoint) -> String
    ) async throws(UpstreamFailure) -> Answer {
        let deadline = NIODeadline.now() + timeout
        var failure = UpstreamFailure.unreachable
        for attempt in 0..<Self.triesMax where NIODeadline.now() < deadline {
            do throws(UpstreamFailure) {
                return try await sendOnce(group, fresh: attempt > 0, deadline: deadline, body: body, makeHead: makeHead)
            } catch {
                guard error == .closedBeforeAnswer || error == .brokenAnswer else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func sendOnce(
        _ group: UpstreamGroup, fresh: Bool, deadline: NIODeadline, body: [UInt8],
        makeHead: @escaping @Sendable (UpstreamEndpoint) -> String
    ) async throws(UpstreamFailure) -> Answer {
        let (eventLoop, pools) = loops.next()
        let promise = eventLoop.makePromise(of: Answer.self)
        eventLoop.execute {
            pools.value.acquire(group, fresh: fresh) { result in
                switch result {
                case .failure(let failure): promise.fail(failure)
                case .success(let lease):
                    BufferedExchange(promise: promise, lease: lease, deadline: deadline)
                        .start(head: makeHead(lease.connection.endpoint), body: body, on: eventLoop)
                }
            }
        }
        do { return try await promise.futureResult.get() } catch { throw error as? UpstreamFailure ?? .brokenAnswer }
    }
}

/// Gathers one answer for `UpstreamClient`.
private final class BufferedExchange: ResponseSink {
    private let promise: EventLoopPromise<UpstreamClient.Answer>
    private let lease: LoopPools.Lease
    private let deadline: NIODeadline
    private var status = 0
    private var body = ByteBuffer()
    private var timer: Scheduled<Void>?

    init(promise: EventLoopPromise<UpstreamClient.Answer>, lease: LoopPools.Lease, deadline: NIODeadline) {
        self.promise = promise
        self.lease = lease
        self.deadline = deadline
    }

    func start(head: String, body: [UInt8], on eventLoop: any EventLoop) {
        var request = ByteBuffer()
        request.reserveCapacity(head.utf8.count + body.count)
        request.writeString(head)
        request.writeBytes(body)
        let lease = lease
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.giveUp(.timeout) }
        lease.connection.begin(request, isHEAD: false, isComplete: true, sink: self) { lease.release(canBeReused: $0) }
    }

    func responseDidBegin(_ head: ResponseHead) { status = head.status }

    func responseDidSend(_ data: ByteBuffer) {
        var data = data
        guard body.readableBytes + data.readableBytes <= UpstreamClient.answerBytesMax else {
            return giveUp(.malformedAnswer)
        }
        body.writeBuffer(&data)
    }

    func responseDidEnd() {
        timer?.cancel()
        promise.succeed(.init(status: status, body: Array(body.readableBytesView)))
    }

    func responseDidFail(_ failure: UpstreamFailure) {
        timer?.cancel()
        promise.fail(failure)
    }

    func upstreamWritabilityDidChange(_ isWritable: Bool) {}

    private func giveUp(_ failure: UpstreamFailure) {
        lease.connection.cancel()
        responseDidFail(failure)
    }
}
