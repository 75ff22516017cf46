import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A request as a server of ours gets it; names of fields in lower case.
package struct ServedRequest: Sendable {
    package let path: String
    package let headers: [String: String]
    package let body: [UInt8]

    package init(path: String, headers: [String: String], body: [UInt8]) {
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// A JSON answer; an empty body is none.
package struct ServedAnswer: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]
    /// How long it is held back.
    package let afterMilliseconds: Int64

    package init(status: Int, body: [UInt8] = [], afterMilliseconds: Int64 = 0) {
        self.status = status
        self.body = body
        self.afterMilliseconds = afterMilliseconds
    }
}

/// A small HTTP server on a free port of the loopback: NIO, one handler, whole bodies.
package struct LoopbackServer: Sendable {
    package let port: Int
    private let channel: any Channel

    /// - Parameters:
    ///   - pair: files (PEM) with a certificate and its key, which it serves over TLS; nil for plain HTTP.
    ///   - answer: called on the connection's event loop; must not block.
    package static func start(
        tls pair: (certificate: String, key: String)? = nil,
        answer: @escaping @Sendable (ServedRequest) -> ServedAnswer
    ) async throws -> LoopbackServer {
        let context = try pair.map { try serverContext(certificate: $0.certificate, key: $0.key) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.backlog, value: 1024)
            .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(AnsweringHandler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw LoadFailure.closed }
        return LoopbackServer(port: port, channel: channel)
    }

    package func stop() async {
        // Closed already: as good.
        do { try await channel.close() } catch {}
    }

    private static func serverContext(certificate: String, key: String) throws -> NIOSSLContext {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        return try NIOSSLContext(configuration: configuration)
    }

    /// Returns a loopback port without a listener.
    package static func freePort() async throws -> Int {
        let server = try await start { _ in ServedAnswer(status: 404) }
        await server.stop()
        return server.port
    }
}

private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let requestBytesMax = 1 << 20

    private let answer: @Sendable (ServedRequest) -> ServedAnswer
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ answer: @escaping @Sendable (ServedRequest) -> ServedAnswer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.removeAll(keepingCapacity: true)
        case .body(let part):
            body += part.readableBytesView
            if body.count > Self.requestBytesMax { context.close(promise: nil) }
        case .end:
            guard let head else { return }
            sendInTime(answer(request(head)), context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func request(_ head: HTTPRequestHead) -> ServedRequest {
        let headers = head.headers.map { ($0.name.lowercased(), $0.value) }
        return ServedRequest(path: head.uri, headers: Dictionary(headers) { $1 }, body: body)
    }

    private func sendInTime(_ answer: ServedAnswer, _ context: ChannelHandlerContext) {
        guard answer.afterMilliseconds > 0 else { return send(answer, context) }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let waiting = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(answer.afterMilliseconds)) {
            handler.value.send(answer, waiting.value)
        }
    }

    private func send(_ answer: ServedAnswer, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status))
        if !answer.body.isEmpty { head.headers.add(name: "Content-Type", value: "application/json") }
        if answer.status != 204 { head.headers.add(name: "Content-Length", value: String(answer.body.count)) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !answer.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
