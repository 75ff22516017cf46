import CoreMetrics

/// The result of a handshake; the label `result` of `tls_handshakes_total`.
enum HandshakeResult: String, Sendable, CaseIterable {
    case ok
    /// The client's messages cannot be served: no common version, no certificate for its name, or a broken message.
    case refused
    /// The first bytes are not TLS.
    case notTLS = "not_tls"
    /// The client left before the end.
    case left
    case timeout
    /// The handshake was ended in favour of others, because handshakes, slots or memory ran short.
    case crowded
}

/// Counts handshakes by result.
final class HandshakeMetrics: Sendable {
    private let counters = Dictionary(
        uniqueKeysWithValues: HandshakeResult.allCases.map {
            ($0, Counter(label: "tls_handshakes_total", dimensions: [("result", $0.rawValue)]))
        })

    func count(_ result: HandshakeResult) { counters[result]?.increment() }
}
