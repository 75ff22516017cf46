import NIOCore
import Synchronization

/// Counts open connections; when slots run short it has one taken back for each that comes, and at the limit more wait in
/// the kernel's queue until one has ended.
///
/// Sits in the listening channel; running out of file descriptors is handled by NIO, which pauses for a second.
final class AcceptGate: ChannelDuplexHandler, Sendable {
    typealias InboundIn = any Channel
    typealias OutboundIn = any Channel

    private struct State: Sendable {
        var listener: (any Channel)?
        var isReadPending = false
    }

    /// The last part of all slots is kept free, so that a newcomer does not wait for another's end.
    static let sparePart = 64
    /// How soon another one is taken back while newcomers wait, once the one before was of use after all.
    private static let retryInterval: TimeAmount = .milliseconds(20)
    /// After so many intervals another is taken back though the one before is still to end: its thread may be busy for long.
    private static let patience = 10

    private let connections: OpenConnections
    private let connectionsMax: Int
    private let fullFrom: Int
    /// Touched when connections are accepted and at the limit, never per request.
    private let state = Mutex(State())

    init(connections: OpenConnections) {
        self.connections = connections
        connectionsMax = connections.limits.connectionsMax
        fullFrom = connectionsMax - connectionsMax / Self.sparePart
    }

    func handlerAdded(context: ChannelHandlerContext) { state.withLock { $0.listener = context.channel } }
    func handlerRemoved(context: ChannelHandlerContext) { state.withLock { $0.listener = nil } }

    func read(context: ChannelHandlerContext) {
        guard openCount >= connectionsMax else { return context.read() }
        state.withLock { $0.isReadPending = true }
        // One may have ended meanwhile, and seen no one to wake.
        if openCount < connectionsMax { resume() } else { makeRoom(on: context.eventLoop, waited: 0) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = connections.acceptedCount.add(1, ordering: .sequentiallyConsistent).newValue
        unwrapInboundIn(data).closeFuture.whenComplete { _ in self.connectionDidEnd() }
        context.fireChannelRead(data)
        if count > fullFrom { _ = connections.takeBack() }
    }

    private var openCount: Int { connections.acceptedCount.load(ordering: .sequentiallyConsistent) }

    private func connectionDidEnd() {
        connections.acceptedCount.subtract(1, ordering: .sequentiallyConsistent)
        resume()
    }

    /// Takes connections back for those that wait, until one has ended: what was chosen may have begun to be answered.
    private func makeRoom(on eventLoop: any EventLoop, waited: Int) {
        // Connections of another listener end without this one's notice.
        guard openCount >= connectionsMax else { return resume() }
        let listener = state.withLock { $0.isReadPending ? $0.listener : nil }
        guard listener != nil else { return }
        let mayTake = !connections.isTakingBack || waited >= Self.patience
        if mayTake, listener.map(SocketQueue.hasWaiting) ?? false { _ = connections.takeBack() }
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
