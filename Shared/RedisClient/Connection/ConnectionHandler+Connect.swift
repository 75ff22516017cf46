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
            guard let address = bound.value.address else { return bound.value.connectFailed(RedisError.noMaster) }
            ClientBootstrap(group: eventLoop)
                .connectTimeout(TimeAmount(configuration.connectTimeout))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls = configuration.tls {
                            try channel.pipeline.syncOperations.addHandler(try tls.handler(for: address))
                        }
                        try channel.pipeline.syncOperations.addHandler(bound.value)
                    }
                }
                .connect(to: address)
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
