package import Logging
import NIOCore
package import NIOSSL
package import ServiceKit
import Synchronization

/// The authorities that certify Latchkey's processes for each other: `LATCHKEY_INTERNAL_CA`.
///
/// Calls to https addresses of other processes trust no other authority, and verify the name in the certificate. On SIGHUP the
/// file is read again; connections that are made after it use the new authorities.
package final class InternalAuthorities: Sendable {
    private struct Trust: Sendable {
        let tls: TLSConfiguration
        let context: NIOSSLContext
        /// The last Unix second in which all authorities are valid.
        let notAfter: Int64
    }

    /// The name in metrics and log lines.
    private static let name = "internal-ca"
    /// How long the other side may take to send its close_notify.
    private static let goodbyeTime: TimeAmount = .seconds(1)

    private let file: String
    private let current: Mutex<Trust>

    /// Reads the authorities in a PEM file.
    package init(file: String) throws(SettingsError) {
        self.file = file
        current = Mutex(try Self.read(file))
    }

    /// The TLS of a client that trusts them.
    package var tls: TLSConfiguration { current.withLock(\.tls) }

    /// A context with that TLS, for connections.
    package var context: NIOSSLContext { current.withLock(\.context) }

    /// Returns the service that reads the file again on SIGHUP.
    package func upkeep(logger: Logger) -> CertificateUpkeep {
        CertificateUpkeep(logger: logger) {
            [Self.name: self.current.withLock(\.notAfter)]
        } reload: {
            try self.reload()
        }
    }

    /// Reads the file again. If that fails, the authorities stay.
    package func reload() throws(SettingsError) {
        let read = try Self.read(file)
        current.withLock { $0 = read }
    }

    private static func read(_ file: String) throws(SettingsError) -> Trust {
        do {
            let certificates = try OwnAuthorities(file: file).certificates
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv13
            configuration.trustRoots = .certificates(certificates)
            configuration.shutdownTimeout = goodbyeTime
            let ends = certificates.map { Int64($0.notValidAfter) }
            return Trust(
                tls: configuration, context: try NIOSSLContext(configuration: configuration),
                notAfter: ends.min() ?? .min)
        } catch { throw SettingsError(InternalURLs.authoritiesSetting, "\(error)") }
    }
}

extension VariableSource {
    /// Reads `LATCHKEY_INTERNAL_CA`; `nil` if it is not set.
    package func internalAuthorities() throws(SettingsError) -> InternalAuthorities? {
        guard let file = variable(InternalURLs.authoritiesSetting) else { return nil }
        return try InternalAuthorities(file: file)
    }
}
