/// The measurements of several edges, round by round.
struct EdgeSamples<Sample: Sendable>: Sendable {
    private var samples: [String: [Sample]] = [:]

    mutating func add(_ sample: Sample, of edge: String) { samples[edge, default: []].append(sample) }

    func has(_ edge: String) -> Bool { samples[edge] != nil }

    /// The spread of one value of an edge, named after it; none for one that was not measured.
    func figure(
        _ name: String, _ edge: String, _ value: KeyPath<Sample, Double>, _ unit: Figure.Unit
    ) -> [Figure] {
        Spread((samples[edge] ?? []).map { $0[keyPath: value] }).map { [Figure("\(name).\(edge)", $0, unit)] } ?? []
    }

    /// The gateway's median in parts of a peer's; none unless both were measured.
    func ratio(
        _ name: String, to peer: String, _ value: KeyPath<Sample, Double>, _ bound: Figure.Bound?
    ) -> [Figure] {
        guard let own = Spread((samples[GatewayRounds.gateway] ?? []).map { $0[keyPath: value] }),
            let other = Spread((samples[peer] ?? []).map { $0[keyPath: value] }), other.median > 0
        else { return [] }
        return [Figure("\(name).to-\(peer)", own.median / other.median, .count, bound: bound)]
    }
}
