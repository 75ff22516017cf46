internal import NIOCore
internal import Synchronization

/// Counts open connections and stops accepting at the limit: more wait in the kernel's queue until one ends.
///
/// Sits in the listening channel; running out of file descriptors is handled by NIO, which pauses for a second.
final class AcceptGate: ChannelDuplexHandler, Sendable {
    typealias InboundIn = any Channel
    typealias OutboundIn = any Channel

    private struct State: Sendable {
        var listener: (any Channel)?
        var isReadPending = false
    }

    private let connectionsMax: Int
    private let openCount = Atomic<Int>(0)
    /// Touched when connections are accepted and at the limit, never per request.
    private let state = Mutex(State())

    init(connectionsMax: Int) { self.connectionsMax = connectionsMax }

    func handlerAdded(context: ChannelHandlerContext) { state.withLock { $0.listener = context.channel } }
    func handlerRemoved(context: ChannelHandlerContext) { state.withLock { $0.listener = nil } }

    func read(context: ChannelHandlerContext) {
        guard openCount.load(ordering: .relaxed) >= connectionsMax else { return context.read() }
        state.withLock { $0.isReadPending = true }
        // One may have ended meanwhile, and seen no one to wake.
        if openCount.load(ordering: .sequentiallyConsistent) < connectionsMax { resume() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        openCount.add(1, ordering: .sequentiallyConsistent)
        unwrapInboundIn(data).closeFuture.whenComplete { _ in self.connectionDidEnd() }
        context.fireChannelRead(data)
    }

    private func connectionDidEnd() {
        openCount.subtract(1, ordering: .sequentiallyConsistent)
        resume()
    }

    private func resume() {
        let listener = state.withLock { state in
            defer { state.isReadPending = false }
            return state.isReadPending ? state.listener : nil
        }
        listener?.read()
    }
}
