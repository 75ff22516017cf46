import NIOCore
import NIOSSL
package import OutgoingConnections
import Synchronization

/// The gateway's TLS to upstreams, which are always verified by certificate and name.
package struct UpstreamTLS: Sendable {
    /// The reason why no upstream can be verified.
    package enum Problem: Error, CustomStringConvertible {
        case noSystemRoots
        case unreadable(file: String)

        package var description: String {
            switch self {
            case .noSystemRoots: "the system has no certificates of authorities (package ca-certificates)"
            case .unreadable(let file): "the file \(file) does not exist, cannot be read, or has no certificate in PEM."
            }
        }
    }

    /// How long the other side may take to send its close_notify.
    private static let goodbyeTime: TimeAmount = .seconds(1)

    /// Returns the context of the next connection.
    private let context: @Sendable () -> NIOSSLContext
    /// The authorities that were read last; `nil` if they are Latchkey's own.
    private let latest: Latest?

    private final class Latest: Sendable {
        let context: Mutex<NIOSSLContext>

        init(_ context: NIOSSLContext) { self.context = Mutex(context) }
    }

    /// Trusts only the authorities of Latchkey's own processes.
    package init(_ authorities: InternalAuthorities) {
        context = { authorities.context }
        latest = nil
    }

    /// Trusts the authorities of `other` from the next connection on.
    package func use(_ other: UpstreamTLS) { latest?.context.withLock { $0 = other.context() } }

    /// Loads the trusted authorities: those of a file (PEM), or, if it is `nil`, those of the system and `own`.
    package init(authorities file: String?, own: OwnAuthorities? = nil) throws(Problem) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = CipherSuites.offered
        configuration.certificateVerification = .fullVerification
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = Self.goodbyeTime
        let roots = file ?? SystemAuthorities.file
        guard let roots else { throw .noSystemRoots }
        do {
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(roots))
            if file == nil, let own { configuration.additionalTrustRoots = [.certificates(own.certificates)] }
            let latest = Latest(try NIOSSLContext(configuration: configuration))
            self.latest = latest
            context = { latest.context.withLock(\.self) }
        } catch {
            throw .unreadable(file: roots)
        }
    }

    /// Creates the handler that encrypts a connection to `endpoint`, and closes it if the certificate cannot be verified.
    func handler(for endpoint: UpstreamEndpoint) throws -> NIOSSLClientHandler {
        // Without a name the certificate has to contain the IP address.
        try NIOSSLClientHandler(context: context(), serverHostname: endpoint.serverName)
    }

    /// Closes a connection at once, without a close_notify.
    static func cut(_ channel: any Channel) {
        do {
            try channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self).close(promise: nil)
        } catch {
            // It is closed already.
            channel.close(promise: nil)
        }
    }
}
