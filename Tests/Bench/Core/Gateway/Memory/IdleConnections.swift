import NIOCore
import NIOPosix

/// Connections that have been served once and then rest.
struct IdleConnections: Sendable {
    private static let perAddressMax = 1500
    /// Opened at a time.
    private static let batch = 100

    private let channels: [any Channel]

    /// Opens `count` connections from as many loopback addresses as the limit by address asks for, each with one request
    /// that is answered with 200.
    ///
    /// - Parameter token: with it the app's API is asked, which every edge passes on; without one the gateway's own key set.
    static func open(
        _ count: Int, port: Int, tls: LoadTLS? = nil, token: String? = nil
    ) async throws -> IdleConnections {
        let request = request(token)
        var channels: [any Channel] = []
        for start in stride(from: 0, to: count, by: batch) {
            channels += try await withThrowingTaskGroup(of: (any Channel).self) { group in
                for number in start..<min(start + batch, count) {
                    let address = "127.0.0.\(2 + number / perAddressMax)"
                    group.addTask { try await served(request, from: address, port: port, tls) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return IdleConnections(channels: channels)
    }

    /// The number of connections that the server has not closed.
    var openCount: Int { channels.count(where: \.isActive) }

    func close() async {
        for channel in channels {
            // Closed by the other side already: as good.
            do { try await channel.close() } catch {}
        }
    }

    private static func request(_ token: String?) -> String {
        guard let token else { return "GET /.well-known/jwks.json HTTP/1.1\r\nHost: a\r\n\r\n" }
        return "GET \(NginxUpstream.smallPath) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n"
    }

    private static func served(
        _ request: String, from address: String, port: Int, _ tls: LoadTLS?
    ) async throws -> any Channel {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: loop)
            .bind(to: try SocketAddress(ipAddress: address, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
                    try channel.pipeline.syncOperations.addHandler(FirstAnswer(answer))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
        try await answer.futureResult.get()
        return channel
    }
}

/// Waits for the first bytes of an answer, which must be a 200.
private final class FirstAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var answer: EventLoopPromise<Void>?

    init(_ answer: EventLoopPromise<Void>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isGood = unwrapInboundIn(data).readableBytesView.starts(with: Array("HTTP/1.1 200 ".utf8))
        if isGood { answer?.succeed() } else { answer?.fail(LoadFailure.closed) }
        answer = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer?.fail(LoadFailure.closed)
        answer = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
