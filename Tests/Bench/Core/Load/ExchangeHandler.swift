import NIOCore
import NIOHTTP1

/// A request on its way and where its answer goes.
struct Exchange: Sendable {
    let request: LoadRequest
    let host: String
    let answer: EventLoopPromise<LoadAnswer>
}

/// Writes an exchange's request and hands it the answer; one at a time.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Exchange
    typealias OutboundOut = HTTPClientRequestPart

    private static let bodyBytesMax = 1 << 20

    private var answer: EventLoopPromise<LoadAnswer>?
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []
    private var overdue: Scheduled<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        answer?.fail(LoadFailure.closed)
        answer = exchange.answer
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        overdue = context.eventLoop.scheduleTask(in: LoadConnection.answerTimeout) {
            bound.value.0.fail(LoadFailure.timedOut, bound.value.1)
        }
        let request = exchange.request
        var headers = HTTPHeaders([("Host", exchange.host)] + request.headers)
        if !request.body.isEmpty { headers.add(name: "Content-Length", value: String(request.body.count)) }
        let head = HTTPRequestHead(
            version: .http1_1, method: .init(rawValue: request.method), uri: request.path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !request.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request.body)))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let bytes):
            body += bytes.readableBytesView
            if body.count > Self.bodyBytesMax { fail(LoadFailure.tooLarge, context) }
        case .end:
            guard let head else { return }
            overdue?.cancel()
            answer?.succeed(LoadAnswer(status: Int(head.status.code), headers: head.headers, body: body))
            answer = nil
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        overdue?.cancel()
        answer?.fail(LoadFailure.closed)
        answer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    private func fail(_ failure: any Error, _ context: ChannelHandlerContext) {
        answer?.fail(failure)
        answer = nil
        context.close(promise: nil)
    }
}

/// Holds back what comes from the other side for a round trip: the client seems to be as far away.
final class DistantNetwork: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let roundTrip: TimeAmount

    init(_ roundTrip: TimeAmount) { self.roundTrip = roundTrip }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: roundTrip) {
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            context.fireChannelRead(handler.wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Comes behind the bytes.
    }
}
