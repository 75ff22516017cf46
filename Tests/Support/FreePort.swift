import FoundationEssentials
import NIOCore
import NIOPosix

/// Loopback ports without a listener.
package enum FreePort {
    /// None was free in this many tries.
    package struct NoneFree: Error {}

    private static let triesMax = 100
    private static let least = 10_000
    /// Where the kernel's begin unless set otherwise.
    private static let usualLeastOfConnections = 32_768

    /// One that was free a moment ago; another process may take it in between.
    ///
    /// It lies below those that the kernel gives to connections: who asks such a port again and again whether its server is
    /// there yet may be given the very same one to ask from, is then connected with itself, and the server finds it taken.
    package static func find() async throws -> Int {
        for _ in 0..<triesMax {
            if let port = try await freed(Int.random(in: least..<(try leastOfConnections()))) { return port }
        }
        throw NoneFree()
    }

    private static func freed(_ port: Int) async throws -> Int? {
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: port).get()
        } catch {
            return nil
        }
        try await channel.close()
        return port
    }

    private static func leastOfConnections() throws -> Int {
        let range = try String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let first = range.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 0
        return first > 2 * least ? first : usualLeastOfConnections
    }
}
