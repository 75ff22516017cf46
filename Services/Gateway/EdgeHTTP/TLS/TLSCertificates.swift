import NIOCore
import NIOSSL
package import Policies
import Synchronization
package import TLSPairs

/// The certificates that clients are shown, replaced as a whole: a handshake sees the old ones or the new ones.
///
/// Connections keep what they began with. Tickets for resumption are of one set of certificates: after a replacement a client
/// that comes back shakes hands in full, once.
package final class TLSCertificates: Sendable {
    private struct Current: Sendable {
        let pairs: [TLSPair]
        let context: NIOSSLContext
    }

    private let minimum: EdgeTLSPolicy.Version
    /// Touched once for each handshake.
    private let current: Mutex<Current>

    /// - Parameter pairs: at least one.
    package init(_ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version) throws {
        self.minimum = minimum
        current = Mutex(Current(pairs: pairs, context: try Self.context(pairs, minimum: minimum)))
    }

    package var pairs: [TLSPair] { current.withLock(\.pairs) }

    /// What the next handshake is made with.
    var context: NIOSSLContext { current.withLock(\.context) }

    /// Shows other certificates from the next handshake on; throws, and leaves the old ones, for what BoringSSL refuses.
    ///
    /// Reads and computes: not for an event loop.
    package func replace(with pairs: [TLSPair]) throws {
        let next = Current(pairs: pairs, context: try Self.context(pairs, minimum: minimum))
        current.withLock { $0 = next }
    }

    /// Whether a client that asks for `host` accepts one of them.
    package func covers(host: String) -> Bool { pairs.contains { $0.covers(host: host) } }

    private static func context(_ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version) throws -> NIOSSLContext {
        guard let base = CertificateChoice.base(of: pairs) else { throw NIOSSLError.failedToLoadCertificate }
        let identities = try pairs.map(TLSIdentity.init)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: identities[base].chain, privateKey: identities[base].key)
        configuration.minimumTLSVersion = minimum == .tls13 ? .tlsv13 : .tlsv12
        configuration.cipherSuiteValues = CipherSuites.served
        // Without SHA-1, with which BoringSSL would sign for a client that takes nothing else.
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
    /// Whether BoringSSL takes a pair: what libcrypto reads it may still refuse.
    package static func accepts(_ pair: TLSPair) -> Bool {
        do { _ = try context([pair], minimum: .tls13) } catch { return false }
        return true
    }
}

/// A pair as BoringSSL takes it.
private struct TLSIdentity: Sendable {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource

    init(_ pair: TLSPair) throws {
        chain = try pair.chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
        key = .privateKey(try NIOSSLPrivateKey(bytes: pair.key, format: .pem))
    }

    /// For a handshake that began with another pair.
    var override: NIOSSLContextConfigurationOverride {
        var changes = NIOSSLContextConfigurationOverride()
        changes.certificateChain = chain
        changes.privateKey = key
        return changes
    }
}
