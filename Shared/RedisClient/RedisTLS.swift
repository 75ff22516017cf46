import NIOCore
import NIOSSL
import Synchronization

/// TLS to Redis and to Sentinels; a server's certificate is always verified, and has to contain the name or address that is called.
package final class RedisTLS: Sendable {
    /// The certificates and the key that it is made of.
    package struct Material: Sendable {
        /// The path of a PEM file with authorities; the system's if it is `nil`.
        let authorities: String?
        /// The client's certificate chain and key, in PEM; none if it is `nil`.
        let pair: (certificates: [UInt8], key: [UInt8])?

        package init(authorities: String?, pair: (certificates: [UInt8], key: [UInt8])?) {
            (self.authorities, self.pair) = (authorities, pair)
        }
    }

    private struct Current: Sendable {
        let context: NIOSSLContext
        let ends: [String: Int64]
    }

    private let read: @Sendable () throws -> Material
    private let current: Mutex<Current>

    /// - Parameter read: Returns the material, also after its files were replaced.
    package init(_ read: @escaping @Sendable () throws -> Material) throws {
        self.read = read
        current = Mutex(try Self.made(of: read()))
    }

    /// Reads the material again, for connections that are made from then on. If that fails, the present one stays.
    package func reload() throws {
        let made = try Self.made(of: read())
        current.withLock { $0 = made }
    }

    /// The last Unix second in which the certificates are valid, by a name for metrics and log.
    package var ends: [String: Int64] { current.withLock(\.ends) }

    /// Creates the handler that encrypts a connection to `address`.
    func handler(for address: RedisAddress) throws -> NIOSSLClientHandler {
        let context = current.withLock(\.context)
        guard case .tcp(let host, _) = address, !Self.isIP(host) else {
            // Without a name the certificate has to contain the IP address.
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        return try NIOSSLClientHandler(context: context, serverHostname: host)
    }

    private static func made(of material: Material) throws -> Current {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        var ends: [String: Int64] = [:]
        if let file = material.authorities {
            let authorities = try NIOSSLCertificate.fromPEMFile(file)
            configuration.trustRoots = .certificates(authorities)
            ends["redis-ca"] = authorities.map { Int64($0.notValidAfter) }.min()
        }
        if let pair = material.pair {
            let chain = try NIOSSLCertificate.fromPEMBytes(pair.certificates)
            configuration.certificateChain = chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: pair.key, format: .pem))
            ends["redis-client"] = chain.first.map { Int64($0.notValidAfter) }
        }
        return Current(context: try NIOSSLContext(configuration: configuration), ends: ends)
    }

    private static func isIP(_ host: String) -> Bool {
        do {
            _ = try SocketAddress(ipAddress: host, port: 0)
            return true
        } catch { return false }
    }
}
