import NIOCore
import NIOPosix

extension ConnectionHandler {
    /// Begins to open a connection, on the event loop that will serve it; the observer learns how that ends.
    static func connect(
        _ configuration: RedisConfiguration, on eventLoop: any EventLoop, observer: Observer
    ) -> ConnectionHandler {
        let handler = ConnectionHandler(configuration, observer: observer)
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(configuration.connectTimeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
            }
            .connect(host: configuration.host, port: configuration.port)
            .whenFailure { bound.value.connectFailed($0) }
        return handler
    }
}
