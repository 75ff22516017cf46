package import Logging
import NIOCore
package import NIOSSL
import PrivateFiles
package import ServiceKit
import Synchronization
import TLSPairs

/// The certificate of a service's own port: `LATCHKEY_INTERNAL_TLS_CERTIFICATE` and the secret `internal_tls_key`.
///
/// Both are read again on SIGHUP. Connections stay; handshakes from then on use the new certificate.
package final class ServiceCertificate: Sendable {
    private static let setting = "LATCHKEY_INTERNAL_TLS_CERTIFICATE"
    private static let secret = "internal_tls_key"
    /// The name in metrics and log lines.
    private static let name = "internal"
    private static let fileBytesMax = 256 * 1024

    /// A certificate in BoringSSL's form.
    private struct Identity: Sendable {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
        let notAfter: Int64

        init(_ pair: TLSPair) throws {
            chain = try pair.chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
            key = .privateKey(try NIOSSLPrivateKey(bytes: pair.key, format: .pem))
            notAfter = pair.notAfter
        }
    }

    private let settings: ProcessSettings
    private let current: Mutex<Identity>

    /// Reads the certificate; `nil` if the setting is not set.
    ///
    /// An expired one is used at the start: callers refuse it, and say why, as this process does.
    package init?(_ settings: ProcessSettings) throws {
        guard let identity = try Self.read(settings, mayBeExpired: true) else { return nil }
        self.settings = settings
        current = Mutex(identity)
    }

    /// The last Unix second in which it is valid.
    package var notAfter: Int64 { current.withLock(\.notAfter) }

    /// The TLS of a server; each handshake uses the certificate of its moment.
    package var tls: TLSConfiguration {
        let first = current.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain, privateKey: first.key)
        configuration.minimumTLSVersion = .tlsv13
        configuration.shutdownTimeout = .seconds(1)
        configuration.sslContextCallback = { _, promise in
            let identity = self.current.withLock { $0 }
            var changes = NIOSSLContextConfigurationOverride()
            changes.certificateChain = identity.chain
            changes.privateKey = identity.key
            promise.succeed(changes)
        }
        return configuration
    }

    /// Returns the service that reads the certificate again on SIGHUP.
    package func upkeep(logger: Logger) -> CertificateUpkeep {
        CertificateUpkeep(logger: logger) {
            [Self.name: self.notAfter]
        } reload: {
            try self.reload()
        }
    }

    /// Reads the certificate again. If it cannot be used now, the old one stays.
    package func reload() throws {
        guard let identity = try Self.read(settings, mayBeExpired: false) else { return }
        current.withLock { $0 = identity }
    }

    private static func read(_ settings: ProcessSettings, mayBeExpired: Bool) throws -> Identity? {
        guard let file = settings.variable(setting) else { return nil }
        guard let key = try settings.secrets.optionalText(secret) else {
            throw SettingsError.missing(
                "secret \(secret)", because: "\(setting) is set", use: "the certificate's private key, in PEM")
        }
        do {
            let pair = try TLSPair(
                name: name, certificatePEM: try PrivateFile.bytes(file, max: fileBytesMax),
                keyPEM: Array(key.value.utf8), files: (file, "the secret \(secret)"))
            switch pair.problem(pins: [], now: UnixTime.seconds()) {
            case nil: break
            case .expired where mayBeExpired: break
            case let problem?: throw problem
            }
            return try Identity(pair)
        } catch { throw SettingsError(setting, "\(file) cannot be used: \(error)") }
    }
}
