package import NIOCore

/// The async interface of the upstream pools: buffered calls to our own services.
package final class UpstreamClient: Sendable {
    /// The greatest size of a response, in bytes.
    static let answerBytesMax = 1 << 20
    /// How often a request is sent if connections end before a response.
    static let triesMax = 3

    /// Writes a request's line and fields, with the empty line, and returns the check of its response.
    package typealias HeadWriter = @Sendable (UpstreamEndpoint, inout ByteBuffer) -> AnswerCheck
    /// Whether a whole response may be taken for one to the request. It is called on the event loop.
    package typealias AnswerCheck = (ResponseHead, _ body: ByteBuffer) -> Bool

    private let loops: EventLoopPools

    /// Creates a client over the pools of all event loops.
    package init(loops: EventLoopPools) { self.loops = loops }

    /// A whole response.
    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
    }

    /// Sends a request and returns the whole response.
    ///
    /// - Parameters:
    ///   - deadline: the deadline of all tries together.
    ///   - repeatable: whether the request may be sent again, on another connection, if one ends before its response is complete.
    ///   The operations of our own services are made for that.
    ///   - writeHead: writes the head; called again for each try.
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
