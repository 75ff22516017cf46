import Glibc
import NIOCore
import NIOPosix

extension UpstreamGroup {
    /// Returns the options of new connections to an address.
    func bootstrap(to address: SocketAddress, on eventLoop: any EventLoop) -> ClientBootstrap {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.milliseconds(limits.connectMilliseconds))
            .channelOption(.socketOption(.so_rcvbuf), value: limits.receiveBufferBytes)
            .channelOption(.recvAllocator, value: ReceiveBuffers())
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024))
        guard address.protocol != .unix else { return bootstrap }
        return bootstrap.channelOption(
            .tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: limits.notSentBytesMax)
    }
}
