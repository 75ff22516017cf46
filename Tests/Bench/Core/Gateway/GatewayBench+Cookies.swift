import AccessTokens

extension GatewayBench {
    private static let cookieRatioMax = 1.05

    /// Measures the cost of a request whose token is in a cookie relative to one with the same token in `Authorization`: at one
    /// gateway, in turn.
    package func runByCookie() async throws -> [Figure] {
        try checkCores()
        let tokens = "turn"
        return try await GatewayUnderLoad.run("bench-cookies", core: Self.edgeCore) { folder in
            ["LATCHKEY_POLICY": try RefreshPolicyFile(algorithm: .RS256, dialect: .cookies, in: folder).path]
        } _: { gateway in
            let byHeader = TokenLoad(core: GatewayUnderLoad.loadCore, folder: gateway.folder)
            let byCookie = TokenLoad(place: .cookie, core: GatewayUnderLoad.loadCore, folder: gateway.folder)
            try await gateway.edge.check(gateway.tokens)
            let signed = try await gateway.tokens.tokens(tokenCount, series: tokens)
            for load in [byHeader, byCookie] { try load.write(signed, as: tokens) }
            let pairs = try await Pairs.run(rounds) { _ in
                try await sample(gateway.edge, byCookie, tokens, .inTurn)
            } theirs: { _ in
                try await sample(gateway.edge, byHeader, tokens, .inTurn)
            }
            return Self.cookieFigures(pairs)
        }
    }

    /// - Parameter pairs: `ours` had the token in a cookie.
    static func cookieFigures(_ pairs: Pairs<GatewayRounds.Sample>) -> [Figure] {
        let compared: [(String, Figure.Bound?, (GatewayRounds.Sample) -> Double)] = [
            ("cpu", .atMost(cookieRatioMax), \.cpuMicroseconds), ("rate", nil, { 1 / $0.requestsPerSecond }),
        ]
        return compared.compactMap { name, bound, value in
            PairSpread(pairs.ours.map(value), over: pairs.theirs.map(value)).map {
                Figure("gateway.cookie.ratio.\(name)", $0, .count, bound: bound)
            }
        }
    }
}
