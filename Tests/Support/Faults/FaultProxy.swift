import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy on the loopback that does to connections what networks do: delay, cut, reset, swallow.
package final class FaultProxy: Sendable {
    /// Where clients connect instead of to the server.
    package let port: Int
    private let listener: any Channel
    private let weather: ProxyWeather
    private let links: ProxyLinks

    private init(_ listener: any Channel, port: Int, _ weather: ProxyWeather, _ links: ProxyLinks) {
        self.listener = listener
        self.port = port
        self.weather = weather
        self.links = links
    }

    /// Listens on a free port and passes on to `target` on the loopback.
    ///
    /// - Parameter cutter: cuts connections around their COMMIT, if `target` is a PostgreSQL.
    package static func start(toward target: Int, cutter: CommitCutter? = nil) async throws -> FaultProxy {
        let (weather, links) = (ProxyWeather(), ProxyLinks(cutter))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { links.join($0, toward: target, weather) }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return FaultProxy(listener, port: port, weather, links)
    }

    /// Ends all connections and takes no more.
    package func stop() async throws {
        try await listener.close()
        links.cut()
    }

    /// Bytes arrive this much later, each way, from now on.
    package func delay(_ latency: Duration) { weather.setLatency(latency) }

    /// Nothing gets through any more, not even the end of a connection; connections stay open.
    package func swallow() { weather.setSwallowing(true) }

    /// Delivers the withheld bytes, late, as after a partition of the network.
    package func release() {
        weather.setSwallowing(false)
        links.release()
    }

    /// Ends every connection in order (FIN), both ways.
    package func cut() { links.cut() }

    /// Resets every connection (RST), both ways.
    package func reset() { links.reset() }

    /// Resets the connection that carries the reply byte number `count` from now, after that byte: amid a reply.
    package func reset(afterReplyBytes count: Int) { weather.arm(afterReplyBytes: count) }

    /// Resets amid a reply until now.
    package var resetCount: Int { weather.resetCount }
}

/// Runs `body` with a proxy before `target`, which is gone on every way out.
package func withFaultProxy<Result>(
    toward target: Int, cutter: CommitCutter? = nil, _ body: (FaultProxy) async throws -> Result
) async throws -> Result {
    let proxy = try await FaultProxy.start(toward: target, cutter: cutter)
    do {
        let result = try await body(proxy)
        try await proxy.stop()
        return result
    } catch {
        try await proxy.stop()
        throw error
    }
}

/// The current treatment of bytes; the proxy sets it, its relays read it.
final class ProxyWeather: Sendable {
    private struct State {
        var latency = Duration.zero
        var isSwallowing = false
        var replyBytesUntilReset: Int?
        var resetCount = 0
    }

    private let state = Mutex(State())

    var latency: Duration { state.withLock { $0.latency } }
    var resetCount: Int { state.withLock { $0.resetCount } }
    var isSwallowing: Bool { state.withLock { $0.isSwallowing } }

    func setLatency(_ latency: Duration) { state.withLock { $0.latency = latency } }
    func setSwallowing(_ isSwallowing: Bool) { state.withLock { $0.isSwallowing = isSwallowing } }
    func arm(afterReplyBytes count: Int) { state.withLock { $0.replyBytesUntilReset = max(1, count) } }

    /// Counts reply bytes; how many of them go through before the reset, when it is due among them.
    func bytesBeforeReset(of count: Int) -> Int? {
        state.withLock { state in
            guard let left = state.replyBytesUntilReset else { return nil }
            guard left <= count else {
                state.replyBytesUntilReset = left - count
                return nil
            }
            state.replyBytesUntilReset = nil
            state.resetCount += 1
            return left
        }
    }
}
