/// A certificate with its chain and its private key, fit to be served: they belong together and are strong enough.
///
/// Whether it is valid now, and pinned, is asked of it apart: time and policies go on, and files do not.
package struct TLSPair: Sendable {
    /// Certificates of a chain that are read; usual ones have two or three.
    package static let chainLengthMax = 8

    /// Of its files: `NAME.crt`, `NAME.key`.
    package let name: String
    /// In DER, its own first.
    package let chain: [[UInt8]]
    /// In PEM; never shown.
    package let key: [UInt8]
    package let pin: SPKIPin
    /// Unix seconds in which the whole chain is valid, the first and the last.
    package let notBefore: Int64
    package let notAfter: Int64
    /// Host names in lower case, `*.` in front of some, and IP addresses in their canonical text (RFC 5952 section 4).
    package let names: [String]

    /// Reads a pair.
    ///
    /// - Parameters:
    ///   - certificatePEM: the chain, its own certificate first, each signed by the next.
    ///   - keyPEM: one private key that is not encrypted.
    package init(name: String, certificatePEM: [UInt8], keyPEM: [UInt8]) throws(TLSPairProblem) {
        let certificates = try LibcryptoCertificate.chain(pem: certificatePEM, file: "\(name).crt")
        guard let leaf = certificates.first else { throw .malformed(file: "\(name).crt") }
        let key = try LibcryptoPrivateKey(pem: keyPEM, file: "\(name).key")
        guard key.publicKey == leaf.publicKey else { throw .keyMismatch }
        for certificate in certificates { try certificate.judgeStrength(isLeaf: certificate === leaf) }
        for (certificate, issuer) in zip(certificates, certificates.dropFirst()) {
            guard certificate.isSigned(by: issuer) else { throw .brokenChain }
        }
        guard !leaf.names.isEmpty else { throw .nameless }
        self.name = name
        chain = certificates.map(\.bytes)
        self.key = keyPEM
        pin = SPKIPin(publicKey: leaf.publicKey)
        notBefore = certificates.map(\.notBefore).max() ?? .max
        notAfter = certificates.map(\.notAfter).min() ?? .min
        names = leaf.names
    }

    /// Whether it may not be served any more.
    ///
    /// - Parameter now: Unix seconds.
    package func isExpired(now: Int64) -> Bool { now > notAfter }

    /// What speaks against serving it now; nil: nothing.
    ///
    /// - Parameters:
    ///   - pins: of the policy; empty: any key will do.
    ///   - now: Unix seconds.
    package func problem(pins: [SPKIPin], now: Int64) -> TLSPairProblem? {
        if let problem = problem(pins: pins) { return problem }
        if now < notBefore { return .notYetValid(notBefore) }
        return isExpired(now: now) ? .expired(notAfter) : nil
    }

    /// Whether pinned apps would refuse it.
    package func problem(pins: [SPKIPin]) -> TLSPairProblem? {
        pins.isEmpty || pins.contains(pin) ? nil : .unpinned(pin)
    }
}

/// Never shows the key.
extension TLSPair: CustomStringConvertible, CustomReflectable {
    package var description: String { "pair \(name), \(pin)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension TLSPair: Equatable {
    /// The same certificates with the same key.
    package static func == (left: TLSPair, right: TLSPair) -> Bool {
        left.name == right.name && left.chain == right.chain && left.pin == right.pin
    }
}

extension TLSPair {
    /// How well a pair's names fit a host; the better comes first.
    package enum Fit: Int, Sendable, Comparable {
        case name, wildcard

        package static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
    }

    /// How its names cover `host`; nil when they do not (RFC 9525 section 6.3: `*` stands for one whole label).
    ///
    /// - Parameter host: a name in lower case or an address in its canonical text, without port and brackets.
    package func fit(_ host: String) -> Fit? {
        guard !host.contains("*") else { return nil }
        if names.contains(host) { return .name }
        guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return nil }
        return names.contains("*" + host[dot...]) ? .wildcard : nil
    }

    /// Whether a client that asks for `host` accepts it.
    package func covers(host: String) -> Bool { fit(host) != nil }
}
