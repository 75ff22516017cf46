import NIOCore
import NIOPosix

/// An upstream that accepts connections and never reads what comes over them.
struct StalledUpstream: Sendable {
    let port: Int

    /// Runs `body` while it listens, and ends it on every path.
    static func run<Value: Sendable>(_ body: (StalledUpstream) async throws -> Value) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 1024)
                .childChannelOption(ChannelOptions.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0).get()
            guard let port = channel.localAddress?.port else { throw LoadFailure.closed }
            let value = try await body(StalledUpstream(port: port))
            try await group.shutdownGracefully()
            return value
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }
}
