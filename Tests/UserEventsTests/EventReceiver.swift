import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An app's back end that receives events, and treats each as a test wants.
final class EventReceiver: Sendable {
    /// The handling of a request once it has the whole body.
    enum Treatment: Sendable, Equatable {
        case status(Int)
        /// Responds with 200 after a second.
        case slow
        case redirect(to: String)
        case hang
        /// Closes the connection without a response.
        case close
        /// Sends the response a byte a second.
        case trickle
        /// Responds with a body of this size.
        case large(Int)
    }

    struct Received: Sendable {
        let path: String
        let headers: [String: String]
        let body: [UInt8]

        var id: String { headers["webhook-id"] ?? "" }

        /// The member `data` of the body; empty if there is none.
        var data: [String: Any] {
            do {
                let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
                return json?["data"] as? [String: Any] ?? [:]
            } catch { return [:] }
        }
    }

    private let treatment: Mutex<@Sendable (Received) -> Treatment>
    private let log = Mutex<[Received]>([])

    private let keepsLog: Bool

    init(keepsLog: Bool = true, _ treatment: @escaping @Sendable (Received) -> Treatment) {
        self.treatment = Mutex(treatment)
        self.keepsLog = keepsLog
    }

    /// All requests, in the order in which their bodies were complete.
    var received: [Received] { log.withLock { $0 } }

    func treat(_ treatment: @escaping @Sendable (Received) -> Treatment) {
        self.treatment.withLock { $0 = treatment }
    }

    /// Runs `body` with the receiver's base URL.
    func serve<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result = await Result { try await body("http://127.0.0.1:\(server.localAddress?.port ?? 0)") }
        try await server.close()
        return try result.get()
    }

    fileprivate func take(_ request: Received) -> Treatment {
        if keepsLog { log.withLock { $0.append(request) } }
        return treatment.withLock { $0 }(request)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let receiver: EventReceiver
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ receiver: EventReceiver) { self.receiver = receiver }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part): body += Array(part.readableBytesView)
        case .end:
            guard let head else { return }
            let headers = head.headers.map { ($0.name.lowercased(), $0.value) }
            let request = EventReceiver.Received(
                path: head.uri, headers: Dictionary(headers) { first, _ in first }, body: body)
            treat(receiver.take(request), context)
        }
    }

    private func treat(_ treatment: EventReceiver.Treatment, _ context: ChannelHandlerContext) {
        switch treatment {
        case .status(let status): respond(status, [:], 0, context)
        case .redirect(let url): respond(307, ["Location": url], 0, context)
        case .large(let count): respond(200, [:], count, context)
        case .slow:
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .seconds(1)) {
                let (handler, context) = bound.value
                handler.respond(200, [:], 0, context)
            }
        case .hang: break
        case .close: context.close(promise: nil)
        case .trickle:
            // Below the encoder, a byte at a time.
            let raw = context.channel
            for (second, byte) in "HTTP/1.1 200 OK\r\n\r\n".utf8.enumerated() {
                raw.eventLoop.scheduleTask(in: .seconds(Int64(second))) {
                    raw.pipeline.context(handlerType: HTTPResponseEncoder.self).whenSuccess { encoder in
                        encoder.writeAndFlush(NIOAny(ByteBuffer(bytes: [byte])), promise: nil)
                    }
                }
            }
        }
    }

    private func respond(_ status: Int, _ headers: [String: String], _ count: Int, _ context: ChannelHandlerContext) {
        var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
        fields.add(name: "Content-Length", value: "\(count)")
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if count > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(repeating: 32, count: count)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
