extension DialectsBench {
    /// What each dialect cost, and how much worse the other one was.
    ///
    /// - Parameter pairs: `ours` went through `call`, `theirs` through the native dialect.
    static func figures(_ pairs: Pairs<RefreshRound>, of call: RefreshCall) -> [Figure] {
        figures(pairs.theirs, .native) + figures(pairs.ours, call) + ratios(pairs)
    }

    private static func figures(_ rounds: [RefreshRound], _ call: RefreshCall) -> [Figure] {
        let measured: [(String, Figure.Unit, (RefreshRound) -> Double)] =
            [
                ("rate", .perSecond, \.perSecond), ("p50", .milliseconds, { $0.percentile(50) }),
                ("cpu.total", .microseconds, { $0.total(charged) }),
            ] + charged.map { process in ("cpu.\(process)", .microseconds, { $0.total([process]) }) }
        return measured.compactMap { name, unit, value in
            Spread(rounds.map(value)).map { Figure("dialects.\(call.dialect).\(name)", $0, unit) }
        }
    }

    private static func ratios(_ pairs: Pairs<RefreshRound>) -> [Figure] {
        let compared: [(String, Figure.Bound?, (RefreshRound) -> Double)] = [
            ("cpu.total", .atMost(boundRatio), { $0.total(charged) }), ("cpu.gateway", nil, { $0.total(["gateway"]) }),
            ("rate", nil, { 1 / $0.perSecond }), ("p50", nil, { $0.percentile(50) }),
        ]
        return compared.compactMap { name, bound, value in
            PairSpread(pairs.ours.map(value), over: pairs.theirs.map(value)).map {
                Figure("dialects.ratio.\(name)", $0, .count, bound: bound)
            }
        }
    }
}
