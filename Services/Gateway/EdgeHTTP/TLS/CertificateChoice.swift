import TLSPairs

/// The choice of the certificate that a client gets.
enum CertificateChoice {
    /// The name of the pair for hosts that no other pair covers.
    static let fallbackName = "default"

    /// Returns the index of the pair for a name that a client requests (SNI, RFC 6066 section 3). It is the first pair with that
    /// name, or else the first with a matching wildcard, or else `default`, or the only pair; `nil` if there is none of these.
    static func index(of host: String?, among pairs: [TLSPair]) -> Int? {
        if let host = host?.lowercased() {
            let fits = pairs.enumerated().compactMap { place, pair in
                pair.fit(host).map { (fit: $0, notAfter: pair.notAfter, place: place) }
            }
            // Among equal pairs, the one that is valid longest comes first, then the first in order.
            if let best = fits.min(by: { ($0.fit, -$0.notAfter, $0.place) < ($1.fit, -$1.notAfter, $1.place) }) {
                return best.place
            }
        }
        return pairs.count == 1 ? 0 : pairs.firstIndex { $0.name == fallbackName }
    }

    /// Returns the index of the pair with which handshakes begin, before the client's name is known.
    static func base(of pairs: [TLSPair]) -> Int? {
        index(of: nil, among: pairs) ?? pairs.indices.first
    }
}
