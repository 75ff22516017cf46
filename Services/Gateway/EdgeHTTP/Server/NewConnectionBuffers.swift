import NIOCore
import Synchronization

/// Chooses the receive buffers of new connections: the kernel's usual size, and a small one while many connections are open.
/// Connections that wait to be served could otherwise fill the kernel's memory with their requests before they are looked at.
///
/// It is in the listening channel. A connection that began with a small buffer gets the usual size when a body is read from it
/// (`ServerConnection`).
final class NewConnectionBuffers: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// The part of the memory for connections that buffers of the usual size may fill.
    private static let memoryDivisor = 2

    private let census: ConnectionCensus
    private let usual: CInt
    private let smallFrom: Int
    private var current: CInt?

    /// Creates the handler, or returns `nil` if the kernel cannot do this.
    ///
    /// - Parameter bytesMax: the memory for all connections.
    init?(_ census: ConnectionCensus, bytesMax: Int) {
        guard let usual = ReceiveBufferSize.usual else { return nil }
        self.census = census
        self.usual = usual
        smallFrom = Self.smallFrom(bytesMax: bytesMax, usual: usual)
    }

    /// Returns the number of connections from which on new ones begin with a small buffer.
    static func smallFrom(bytesMax: Int, usual: CInt) -> Int { bytesMax / memoryDivisor / Int(usual) }

    func handlerAdded(context: ChannelHandlerContext) {
        // An inherited socket may still have a small buffer.
        current = ReceiveBufferSize.current(of: context.channel)
        choose(for: context.channel)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        choose(for: context.channel)
        context.fireChannelReadComplete()
    }

    private func choose(for listener: any Channel) {
        let open = census.acceptedCount.load(ordering: .relaxed) + SocketQueue.waitingCount(listener)
        let wanted = open >= smallFrom ? ReceiveBufferSize.small : usual
        guard wanted != current else { return }
        current = wanted
        ReceiveBufferSize.set(wanted, of: listener)
    }
}
