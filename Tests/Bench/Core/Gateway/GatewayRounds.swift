/// What the edges were measured to cost, round by round.
struct GatewayRounds: Sendable {
    /// One edge in one round.
    struct Sample: Sendable, Equatable {
        let cpuMicroseconds: Double
        let requestsPerSecond: Double
        let p99Milliseconds: Double
    }

    /// CPU of a request, gateway to the other.
    static let cpuRatioMax = ["haproxy": 0.60, "envoy": 0.50]
    static let rateRatioMin = ["haproxy": 1.4]
    static let p99RatioMax = ["haproxy": 1.0]
    static let onceCPURatioMax = ["haproxy": 1.1]
    static let gateway = "gateway"
    /// Edges that get tokens which come once: a cache has nothing to say here, so Envoy has no part.
    static let onceEdges = [gateway, "haproxy"]

    /// Tokens that come in turn.
    private(set) var inTurn: [String: [Sample]] = [:]
    /// Tokens of which each comes once.
    private(set) var once: [String: [Sample]] = [:]

    mutating func add(_ sample: Sample, of edge: String, _ order: TokenLoad.Order) {
        switch order {
        case .inTurn: inTurn[edge, default: []].append(sample)
        case .once: once[edge, default: []].append(sample)
        }
    }

    /// Medians, and what the gateway's are to the others'. A peer that was not there is a bound missed.
    func figures() -> [Figure] {
        let peers = ["haproxy", "envoy"]
        let edges = [Self.gateway] + peers
        let measured = edges.flatMap { edge in
            figure("gateway.cpu", edge, inTurn, \.cpuMicroseconds, .microseconds)
                + figure("gateway.rate", edge, inTurn, \.requestsPerSecond, .perSecond)
                + figure("gateway.p99", edge, inTurn, \.p99Milliseconds, .milliseconds)
        }
        let ratios = peers.flatMap { peer in
            ratio("gateway.cpu", peer, inTurn, \.cpuMicroseconds, Self.cpuRatioMax[peer].map { .atMost($0) })
                + ratio("gateway.rate", peer, inTurn, \.requestsPerSecond, Self.rateRatioMin[peer].map { .atLeast($0) })
                + ratio("gateway.p99", peer, inTurn, \.p99Milliseconds, Self.p99RatioMax[peer].map { .atMost($0) })
        }
        let single =
            Self.onceEdges.flatMap { figure("gateway.once.cpu", $0, once, \.cpuMicroseconds, .microseconds) }
            + peers.flatMap {
                ratio("gateway.once.cpu", $0, once, \.cpuMicroseconds, Self.onceCPURatioMax[$0].map { .atMost($0) })
            }
        let present = peers.count { inTurn[$0] != nil }
        return measured + ratios + single
            + [Figure("gateway.peers", Double(present), .count, bound: .atLeast(Double(peers.count)))]
    }

    private func figure(
        _ name: String, _ edge: String, _ samples: [String: [Sample]], _ value: KeyPath<Sample, Double>,
        _ unit: Figure.Unit
    ) -> [Figure] {
        Spread((samples[edge] ?? []).map { $0[keyPath: value] }).map { [Figure("\(name).\(edge)", $0, unit)] } ?? []
    }

    private func ratio(
        _ name: String, _ peer: String, _ samples: [String: [Sample]], _ value: KeyPath<Sample, Double>,
        _ bound: Figure.Bound?
    ) -> [Figure] {
        guard let own = Spread((samples[Self.gateway] ?? []).map { $0[keyPath: value] }),
            let other = Spread((samples[peer] ?? []).map { $0[keyPath: value] }), other.median > 0
        else { return [] }
        return [Figure("\(name).to-\(peer)", own.median / other.median, .count, bound: bound)]
    }
}
