import NIOCore
import NIOSSL
package import Policies
import Synchronization
package import TLSPairs

/// The certificates that clients get. They are replaced as a whole, so a handshake uses the old ones or the new ones.
///
/// Connections keep the certificates with which they began. Tickets for resumption belong to one set of certificates. After a
/// replacement a returning client makes one full handshake.
package final class TLSCertificates: Sendable {
    private struct Current: Sendable {
        let pairs: [TLSPair]
        let minimum: EdgeTLSPolicy.Version
        let context: NIOSSLContext
    }

    /// Accessed once for each handshake.
    private let current: Mutex<Current>

    /// - Parameter pairs: the pairs, at least one.
    package init(_ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version) throws {
        current = Mutex(
            Current(pairs: pairs, minimum: minimum, context: try Self.context(pairs, minimum: minimum)))
    }

    package var pairs: [TLSPair] { current.withLock(\.pairs) }

    /// The context of the next handshake.
    var context: NIOSSLContext { current.withLock(\.context) }

    /// Uses other certificates from the next handshake on. If BoringSSL refuses one, it throws and the old ones stay.
    ///
    /// It reads files and computes, so it must not run on an event loop.
    ///
    /// - Parameter minimum: the least version of TLS; `nil` leaves it as it is.
    package func replace(with pairs: [TLSPair], minimum: EdgeTLSPolicy.Version? = nil) throws {
        let minimum = minimum ?? current.withLock(\.minimum)
        let next = Current(pairs: pairs, minimum: minimum, context: try Self.context(pairs, minimum: minimum))
        current.withLock { $0 = next }
    }

    /// Whether a client that requests `host` accepts one of them.
    package func covers(host: String) -> Bool { pairs.contains { $0.covers(host: host) } }

    private static func context(_ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version) throws -> NIOSSLContext {
        guard let base = CertificateChoice.base(of: pairs) else { throw NIOSSLError.failedToLoadCertificate }
        let identities = try pairs.map(TLSIdentity.init)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: identities[base].chain, privateKey: identities[base].key)
        configuration.minimumTLSVersion = minimum == .tls13 ? .tlsv13 : .tlsv12
        configuration.cipherSuiteValues = CipherSuites.served
        // SHA-1 is left out, since BoringSSL would use it for a client that accepts nothing else.
        configuration.signingSignatureAlgorithms = [
            .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha256, .rsaPssRsaeSha384, .rsaPssRsaeSha512,
            .rsaPkcs1Sha256, .rsaPkcs1Sha384, .rsaPkcs1Sha512,
        ]
        configuration.applicationProtocols = ["http/1.1"]
        configuration.renegotiationSupport = .none
        configuration.shutdownTimeout = .seconds(1)
        if pairs.count > 1 {
            configuration.sslContextCallback = { values, promise in
                guard let index = CertificateChoice.index(of: values.serverHostname, among: pairs) else {
                    return promise.fail(NIOSSLError.failedToLoadCertificate)
                }
                promise.succeed(index == base ? .noChanges : identities[index].override)
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }
}

extension TLSCertificates {
    /// Whether BoringSSL accepts a pair. It may refuse one that libcrypto has read.
    package static func accepts(_ pair: TLSPair) -> Bool {
        do { _ = try context([pair], minimum: .tls13) } catch { return false }
        return true
    }
}

/// A pair in BoringSSL's form.
private struct TLSIdentity: Sendable {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource

    init(_ pair: TLSPair) throws {
        chain = try pair.chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
        key = .privateKey(try NIOSSLPrivateKey(bytes: pair.key, format: .pem))
    }

    /// The changes for a handshake that began with another pair.
    var override: NIOSSLContextConfigurationOverride {
        var changes = NIOSSLContextConfigurationOverride()
        changes.certificateChain = chain
        changes.privateKey = key
        return changes
    }
}
