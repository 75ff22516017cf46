package import NIOCore

/// The async face of the upstream pools: buffered calls to our own services.
package final class UpstreamClient: Sendable {
    /// Bytes of an answer.
    static let answerBytesMax = 1 << 20
    /// Times that a request is sent when connections end before an answer.
    static let triesMax = 3

    /// Writes a request's line and fields, with the empty line, and says how its answer is judged.
    package typealias HeadWriter = @Sendable (UpstreamEndpoint, inout ByteBuffer) -> AnswerCheck
    /// Whether an answer, whole, may be taken for one to the request; asked on the event loop.
    package typealias AnswerCheck = (ResponseHead, _ body: ByteBuffer) -> Bool

    private let loops: EventLoopPools

    /// A client over the pools of all event loops.
    package init(loops: EventLoopPools) { self.loops = loops }

    /// A whole answer.
    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
    }

    /// Sends a request and returns the whole answer.
    ///
    /// - Parameters:
    ///   - deadline: of all tries together.
    ///   - repeatable: the request may be sent again, on another connection, when one ends before its answer is whole; the
    ///     operations of our own services are made for that.
    ///   - writeHead: called anew for each try.
    package func send(
        to group: UpstreamGroup, before deadline: NIODeadline, body: [UInt8], repeatable: Bool = true,
        writeHead: @escaping HeadWriter
    ) async throws(UpstreamFailure) -> Answer {
        let (eventLoop, pools) = loops.next()
        let promise = eventLoop.makePromise(of: Answer.self)
        eventLoop.execute {
            BufferedExchange(
                pool: pools.value.pool(of: group), body: body, triesLeft: repeatable ? Self.triesMax : 1,
                writeHead: writeHead, promise: promise
            ).start(deadline: deadline, on: eventLoop)
        }
        do { return try await promise.futureResult.get() } catch { throw error as? UpstreamFailure ?? .brokenAnswer }
    }
}
