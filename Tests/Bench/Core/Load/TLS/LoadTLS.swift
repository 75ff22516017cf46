import NIOCore
import NIOEmbedded
import NIOSSL

/// How the load speaks TLS: version 1.3 with X25519, one authority trusted, and no session kept, so that every handshake is a
/// whole one.
struct LoadTLS: Sendable {
    /// The server name that clients send (SNI); certificates must be for this name.
    static let serverName = "localhost"
    /// The address of an embedded connection, which has no peer.
    private static let nowhere = "127.0.0.1"

    private let configuration: TLSConfiguration
    private let context: NIOSSLContext

    /// - Parameter authority: file (PEM) of the one that is trusted.
    init(trusting authority: String) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv13
        configuration.maximumTLSVersion = .tlsv13
        configuration.curves = [.x25519]
        configuration.trustRoots = .file(authority)
        try self.init(configuration)
    }

    private init(_ configuration: TLSConfiguration) throws {
        self.configuration = configuration
        context = try NIOSSLContext(configuration: configuration)
    }

    /// Returns the same with a protocol in ALPN.
    func speaking(_ name: String) throws -> LoadTLS {
        var configuration = configuration
        configuration.applicationProtocols = [name]
        return try LoadTLS(configuration)
    }

    /// Returns the first handler of a connection's pipeline, which verifies the server's certificate.
    func handler() throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: Self.serverName)
    }

    /// Returns the first message of a handshake, which a server answers each time: sending it costs no computation.
    func hello() throws -> [UInt8] {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(try handler())
        channel.connect(to: try SocketAddress(ipAddress: Self.nowhere, port: 1), promise: nil)
        let message = try channel.readOutbound(as: ByteBuffer.self)
        // A handshake without a response ends with an error, as it must.
        do { _ = try channel.finish(acceptAlreadyClosed: true) } catch {}
        guard let message, message.readableBytes > 0 else { throw LoadFailure.closed }
        return Array(message.readableBytesView)
    }
}
