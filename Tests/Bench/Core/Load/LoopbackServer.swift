import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A request as a server of ours gets it; names of fields in lower case.
struct ServedRequest: Sendable {
    let path: String
    let headers: [String: String]
    let body: [UInt8]
}

/// A JSON answer; an empty body is none.
struct ServedAnswer: Sendable, Equatable {
    let status: Int
    var body: [UInt8] = []
    /// How long it is held back.
    var afterMilliseconds: Int64 = 0
}

/// A small server on a free port of the loopback.
struct LoopbackServer: Sendable {
    let port: Int
    private let channel: any Channel

    /// Runs `body` with an HTTP server (NIO, one handler, whole bodies), and ends it on every path.
    ///
    /// - Parameters:
    ///   - pair: files (PEM) with a certificate and its key, which it serves over TLS; nil for plain HTTP.
    ///   - answer: called on the connection's event loop; must not block.
    static func run<Value: Sendable>(
        tls pair: (certificate: String, key: String)? = nil,
        answer: @escaping @Sendable (ServedRequest) -> ServedAnswer, _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let context = try pair.map { try serverContext(certificate: $0.certificate, key: $0.key) }
        return try await run { channel in
            if let context { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(AnsweringHandler(answer))
        } _: { server in
            try await body(server)
        }
    }

    /// Runs `body` with a server whose connections `prepare` gives their handlers.
    ///
    /// - Parameter reads: whether it reads what comes.
    static func run<Value: Sendable>(
        reads: Bool = true, _ prepare: @escaping @Sendable (any Channel) throws -> Void,
        _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        // Connections that nothing is read from are only closed with the group that they belong to.
        let own = reads ? nil : MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return try await finally {
            let channel = try await ServerBootstrap(group: own ?? .singleton)
                .serverChannelOption(ChannelOptions.backlog, value: 1024)
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(ChannelOptions.autoRead, value: reads)
                .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
                .bind(host: "127.0.0.1", port: 0).get()
            guard let port = channel.localAddress?.port else { throw LoadFailure.closed }
            let server = LoopbackServer(port: port, channel: channel)
            return try await finally {
                try await body(server)
            } end: {
                await server.stop()
            }
        } end: {
            try await own?.shutdownGracefully()
        }
    }

    /// Runs `body` with the port of an upstream that accepts connections and never reads what comes over them.
    static func runStalled<Value: Sendable>(_ body: (Int) async throws -> Value) async throws -> Value {
        try await run(reads: false) { _ in
        } _: {
            try await body($0.port)
        }
    }

    func stop() async {
        // Closed already: as good.
        do { try await channel.close() } catch {}
    }

    private static func serverContext(certificate: String, key: String) throws -> NIOSSLContext {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        return try NIOSSLContext(configuration: configuration)
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
