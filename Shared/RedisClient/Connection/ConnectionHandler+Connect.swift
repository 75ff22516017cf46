import NIOCore
import NIOPosix
import ServerNames

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
                .resolver(configuration.names.resolver(on: eventLoop))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(to: address)
                .flatMapThrowing { try bound.value.serve($0, at: address, configuration.tls) }
                .whenFailure { bound.value.connectFailed($0) }
        }
        return handler
    }

    /// Takes an open channel. A name may have several addresses, each with a channel of its own, so only the one that is kept gets
    /// the handlers.
    private func serve(_ channel: any Channel, at address: RedisAddress, _ tls: RedisTLS?) throws {
        do {
            if let tls { try channel.pipeline.syncOperations.addHandler(try tls.handler(for: address)) }
            try channel.pipeline.syncOperations.addHandler(self)
        } catch {
            channel.close(promise: nil)
            throw error
        }
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
