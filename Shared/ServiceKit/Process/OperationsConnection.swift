import NIOCore
import NIOHTTP1

/// A response of the operations port.
struct OperationsAnswer: Sendable {
    let status: HTTPResponseStatus
    let text: String
    let contentType: String

    init(_ status: HTTPResponseStatus, _ text: String, contentType: String = "text/plain; charset=utf-8") {
        self.status = status
        self.text = text
        self.contentType = contentType
    }
}

/// One connection to the operations port. Its requests are processed one after the other, and only the path decides the
/// response.
///
/// Bodies are skipped. The pipeline before it delays the next request until this one has its response, and bounds heads.
final class OperationsConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a connection may be idle; Prometheus sends a request every 15 s or so.
    static let idleTime: TimeAmount = .seconds(60)

    private let answer: @Sendable (_ path: String) async -> OperationsAnswer
    private var head: HTTPRequestHead?

    init(answer: @escaping @Sendable (_ path: String) async -> OperationsAnswer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            respond(to: head, in: context)
        }
    }

    private func respond(to head: HTTPRequestHead, in context: ChannelHandlerContext) {
        guard head.method == .GET else {
            return write(OperationsAnswer(.methodNotAllowed, "GET alone is answered\n"), to: head, in: context)
        }
        let path = String(head.uri.prefix { $0 != "?" })
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let found = context.eventLoop.makeFutureWithTask { [answer] in await answer(path) }
        found.assumeIsolated().whenSuccess { [self] in write($0, to: head, in: bound.value) }
    }

    private func write(_ answer: OperationsAnswer, to request: HTTPRequestHead, in context: ChannelHandlerContext) {
        let body = ByteBuffer(string: answer.text)
        var head = HTTPResponseHead(version: request.version, status: answer.status)
        head.headers = ["Content-Type": answer.contentType, "Content-Length": "\(body.readableBytes)"]
        // A client that keeps its connection would not learn that a process which waited for its database now serves.
        let isLast = !request.isKeepAlive || answer.status == .serviceUnavailable
        if isLast { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if isLast { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
