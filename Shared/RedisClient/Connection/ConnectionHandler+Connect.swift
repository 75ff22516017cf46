import NIOCore
import NIOPosix

extension ConnectionHandler {
    /// Starts to open a connection on the event loop that will serve it; the observer is notified of the result, but not
    /// before this returns.
    static func connect(
        _ configuration: RedisConfiguration, on eventLoop: any EventLoop, observer: Observer
    ) -> ConnectionHandler {
        let handler = ConnectionHandler(configuration, observer: observer)
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        // Deferred, because a missing socket file or a stopped server fails at once.
        eventLoop.execute {
            ClientBootstrap(group: eventLoop)
                .connectTimeout(TimeAmount(configuration.connectTimeout))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(bound.value)
                    }
                }
                .connect(to: configuration.address)
                .whenFailure { bound.value.connectFailed($0) }
        }
        return handler
    }
}

extension ClientBootstrap {
    fileprivate func connect(to address: RedisAddress) -> EventLoopFuture<any Channel> {
        switch address {
        case .tcp(let host, let port): connect(host: host, port: port)
        case .unix(let path): connect(unixDomainSocketPath: path)
        }
    }
}
