package import NIOCore
package import NIOPosix
import Synchronization

extension ServerNames {
    /// Returns the resolver for one connection by a `ClientBootstrap` of the loop.
    package func resolver(on loop: any EventLoop) -> any Resolver & Sendable { NameResolver(names: self, loop: loop) }
}

/// Resolves the name of one connection: both kinds of addresses come from one lookup.
private final class NameResolver: Resolver, Sendable {
    private let names: ServerNames
    private let loop: any EventLoop
    private let found = Mutex<EventLoopFuture<[SocketAddress]>?>(nil)

    init(names: ServerNames, loop: any EventLoop) { (self.names, self.loop) = (names, loop) }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port).map { $0.filter { $0.protocol == .inet6 } }
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port).map { $0.filter { $0.protocol == .inet } }
    }

    func cancelQueries() {}

    private func addresses(of host: String, _ port: Int) -> EventLoopFuture<[SocketAddress]> {
        found.withLock { found in
            if let found { return found }
            let begun = names.addresses(of: host, port: port, on: loop)
            found = begun
            return begun
        }
    }
}
