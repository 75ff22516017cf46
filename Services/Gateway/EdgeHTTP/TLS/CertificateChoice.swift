import TLSPairs

/// Which of several certificates a client is shown.
enum CertificateChoice {
    /// Serves names that no other pair covers.
    static let fallbackName = "default"

    /// The place of the pair for a name that a client asks for (SNI, RFC 6066 section 3): the first whose names have it, then
    /// the first with a wildcard for it, then `default`, or the only one; nil when there is none of these.
    static func index(of host: String?, among pairs: [TLSPair]) -> Int? {
        if let host = host?.lowercased() {
            let fits = pairs.enumerated().compactMap { place, pair in
                pair.fit(host).map { (fit: $0, notAfter: pair.notAfter, place: place) }
            }
            // Of equals the one that is valid longest, then the first.
            if let best = fits.min(by: { ($0.fit, -$0.notAfter, $0.place) < ($1.fit, -$1.notAfter, $1.place) }) {
                return best.place
            }
        }
        return pairs.count == 1 ? 0 : pairs.firstIndex { $0.name == fallbackName }
    }

    /// The place of the pair that handshakes begin with, before the client's name is known.
    static func base(of pairs: [TLSPair]) -> Int? {
        index(of: nil, among: pairs) ?? pairs.indices.first
    }
}
