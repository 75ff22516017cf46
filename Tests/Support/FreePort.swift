internal import NIOCore
internal import NIOPosix

/// Ports of the loopback that nobody listens on.
package enum FreePort {
    /// One that was free a moment ago; another process may take it in between.
    package static func find() async throws -> Int {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port
        try await channel.close()
        guard let port else { throw ChannelError.unknownLocalAddress }
        return port
    }
}
