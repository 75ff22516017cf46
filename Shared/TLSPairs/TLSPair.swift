/// A certificate with its chain and its private key that may be served: they belong together and are strong enough.
///
/// Whether the pair is valid now, and pinned, is checked separately, because time passes and policies change while the
/// files stay the same.
package struct TLSPair: Sendable {
    /// The maximum number of certificates in a chain; usual ones have two or three.
    package static let chainLengthMax = 8

    /// The name of its files: `NAME.crt`, `NAME.key`.
    package let name: String
    /// The certificates in DER, the pair's own first.
    package let chain: [[UInt8]]
    /// The key in PEM; never shown.
    package let key: [UInt8]
    package let pin: SPKIPin
    /// The first and the last Unix second in which the whole chain is valid.
    package let notBefore: Int64
    package let notAfter: Int64
    /// Host names in lower case, some beginning with `*.`, and IP addresses in their canonical text (RFC 5952 section 4).
    package let names: [String]

    /// Reads a pair.
    ///
    /// - Parameters:
    ///   - certificatePEM: The chain, the pair's own certificate first, each signed by the next.
    ///   - keyPEM: One private key that is not encrypted.
    ///   - files: Their names in problems; `nil` for `NAME.crt` and `NAME.key`.
    package init(
        name: String, certificatePEM: [UInt8], keyPEM: [UInt8], files: (certificate: String, key: String)? = nil
    ) throws(TLSPairProblem) {
        let files = files ?? ("\(name).crt", "\(name).key")
        let certificates = try LibcryptoCertificate.chain(pem: certificatePEM, file: files.certificate)
        guard let leaf = certificates.first else { throw .malformed(file: files.certificate) }
        let key = try LibcryptoPrivateKey(pem: keyPEM, file: files.key)
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

    /// Whether the pair must no longer be served.
    ///
    /// - Parameter now: Unix time in seconds.
    package func isExpired(now: Int64) -> Bool { now > notAfter }

    /// Returns the reason why it must not be served now, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - pins: The policy's pins; if empty, any key is allowed.
    ///   - now: Unix time in seconds.
    package func problem(pins: [SPKIPin], now: Int64) -> TLSPairProblem? {
        if let problem = problem(pins: pins) { return problem }
        if now < notBefore { return .notYetValid(notBefore) }
        return isExpired(now: now) ? .expired(notAfter) : nil
    }

    /// Returns the problem if apps with these pins would refuse the pair.
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
    /// Whether two pairs have the same certificates and the same key.
    package static func == (left: TLSPair, right: TLSPair) -> Bool {
        left.name == right.name && left.chain == right.chain && left.pin == right.pin
    }
}

extension TLSPair {
    /// How well a pair's names match a host, the better match first.
    package enum Fit: Int, Sendable, Comparable {
        case name, wildcard

        package static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
    }

    /// Returns how its names match `host`, or `nil` if they do not (RFC 9525 section 6.3: `*` represents one whole label).
    ///
    /// - Parameter host: A name in lower case or an IP address in its canonical text, without port and brackets.
    package func fit(_ host: String) -> Fit? {
        guard !host.contains("*") else { return nil }
        if names.contains(host) { return .name }
        guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return nil }
        return names.contains("*" + host[dot...]) ? .wildcard : nil
    }

    /// Whether a client that requests `host` accepts the pair.
    package func covers(host: String) -> Bool { fit(host) != nil }
}
