import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The connections that a proxy carries: pairs of channels on one event loop.
final class ProxyLinks: Sendable {
    private struct Link: Sendable {
        let client: any Channel
        let server: any Channel
        let relays: NIOLoopBound<[ProxyRelay]>
    }

    private let links = Mutex<[ObjectIdentifier: Link]>([:])
    private let cutter: CommitCutter?

    init(_ cutter: CommitCutter? = nil) { self.cutter = cutter }

    /// Connects a client's channel with the target; a target that does not answer ends the client's connection.
    func join(_ client: any Channel, toward target: Int, _ weather: ProxyWeather) -> EventLoopFuture<Void> {
        ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: target)
            .flatMap { server in
                client.eventLoop.makeCompletedFuture { try self.add(client, server, weather) }.flatMap {
                    server.setOption(.autoRead, value: true).and(client.setOption(.autoRead, value: true)).map { _ in }
                }
            }
            .flatMapError { error in
                client.close().flatMapThrowing { throw error }
            }
    }

    /// Ends all in order.
    func cut() {
        for link in current {
            link.client.close(promise: nil)
            link.server.close(promise: nil)
        }
    }

    /// Resets all.
    func reset() {
        for link in current {
            link.client.reset()
            link.server.reset()
        }
    }

    /// Lets go what was swallowed.
    func release() {
        for link in current {
            link.client.eventLoop.execute {
                for relay in link.relays.value { relay.flush() }
            }
        }
    }

    private var current: [Link] { links.withLock { Array($0.values) } }

    private func add(_ client: any Channel, _ server: any Channel, _ weather: ProxyWeather) throws {
        let cuts = cutter.map { ConnectionCutter($0) }
        let requests = ProxyRelay(to: server, carriesReplies: false, weather, cuts)
        let replies = ProxyRelay(to: client, carriesReplies: true, weather, cuts)
        try client.pipeline.syncOperations.addHandler(requests)
        try server.pipeline.syncOperations.addHandler(replies)
        let relays = NIOLoopBound([requests, replies], eventLoop: client.eventLoop)
        let key = ObjectIdentifier(client)
        links.withLock { $0[key] = Link(client: client, server: server, relays: relays) }
        // One end may be gone while what it sent is held, and arrives later.
        client.closeFuture.and(server.closeFuture).whenComplete { _ in
            _ = self.links.withLock { $0.removeValue(forKey: key) }
        }
    }
}

extension Channel {
    /// Closes with RST: what the peer has not read yet is of no worth to it.
    func reset() {
        guard let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}
