import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A server with which no request succeeds.
package enum FaultyServer: String, CaseIterable, Sendable {
    /// Nothing listens at the port.
    case closedPort
    /// The host's name has no address.
    case wrongName
    /// TLS with a certificate of an authority that is not trusted.
    case foreignAuthority
    /// TLS is expected, and the server speaks something else.
    case noTLS
    /// The connection is accepted, and nothing is ever sent.
    case silentTLS, silent
    /// The connection closes when the request arrives.
    case closing

    /// The word for the failure in logs, traces and metrics.
    package var word: String {
        switch self {
        case .closedPort: "connection_refused"
        case .wrongName: "name_not_found"
        case .foreignAuthority: "untrusted_certificate"
        case .noTLS: "handshake_failed"
        case .silentTLS: "connect_timed_out"
        case .silent: "timed_out"
        case .closing: "connection_closed"
        }
    }

    package var usesTLS: Bool { [.foreignAuthority, .noTLS, .silentTLS].contains(self) }

    /// Runs `body` with the server's host and port.
    package func run<Value>(_ body: (String, Int) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.path + "/faulty-\(UUID().uuidString.prefix(8))"
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        let tls = try await self == .foreignAuthority ? Self.foreign(in: folder) : nil
        let greeting = self == .noTLS ? "HTTP/1.1 400 \r\n\r\n" : nil
        return try await Self.serve(tls, greeting: greeting, closes: self == .closing) { port, stop in
            if self == .closedPort { try await stop() }
            return try await body(self == .wrongName ? "nowhere.invalid" : "localhost", port)
        }
    }

    /// Runs `body` with the port of a TLS server that sends `reply` when something arrives.
    package static func withTLS<Value>(
        _ certificate: TestCertificate, replying reply: String, _ body: (Int) async throws -> Value
    ) async throws -> Value {
        try await serve(try certificate.server(), greeting: reply, closes: false) { port, _ in try await body(port) }
    }

    /// Runs `body` with the base URL of the server.
    package func withURL<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        try await run { host, port in try await body("\(usesTLS ? "https" : "http")://\(host):\(port)") }
    }

    private static func foreign(in folder: String) async throws -> NIOSSLContext {
        let certificate = try await TestAuthority.make("foreign", in: folder).issue("server")
        return try certificate.server()
    }

    /// Runs `body` with a server that answers every byte with `greeting`, or closes the connection then.
    private static func serve<Value>(
        _ tls: NIOSSLContext?, greeting: String?, closes: Bool,
        _ body: (Int, () async throws -> Void) async throws -> Value
    ) async throws -> Value {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    if greeting != nil || closes {
                        try channel.pipeline.syncOperations.addHandler(Interruption(greeting: greeting, closes: closes))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        let value: Value
        do {
            value = try await body(port) { try await server.close() }
        } catch {
            if server.isActive { try await server.close() }
            throw error
        }
        if server.isActive { try await server.close() }
        return value
    }
}

private final class Interruption: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: String?
    private let closes: Bool

    init(greeting: String?, closes: Bool) { (self.greeting, self.closes) = (greeting, closes) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let greeting {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: greeting)), promise: nil)
        }
        if closes { context.close(promise: nil) }
    }
}
