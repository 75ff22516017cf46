import NIOCore

/// The attacks over TLS, and attacks on the handshake itself.
extension Attack {
    /// Handshakes cost the attackers as much as the edge, whose machine they share here.
    private static let opensPerSecondMax = 500
    private static let floodP99MillisecondsMax = 1000.0
    private static let floodPerSecond = 5000
    private static let floodPatience = TimeAmount.seconds(1)

    /// This one, each of its connections with a handshake first.
    func over(_ tls: LoadTLS) -> Attack {
        var plan = plan
        plan.tls = tls
        plan.opensPerSecond = min(plan.opensPerSecond, Self.opensPerSecondMax)
        return Attack(name, plan, seconds)
    }

    /// Handshakes that cost those who begin them nothing.
    ///
    /// - Parameter hello: the message that begins one, always the same.
    static func handshakes(_ hello: [UInt8], _ seconds: Int) -> [Attack] {
        // The edge signs its answer; then nothing more comes.
        let waiting = HostilePlan([HostileScript(opening: hello)], count: 6000, addresses: 60, reopens: true)
        // As many as it can sign: each is gone, and another comes, as soon as it is answered.
        let flood = HostilePlan(
            [HostileScript(opening: hello, ending: .answered(orAfter: floodPatience))], count: 1000, addresses: 250,
            opensPerSecond: floodPerSecond, reopens: true)
        var flooding = Attack("handshakes", flood, seconds)
        flooding.othersP99MillisecondsMax = floodP99MillisecondsMax
        flooding.newcomerSecondsMax = nil
        return [Attack("unfinished-handshakes", waiting, seconds), flooding]
    }
}
