import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Somebody between two processes who passes on what they say, and answers in the service's place as told.
package final class AnswerSwapper: Sendable {
    /// A call of the service.
    package struct Call: Sendable {
        package let method: String
        package let path: String
        /// All but those of the connection.
        package let headers: [(String, String)]
        package let body: [UInt8]
    }

    /// Returns the replacement for a call's response; `nil` keeps the service's own.
    ///
    /// Asks the service itself where it likes to: the answer's proof stays with what it then returns.
    package typealias Swap =
        @Sendable (Call, _ ask: @Sendable () async throws -> HTTPAnswer) async throws -> HTTPAnswer?

    /// Where callers connect instead of to the service.
    package let url: String
    private let listener: any Channel
    private let target: TestHTTPClient
    private let swap = Mutex<Swap>({ _, _ in nil })
    private let swaps = Mutex(0)

    private init(_ listener: any Channel, port: Int, target: TestHTTPClient) {
        self.listener = listener
        self.target = target
        url = "http://127.0.0.1:\(port)"
    }

    /// Answers that were swapped until now.
    package var swapCount: Int { swaps.withLock { $0 } }

    /// Sets the replacement from now on.
    package func set(_ swap: @escaping Swap) { self.swap.withLock { $0 = swap } }

    fileprivate func answer(_ call: Call) async throws -> HTTPAnswer {
        let target = target
        let ask: @Sendable () async throws -> HTTPAnswer = {
            try await target.send(call.method, call.path, headers: call.headers, body: call.body)
        }
        guard let swapped = try await swap.withLock({ $0 })(call, ask) else { return try await ask() }
        swaps.withLock { $0 += 1 }
        return swapped
    }

    fileprivate static func start(before target: TestHTTPClient) async throws -> AnswerSwapper {
        let made = Mutex<AnswerSwapper?>(nil)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true)
                    try pipeline.addHandler(NIOHTTPServerRequestAggregator(maxContentLength: 1 << 20))
                    try pipeline.addHandler(SwapHandler { made.withLock { $0 } })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        let swapper = AnswerSwapper(listener, port: port, target: target)
        made.withLock { $0 = swapper }
        return swapper
    }

    fileprivate func stop() async throws { try await listener.close() }
}

/// Runs `body` with somebody before the service at `target`, who is gone on every way out.
package func withAnswerSwapper<Value>(
    before target: TestHTTPClient, _ body: (AnswerSwapper) async throws -> Value
) async throws -> Value {
    let swapper = try await AnswerSwapper.start(before: target)
    do {
        let value = try await body(swapper)
        try await swapper.stop()
        return value
    } catch {
        try await swapper.stop()
        throw error
    }
}

extension HTTPAnswer {
    /// Returns the response, proof included, with another body or status.
    package func with(status: Int? = nil, body: [UInt8]? = nil) -> HTTPAnswer {
        HTTPAnswer(status: status ?? self.status, headers: headers, body: body ?? self.body)
    }
}

/// Takes whole requests and writes whole answers; a service that does not answer ends the connection.
private final class SwapHandler: ChannelInboundHandler {
    typealias InboundIn = NIOHTTPServerRequestFull
    typealias OutboundOut = HTTPServerResponsePart

    private let swapper: () -> AnswerSwapper?

    init(_ swapper: @escaping () -> AnswerSwapper?) { self.swapper = swapper }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let request = unwrapInboundIn(data)
        let channel = context.channel
        guard let swapper = swapper() else { return context.close(promise: nil) }
        let headers = request.head.headers.filter { !Self.ofConnection.contains($0.name.lowercased()) }
            .map { ($0.name, $0.value) }
        let call = AnswerSwapper.Call(
            method: request.head.method.rawValue, path: request.head.uri, headers: headers,
            body: request.body.map { Array($0.readableBytesView) } ?? [])
        Self.answer(call, by: swapper, to: channel)
    }

    private static func answer(_ call: AnswerSwapper.Call, by swapper: AnswerSwapper, to channel: any Channel) {
        Task {
            do { write(try await swapper.answer(call), to: channel) } catch {
                channel.close(promise: nil)
            }
        }
    }

    private static let ofConnection: Set<String> = ["host", "content-length", "connection", "transfer-encoding"]

    private static func write(_ answer: HTTPAnswer, to channel: any Channel) {
        var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status))
        for (name, value) in answer.headers where !ofConnection.contains(name) {
            head.headers.add(name: name, value: value)
        }
        head.headers.add(name: "Content-Length", value: "\(answer.body.count)")
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: answer.body))), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }
}
