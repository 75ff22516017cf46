import NIOCore

/// Carries one direction of a proxied connection. Stays on the event loop of both its channels.
final class ProxyRelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let target: any Channel
    private let carriesReplies: Bool
    private let weather: ProxyWeather
    private let cutter: ConnectionCutter?
    /// The withheld bytes; `nil` represents the end of the connection.
    private var held: [ByteBuffer?] = []
    /// The delayed bytes, each with the time of its arrival; bytes never overtake each other if the latency shrinks.
    private var delayed: [(due: NIODeadline, bytes: ByteBuffer?)] = []

    init(
        to target: any Channel, carriesReplies: Bool, _ weather: ProxyWeather, _ cutter: ConnectionCutter? = nil
    ) {
        self.target = target
        self.carriesReplies = carriesReplies
        self.weather = weather
        self.cutter = cutter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let cut = carriesReplies ? cutter?.cut(inReplies: bytes) : cutter?.cut(inRequests: bytes)
        if let (cut, count) = cut { return end(context.channel, after: count, of: &bytes, isReset: cut.isReset) }
        guard carriesReplies, let count = weather.bytesBeforeReset(of: bytes.readableBytes) else { return carry(bytes) }
        end(context.channel, after: count, of: &bytes, isReset: true)
    }

    /// Passes on the first bytes and ends the connection, both ways.
    private func end(_ source: any Channel, after count: Int, of bytes: inout ByteBuffer, isReset: Bool) {
        if let part = bytes.readSlice(length: count) { target.writeAndFlush(part, promise: nil) }
        for channel in [target, source] {
            if isReset { channel.reset() } else { channel.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { carry(nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Passes on what was held.
    func flush() {
        let pieces = held
        held = []
        for piece in pieces { carry(piece) }
    }

    private func carry(_ bytes: ByteBuffer?) {
        guard !weather.isSwallowing, held.isEmpty else { return held.append(bytes) }
        let latency = weather.latency
        guard latency > .zero || !delayed.isEmpty else { return deliver(bytes) }
        let due = NIODeadline.now() + .nanoseconds(latency.nanoseconds)
        delayed.append((due, bytes))
        target.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.deliverDue() }
    }

    private func deliverDue() {
        while let first = delayed.first, first.due <= .now() {
            delayed.removeFirst()
            deliver(first.bytes)
        }
    }

    private func deliver(_ bytes: ByteBuffer?) {
        guard let bytes else { return target.close(promise: nil) }
        target.writeAndFlush(bytes, promise: nil)
    }
}

extension Duration {
    /// Whole nanoseconds.
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
