import NIOCore

/// Writes an exchange's request and hands it the answer; one at a time.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Exchange
    typealias OutboundOut = ByteBuffer

    /// How often it is looked whether an answer is overdue: a timer for each request would cost as much as sending it.
    private static let watchInterval: TimeAmount = .seconds(1)
    /// Room that suffices for most requests.
    private static let usualBytes = 1024

    private var answer: EventLoopPromise<LoadAnswer>?
    private var deadline = NIODeadline.distantFuture
    private var reader = AnswerReader()
    private var watch: RepeatedTask?

    func handlerAdded(context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        watch = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.watchInterval, delay: Self.watchInterval) {
            _ in
            if handler.value.deadline < .now() { handler.value.fail(LoadFailure.timedOut, context.value) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { watch?.cancel() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        answer?.fail(LoadFailure.closed)
        answer = exchange.answer
        deadline = .now() + LoadConnection.answerTimeout
        context.write(wrapOutboundOut(Self.bytes(of: exchange)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        reader.append(&bytes)
        do {
            while let next = try reader.next() {
                answer?.succeed(next)
                answer = nil
                deadline = .distantFuture
            }
        } catch {
            fail(error, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer?.fail(LoadFailure.closed)
        answer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    private func fail(_ failure: any Error, _ context: ChannelHandlerContext) {
        answer?.fail(failure)
        answer = nil
        deadline = .distantFuture
        context.close(promise: nil)
    }

    private static func bytes(of exchange: Exchange) -> ByteBuffer {
        let request = exchange.request
        var bytes = ByteBufferAllocator().buffer(capacity: usualBytes + request.body.count)
        bytes.writeString(request.method)
        bytes.writeStaticString(" ")
        bytes.writeString(request.path)
        bytes.writeStaticString(" HTTP/1.1\r\n")
        write("Host", exchange.host, into: &bytes)
        for (name, value) in request.headers { write(name, value, into: &bytes) }
        if !request.body.isEmpty { write("Content-Length", String(request.body.count), into: &bytes) }
        bytes.writeStaticString("\r\n")
        bytes.writeBytes(request.body)
        return bytes
    }

    private static func write(_ name: String, _ value: String, into bytes: inout ByteBuffer) {
        bytes.writeString(name)
        bytes.writeStaticString(": ")
        bytes.writeString(value)
        bytes.writeStaticString("\r\n")
    }
}
