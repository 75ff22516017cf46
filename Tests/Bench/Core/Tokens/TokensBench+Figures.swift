import AccessTokens

extension TokensBench {
    var name: String { "tokens.\(algorithm.rawValue)" }

    /// Returns the measurements, without bounds.
    func figures(_ sessions: String, _ rounds: [RefreshRound]) -> [Figure] {
        let name = "\(name).\(sessions)"
        let apart = Set(rounds.flatMap(\.microseconds.keys)).subtracting(Self.charged).sorted()
        return (Self.charged + apart).flatMap { process in
            figure("\(name).cpu.\(process)", rounds, .microseconds) { $0.microseconds[process] ?? 0 }
        }
            + figure("\(name).cpu.load-generator", rounds, .microseconds, \.ownMicroseconds)
            + figure("\(name).others", rounds, .cores, \.othersCores)
            + figure("\(name).p50", rounds, .milliseconds) { $0.percentile(50) }
    }

    /// The figures with bounds of their own.
    ///
    /// - Parameter signature: CPU µs of one, in some rounds; an asymmetric one may come on top of the bound.
    func bounded(_ rounds: [RefreshRound], signature: [Double]) throws -> [Figure] {
        let extra = algorithm.isSymmetric ? 0 : Spread(signature)?.median ?? 0
        return figure("\(name).signature", signature, .microseconds)
            + figure(
                "\(name).few.rate", rounds, .perSecond,
                bound: algorithm.isSymmetric ? .atLeast(Self.boundPerSecond) : nil, \.perSecond)
            + figure("\(name).few.cpu.total", rounds, .microseconds, bound: .atMost(Self.boundMicroseconds + extra)) {
                $0.total(Self.charged)
            }
            + figure("\(name).few.p99", rounds, .milliseconds, bound: .atMost(Self.boundMilliseconds)) {
                $0.percentile(99)
            }
    }

    /// How much worse each round of `many` is than the one of `few` beside it, figure by figure.
    func ratios(_ many: [RefreshRound], to few: [RefreshRound]) -> [Figure] {
        let compared: [(String, (RefreshRound) -> Double)] = [
            ("rate", { 1 / $0.perSecond }), ("cpu.total", { $0.total(Self.charged) }), ("p50", { $0.percentile(50) }),
            ("p99", { $0.percentile(99) }),
        ]
        return figure("\(name).many.rate", many, .perSecond, \.perSecond)
            + figure("\(name).many.cpu.total", many, .microseconds) { $0.total(Self.charged) }
            + figure("\(name).many.p99", many, .milliseconds) { $0.percentile(99) }
            + compared.compactMap { figure, value in
                Spread(many.map(value), over: few.map(value)).map {
                    Figure("\(name).ratio.\(figure)", $0, .count, bound: .atMost(Self.boundRatio))
                }
            }
    }

    /// Returns the figures of a session's space in the file.
    func room(_ room: SessionFile.Room) -> [Figure] {
        [
            Figure("\(name).file.session", room.sessionBytes, .bytes, bound: .atMost(Self.boundBytes)),
            Figure("\(name).file.grant", room.grantBytes, .bytes),
            Figure("\(name).file.audit", room.auditBytes, .bytes),
        ]
    }

    private func figure(
        _ name: String, _ rounds: [RefreshRound], _ unit: Figure.Unit, bound: Figure.Bound? = nil,
        _ value: (RefreshRound) -> Double
    ) -> [Figure] {
        figure(name, rounds.map(value), unit, bound: bound)
    }

    private func figure(
        _ name: String, _ values: [Double], _ unit: Figure.Unit, bound: Figure.Bound? = nil
    ) -> [Figure] {
        Spread(values).map { [Figure(name, $0, unit, bound: bound)] } ?? []
    }
}
