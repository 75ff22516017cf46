/// The measured cost of full handshakes at the edges, round by round.
struct HandshakeRounds: Sendable {
    /// One edge in one round.
    struct Sample: Sendable, Equatable {
        let cpuMicroseconds: Double
        let perSecond: Double
        let p99Milliseconds: Double

        /// The number of handshakes for which one core has time, whatever the load's own core achieves.
        var perCoreSecond: Double { 1_000_000 / cpuMicroseconds }
        /// The share of its core in use; much below 1, the load is the limit.
        var cores: Double { perSecond * cpuMicroseconds / 1_000_000 }
    }

    static let rateRatioMin = 0.8

    private var samples = EdgeSamples<Sample>()

    mutating func add(_ sample: Sample, of edge: String) { samples.add(sample, of: edge) }

    /// Medians, and the gateway's in parts of the others'; HAProxy's is judged, in a second of time and in one of CPU.
    func figures() -> [Figure] {
        let name = "gateway.tls.handshakes"
        let measured = ([GatewayRounds.gateway] + GatewayRounds.peers).flatMap { edge in
            samples.figure("\(name).cpu", edge, \.cpuMicroseconds, .microseconds)
                + samples.figure("\(name).rate", edge, \.perSecond, .perSecond)
                + samples.figure("\(name).per-core", edge, \.perCoreSecond, .perSecond)
                + samples.figure("\(name).p99", edge, \.p99Milliseconds, .milliseconds)
                + samples.figure("\(name).busy", edge, \.cores, .cores)
        }
        return measured
            + GatewayRounds.peers.flatMap { peer in
                let bound: Figure.Bound? = peer == "haproxy" ? .atLeast(Self.rateRatioMin) : nil
                return samples.ratio("\(name).rate", to: peer, \.perSecond, bound)
                    + samples.ratio("\(name).per-core", to: peer, \.perCoreSecond, bound)
            }
    }
}
