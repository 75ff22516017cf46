import CoreMetrics

/// How a handshake has ended; the label `result` of `tls_handshakes_total`.
enum HandshakeResult: String, Sendable, CaseIterable {
    case ok
    /// What the client sent or offered cannot be served: no common version, no certificate for its name, a broken message.
    case refused
    /// What came first is no TLS.
    case notTLS = "not_tls"
    /// The client left before the end.
    case left
    case timeout
    /// Ended for others: too many handshakes, slots or memory ran short.
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
