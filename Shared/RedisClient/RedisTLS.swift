import NIOCore
import NIOSSL

/// TLS to Redis and to Sentinels; a server's certificate is always verified, and has to contain the name or address that is called.
package struct RedisTLS: Sendable {
    private let context: NIOSSLContext

    /// - Parameters:
    ///   - authorities: The path of a PEM file; the system's if it is `nil`.
    ///   - pair: The client's certificate chain and key, in PEM; none if it is `nil`.
    package init(authorities: String?, pair: (certificates: [UInt8], key: [UInt8])?) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        if let authorities { configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities)) }
        if let pair {
            configuration.certificateChain = try NIOSSLCertificate.fromPEMBytes(pair.certificates).map {
                .certificate($0)
            }
            configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: pair.key, format: .pem))
        }
        context = try NIOSSLContext(configuration: configuration)
    }

    /// Creates the handler that encrypts a connection to `address`.
    func handler(for address: RedisAddress) throws -> NIOSSLClientHandler {
        guard case .tcp(let host, _) = address, !Self.isIP(host) else {
            // Without a name the certificate has to contain the IP address.
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        return try NIOSSLClientHandler(context: context, serverHostname: host)
    }

    private static func isIP(_ host: String) -> Bool {
        do {
            _ = try SocketAddress(ipAddress: host, port: 0)
            return true
        } catch { return false }
    }
}
