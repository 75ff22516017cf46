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
        let http2: Bool
        let context: NIOSSLContext?

        init(_ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version, http2: Bool) throws {
            (self.pairs, self.minimum, self.http2) = (pairs, minimum, http2)
            context =
                pairs.isEmpty
                ? nil : try TLSCertificates.context(pairs, minimum: minimum, protocols: Self.protocols(http2))
        }

        private static func protocols(_ http2: Bool) -> [String] {
            http2 ? [TLSCertificates.http2Protocol, "http/1.1"] : ["http/1.1"]
        }
    }

    /// Accessed once for each handshake.
    private let current: Mutex<Current>
    private let challenges = Mutex<NIOSSLContext?>(nil)

    /// - Parameters:
    ///   - pairs: the pairs; while there are none, handshakes are refused.
    ///   - http2: whether clients may choose HTTP/2.
    package init(_ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version, http2: Bool = true) throws {
        current = Mutex(try Current(pairs, minimum: minimum, http2: http2))
    }

    package var pairs: [TLSPair] { current.withLock(\.pairs) }

    /// The context of a handshake, the pairs of which one is shown in it, and whether it may choose HTTP/2.
    struct Next {
        let context: NIOSSLContext
        var pairs: [TLSPair] = []
        var http2 = false
        var isChallenge = false
    }

    /// Returns what the handshake uses that a ClientHello begins, or `nil` if there is no certificate.
    func next(for hello: ByteBuffer) -> Next? {
        if let challenges = challenges.withLock(\.self), Self.isOfAuthority(hello) {
            return Next(context: challenges, isChallenge: true)
        }
        return current.withLock { current in
            current.context.map { Next(context: $0, pairs: current.pairs, http2: current.http2) }
        }
    }

    /// The name of HTTP/2 over TLS in ALPN (RFC 9113 section 3.1).
    static let http2Protocol = "h2"
    /// The protocol by which an authority verifies a host over TLS (RFC 8737).
    static let challengeProtocol = "acme-tls/1"
    /// The ALPN extension of an authority's ClientHello, which offers this protocol and no other (RFC 8737 section 3).
    private static let challengeExtension: [UInt8] =
        [0, 16, 0, 13, 0, 11, 10] + Array(challengeProtocol.utf8)

    private static func isOfAuthority(_ hello: ByteBuffer) -> Bool {
        hello.readableBytesView.firstRange(of: challengeExtension) != nil
    }

    /// Whether an authority may come, whose ClientHello has to be read as a whole to be recognized.
    var answersChallenges: Bool { challenges.withLock { $0 != nil } }

    /// Answers TLS-ALPN-01 challenges with these certificates, one for each host, until it is called with none.
    package func answerChallenges(with pairs: [TLSPair]) throws {
        let context =
            pairs.isEmpty ? nil : try Self.context(pairs, minimum: .tls12, protocols: [Self.challengeProtocol])
        challenges.withLock { $0 = context }
    }

    /// Uses other certificates from the next handshake on. If BoringSSL refuses one, it throws and the old ones stay.
    ///
    /// It reads files and computes, so it must not run on an event loop.
    ///
    /// - Parameters:
    ///   - minimum: the least version of TLS; `nil` leaves it as it is.
    ///   - http2: whether clients may choose HTTP/2; `nil` leaves it as it is.
    package func replace(
        with pairs: [TLSPair], minimum: EdgeTLSPolicy.Version? = nil, http2: Bool? = nil
    ) throws {
        let (oldMinimum, oldHTTP2) = current.withLock { ($0.minimum, $0.http2) }
        let next = try Current(pairs, minimum: minimum ?? oldMinimum, http2: http2 ?? oldHTTP2)
        current.withLock { $0 = next }
    }

    /// Whether a client that requests `host` accepts one of them.
    package func covers(host: String) -> Bool { pairs.contains { $0.covers(host: host) } }

    private static func context(
        _ pairs: [TLSPair], minimum: EdgeTLSPolicy.Version, protocols: [String] = ["http/1.1"]
    ) throws -> NIOSSLContext {
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
        configuration.applicationProtocols = protocols
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
