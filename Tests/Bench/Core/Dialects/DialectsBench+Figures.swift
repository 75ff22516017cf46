extension DialectsBench {
    /// The cost of each dialect, and how much more the other one costs.
    ///
    /// - Parameter pairs: `ours` went through `call`, `theirs` through the native dialect.
    static func figures(_ pairs: Pairs<RefreshRound>, of call: RefreshCall) -> [Figure] {
        figures(pairs.theirs, "\(call.name).native") + figures(pairs.ours, call.name) + ratios(pairs, call)
    }

    private static func figures(_ rounds: [RefreshRound], _ name: String) -> [Figure] {
        let measured: [(String, Figure.Unit, (RefreshRound) -> Double)] =
            [
                ("rate", .perSecond, \.perSecond), ("p50", .milliseconds, { $0.percentile(50) }),
                ("cpu.total", .microseconds, { $0.total(charged) }),
            ] + charged.map { process in ("cpu.\(process)", .microseconds, { $0.total([process]) }) }
        return measured.compactMap { figure, unit, value in
            Spread(rounds.map(value)).map { Figure("dialects.\(name).\(figure)", $0, unit) }
        }
    }

    private static func ratios(_ pairs: Pairs<RefreshRound>, _ call: RefreshCall) -> [Figure] {
        let compared: [(String, Figure.Bound?, (RefreshRound) -> Double)] = [
            ("cpu.total", .atMost(call.boundRatio), { $0.total(charged) }),
            ("cpu.gateway", nil, { $0.total(["gateway"]) }),
            ("rate", nil, { 1 / $0.perSecond }), ("p50", nil, { $0.percentile(50) }),
        ]
        return compared.compactMap { name, bound, value in
            PairSpread(pairs.ours.map(value), over: pairs.theirs.map(value)).map {
                Figure("dialects.\(call.name).ratio.\(name)", $0, .count, bound: bound)
            }
        }
    }
}
