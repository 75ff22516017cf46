import TLSPairs

/// Which of several certificates a client is shown.
enum CertificateChoice {
    /// Serves names that no other pair covers.
    static let fallbackName = "default"

    /// The place of the pair for a name that a client asks for (SNI, RFC 6066 section 3): the first whose names have it, then
    /// the first with a wildcard for it, then `default`, or the only one; nil when there is none of these.
    static func index(of host: String?, among pairs: [TLSPair]) -> Int? {
        let host = host?.lowercased()
        let fits = host.map { host in pairs.enumerated().compactMap { place, pair in pair.fit(host).map { (place, $0) } } }
        if let best = fits?.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) { return best.0 }
        return pairs.count == 1 ? 0 : pairs.firstIndex { $0.name == fallbackName }
    }

    /// The place of the pair that handshakes begin with, before the client's name is known.
    static func base(of pairs: [TLSPair]) -> Int? {
        index(of: nil, among: pairs) ?? pairs.indices.first
    }
}
