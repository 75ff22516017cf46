/// The measured cost of requests at the edges, round by round.
struct GatewayRounds: Sendable {
    /// One edge in one round.
    struct Sample: Sendable, Equatable {
        let cpuMicroseconds: Double
        let requestsPerSecond: Double
        let p99Milliseconds: Double
    }

    /// The bounds of the gateway's figures relative to a peer's, by its name.
    struct Bounds: Sendable {
        /// CPU of a request.
        let cpuMax: [String: Double]
        var rateMin: [String: Double] = [:]
        var p99Max: [String: Double] = [:]
        /// CPU of a request whose token comes once.
        var onceCPUMax: [String: Double] = [:]

        static let plain = Bounds(
            cpuMax: ["haproxy": 0.60, "envoy": 0.50], rateMin: ["haproxy": 1.4], p99Max: ["haproxy": 1.0],
            onceCPUMax: ["haproxy": 1.1])
        /// wrk pays for TLS as well, and sets the pace.
        static let tls = Bounds(cpuMax: ["haproxy": 0.80, "envoy": 0.70])
    }

    static let gateway = "gateway"
    static let peers = ["haproxy", "envoy"]
    /// Edges that get tokens which come once: a cache has nothing to say here, so Envoy has no part.
    static let onceEdges = [gateway, "haproxy"]

    /// The prefix of the figures' names.
    let name: String
    let bounds: Bounds
    /// Tokens that come in turn.
    private var inTurn = EdgeSamples<Sample>()
    /// Tokens of which each comes once.
    private var once = EdgeSamples<Sample>()

    init(_ name: String = "gateway", bounds: Bounds = .plain) {
        self.name = name
        self.bounds = bounds
    }

    mutating func add(_ sample: Sample, of edge: String, _ order: TokenLoad.Order) {
        switch order {
        case .inTurn: inTurn.add(sample, of: edge)
        case .once: once.add(sample, of: edge)
        }
    }

    /// Medians, and what the gateway's are to the others'. A peer that was not there is a bound missed.
    func figures() -> [Figure] {
        let measured = ([Self.gateway] + Self.peers).flatMap { edge in
            inTurn.figure("\(name).cpu", edge, \.cpuMicroseconds, .microseconds)
                + inTurn.figure("\(name).rate", edge, \.requestsPerSecond, .perSecond)
                + inTurn.figure("\(name).p99", edge, \.p99Milliseconds, .milliseconds)
        }
        let ratios = Self.peers.flatMap { peer in
            inTurn.ratio("\(name).cpu", to: peer, \.cpuMicroseconds, bounds.cpuMax[peer].map { .atMost($0) })
                + inTurn.ratio("\(name).rate", to: peer, \.requestsPerSecond, bounds.rateMin[peer].map { .atLeast($0) })
                + inTurn.ratio("\(name).p99", to: peer, \.p99Milliseconds, bounds.p99Max[peer].map { .atMost($0) })
        }
        let present = Self.peers.count { inTurn.has($0) }
        return measured + ratios + onceFigures()
            + [Figure("\(name).peers", Double(present), .count, bound: .atLeast(Double(Self.peers.count)))]
    }

    private func onceFigures() -> [Figure] {
        Self.onceEdges.flatMap { once.figure("\(name).once.cpu", $0, \.cpuMicroseconds, .microseconds) }
            + Self.peers.flatMap { peer in
                once.ratio(
                    "\(name).once.cpu", to: peer, \.cpuMicroseconds, bounds.onceCPUMax[peer].map { .atMost($0) })
            }
    }
}
