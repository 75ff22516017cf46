import Glibc
package import NIOSSL
import PrivateFiles
package import ServiceKit

/// Authorities of the operator's own, which outgoing calls trust in addition to those of the system: `LATCHKEY_CA_FILE`.
package struct OwnAuthorities: Sendable, Equatable {
    /// The PEM file does not exist, cannot be read, or contains no certificate.
    package struct Unreadable: Error, CustomStringConvertible {
        package let file: String

        package var description: String {
            "the file \(file) does not exist, cannot be read, or has no certificate in PEM."
        }
    }

    /// The greatest size of a file that is passed to a mail server's library.
    private static let bytesMax = 2 << 20
    package static let setting = "LATCHKEY_CA_FILE"

    /// The file's path.
    package let file: String
    package let certificates: [NIOSSLCertificate]

    package init(file: String) throws(Unreadable) {
        self.file = file
        do { certificates = try NIOSSLCertificate.fromPEMFile(file) } catch { throw Unreadable(file: file) }
        guard !certificates.isEmpty else { throw Unreadable(file: file) }
    }

    /// Returns the system's authorities and these, in PEM.
    package func withSystem() throws(SettingsError) -> [UInt8] {
        do {
            let system = SystemAuthorities.file.map { [$0] } ?? []
            return try (system + [file]).flatMap { path in
                try PrivateFile.bytes(path, max: Self.bytesMax) + [UInt8(ascii: "\n")]
            }
        } catch { throw SettingsError(Self.setting, Unreadable(file: file).description) }
    }

    /// The TLS of a client that trusts the system's authorities and these.
    package var tls: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }
}

/// The file of the system's authorities.
package enum SystemAuthorities {
    private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    /// The path of the file, or `nil` if the system has none.
    package static var file: String? { files.first { unsafe access($0, R_OK) == 0 } }
}

extension ProcessSettings {
    /// Reads `LATCHKEY_CA_FILE`; `nil` if it is not set.
    package func ownAuthorities() throws(SettingsError) -> OwnAuthorities? {
        guard let file = variable(OwnAuthorities.setting) else { return nil }
        do throws(OwnAuthorities.Unreadable) { return try OwnAuthorities(file: file) } catch {
            throw SettingsError(OwnAuthorities.setting, error.description)
        }
    }
}
