internal import NIOCore
internal import NIOHTTP1

/// Turns an exchange into HTTP parts and the parts of its answer into a whole.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    private static let answerBytesMax = 1 << 20

    private var answer: EventLoopPromise<LoadAnswer>?
    private var status = 0
    private var body: [UInt8] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        answer?.fail(LoadFailure.closed)
        answer = exchange.answer
        let request = exchange.request
        var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: request.method), uri: request.path)
        head.headers.add(name: "Host", value: exchange.host)
        for (name, value) in request.headers { head.headers.add(name: name, value: value) }
        if !request.body.isEmpty { head.headers.add(name: "Content-Length", value: String(request.body.count)) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !request.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request.body)))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            body.removeAll(keepingCapacity: true)
        case .body(let part):
            body += part.readableBytesView
            if body.count > Self.answerBytesMax { fail(.tooLarge, context) }
        case .end:
            answer?.succeed(LoadAnswer(status: status, body: body))
            answer = nil
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer?.fail(LoadFailure.closed)
        answer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer?.fail(error)
        answer = nil
        context.close(promise: nil)
    }

    private func fail(_ failure: LoadFailure, _ context: ChannelHandlerContext) {
        answer?.fail(failure)
        answer = nil
        context.close(promise: nil)
    }
}
