import NIOCore
import Synchronization

/// Counts open connections. When slots run short it takes one back for each new connection. At the limit new connections wait in
/// the kernel's queue until one has ended.
///
/// It is in the listening channel. If file descriptors run out, NIO pauses for a second.
final class AcceptGate: ChannelDuplexHandler, Sendable {
    typealias InboundIn = any Channel
    typealias OutboundIn = any Channel

    private struct State: Sendable {
        var listener: (any Channel)?
        var isReadPending = false
    }

    /// The divisor of all slots that gives the part kept free, so that a new connection does not wait until another one has ended.
    static let sparePart = 64
    /// The interval after which another connection is taken back while new ones wait, if the last one turned out to be in use.
    private static let retryInterval: TimeAmount = .milliseconds(20)
    /// The number of intervals after which another one is taken back although the last one has not ended. Its thread may be busy
    /// for long.
    private static let patience = 10

    private let census: ConnectionCensus
    /// Accessed when connections are accepted and at the limit, never per request.
    private let state = Mutex(State())

    init(census: ConnectionCensus) { self.census = census }

    private var connectionsMax: Int { census.connectionsMax }

    func handlerAdded(context: ChannelHandlerContext) { state.withLock { $0.listener = context.channel } }
    func handlerRemoved(context: ChannelHandlerContext) { state.withLock { $0.listener = nil } }

    func read(context: ChannelHandlerContext) {
        guard openCount >= connectionsMax else { return context.read() }
        state.withLock { $0.isReadPending = true }
        // A connection may have ended meanwhile, before this one waited for it.
        if openCount < connectionsMax { resume() } else { makeRoom(on: context.eventLoop, waited: 0) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = census.acceptedCount.add(1, ordering: .sequentiallyConsistent).newValue
        unwrapInboundIn(data).closeFuture.whenComplete { _ in self.connectionDidEnd() }
        context.fireChannelRead(data)
        let max = connectionsMax
        if count > max - max / Self.sparePart { _ = census.takeBack() }
    }

    private var openCount: Int { census.acceptedCount.load(ordering: .sequentiallyConsistent) }

    private func connectionDidEnd() {
        census.acceptedCount.subtract(1, ordering: .sequentiallyConsistent)
        resume()
    }

    /// Takes connections back for waiting ones until one has ended. The chosen one may have received a request meanwhile.
    private func makeRoom(on eventLoop: any EventLoop, waited: Int) {
        // Connections of another listener end without a notice to this one.
        guard openCount >= connectionsMax else { return resume() }
        let listener = state.withLock { $0.isReadPending ? $0.listener : nil }
        guard listener != nil else { return }
        let mayTake = !census.isTakingBack || waited >= Self.patience
        if mayTake, listener.map(SocketQueue.hasWaiting) ?? false { _ = census.takeBack() }
        eventLoop.scheduleTask(in: Self.retryInterval) {
            self.makeRoom(on: eventLoop, waited: mayTake ? 0 : waited + 1)
        }
    }

    private func resume() {
        let listener = state.withLock { state in
            defer { state.isReadPending = false }
            return state.isReadPending ? state.listener : nil
        }
        listener?.read()
    }
}
