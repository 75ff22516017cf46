import Glibc
import NIOCore
import NIOTLS
import Synchronization

/// Carries a script out on one connection; counts what the kernel has taken.
final class HostileConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Blocks in one turn of the loop: others have theirs.
    private static let blocksPerTurn = 16
    /// Slow reading goes in pieces, so many a second.
    static let readsPerSecond = 10

    private let script: HostileScript
    private let isOverTLS: Bool
    private let block: ByteBuffer
    private let tally: HostileTally
    private var left: Int
    private var isTurnDue = false
    private var isAnswered = false

    init(_ script: HostileScript, isOverTLS: Bool, tally: HostileTally) {
        (self.script, self.isOverTLS, self.tally) = (script, isOverTLS, tally)
        block = ByteBuffer(bytes: script.repeated)
        left = script.repeated.isEmpty ? 0 : script.repeats
    }

    func channelActive(context: ChannelHandlerContext) {
        guard isOverTLS else { return begin(context) }
        // Who reads no answers reads those of the handshake.
        if script.reading != .all { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            didGetAnswer()
            begin(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if script.pause == .zero { proceed(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        didGetAnswer()
        if case .answered = script.ending { reset(context) }
        tally.readBytes.add(unwrapInboundIn(data).readableBytes, ordering: .relaxed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func didGetAnswer() {
        if !isAnswered { tally.answeredCount.add(1, ordering: .relaxed) }
        isAnswered = true
    }

    private func begin(_ context: ChannelHandlerContext) {
        if !script.opening.isEmpty { write(ByteBuffer(bytes: script.opening), context) }
        context.flush()
        switch script.ending {
        case .never: break
        case .half(let time):
            later(time, context) {
                $0.left = 0
                $1.close(mode: .output, promise: nil)
            }
        case .whole(let time): later(time, context) { $1.close(promise: nil) }
        case .reset(let time), .answered(let time): later(time, context) { $0.reset($1) }
        }
        if case .slowly = script.reading { readLater(context) }
        proceed(context)
    }

    /// Sends as much as there is room for, or one block of those that come at intervals.
    private func proceed(_ context: ChannelHandlerContext) {
        let most = script.pause == .zero ? Self.blocksPerTurn : 1
        var written = 0
        while left > 0, written < most, context.channel.isWritable {
            write(block, context)
            left -= 1
            written += 1
        }
        if written > 0 { context.flush() }
        guard left > 0, script.pause > .zero || context.channel.isWritable, !isTurnDue else { return }
        isTurnDue = true
        later(script.pause, context) { handler, context in
            handler.isTurnDue = false
            if context.channel.isActive { handler.proceed(context) }
        }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let tally = tally
        context.write(wrapOutboundOut(bytes)).whenSuccess {
            tally.sentBytes.add(bytes.readableBytes, ordering: .relaxed)
        }
    }

    private func readLater(_ context: ChannelHandlerContext) {
        later(.milliseconds(Int64(1000 / Self.readsPerSecond)), context) { handler, context in
            guard context.channel.isActive else { return }
            context.read()
            handler.readLater(context)
        }
    }

    /// Drops unsent bytes, and sends the server a reset.
    private func reset(_ context: ChannelHandlerContext) {
        guard let socket = context.channel as? any SocketOptionProvider else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    private func later(
        _ time: TimeAmount, _ context: ChannelHandlerContext,
        _ act: @escaping @Sendable (HostileConnection, ChannelHandlerContext) -> Void
    ) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: time) { act(bound.value.0, bound.value.1) }
    }
}
