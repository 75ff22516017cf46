import Glibc
import NIOCore
import NIOSSL

/// How the gateway speaks TLS to upstreams: always verified, by certificate and name.
package struct UpstreamTLS: Sendable {
    /// Why nobody can be verified.
    package enum Problem: Error, CustomStringConvertible {
        case noSystemRoots
        case unreadable(file: String)

        package var description: String {
            switch self {
            case .noSystemRoots: "the system has no certificates of authorities (package ca-certificates)"
            case .unreadable(let file): "'\(file)' is no readable file of certificates (PEM)"
            }
        }
    }

    /// How long the other side may take to say farewell too.
    private static let farewellTime: TimeAmount = .seconds(1)
    private static let systemRoots = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    private let context: NIOSSLContext

    /// Reads whom to believe: the authorities of a file (PEM), or with nil those of the system.
    package init(authorities file: String?) throws(Problem) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = CipherSuites.offered
        configuration.certificateVerification = .fullVerification
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = Self.farewellTime
        let roots = file ?? Self.systemRoots.first { unsafe access($0, R_OK) == 0 }
        guard let roots else { throw .noSystemRoots }
        do {
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(roots))
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .unreadable(file: roots)
        }
    }

    /// Encrypts a connection to `endpoint`, and ends it when its certificate is not one to believe.
    func handler(for endpoint: UpstreamEndpoint) throws -> NIOSSLClientHandler {
        // Without a name the certificate has to bear the address.
        try NIOSSLClientHandler(context: context, serverHostname: endpoint.serverName)
    }

    /// Ends a connection at once, without a farewell.
    static func cut(_ channel: any Channel) {
        do {
            try channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self).close(promise: nil)
        } catch {
            // It is closed already.
            channel.close(promise: nil)
        }
    }
}
