package import AccessTokens

/// The cost of a durable refresh through the gateway, with few and with many sessions in the file.
package struct TokensBench: Sendable {
    /// Processes whose CPU a rotation is charged with.
    static let charged = ["gateway", "token", "redis"]
    /// The charged processes of a stack on PostgreSQL.
    static let chargedOnPostgreSQL = charged + ["postgres"]
    /// Rotations in a second with HS256, the load generator on the same two cores.
    package static let boundPerSecond = 5000.0
    /// CPU µs of a rotation over all charged processes, without an asymmetric signature of its access token.
    package static let boundMicroseconds = 300.0
    package static let boundMilliseconds = 25.0
    /// How much worse any figure may be with many sessions than with few.
    package static let boundRatio = 1.25
    package static let boundBytes = 350.0
    /// Sessions of the runs that all others are compared with.
    package static let fewCount = 1000
    private static let signatureRounds = 5

    package let algorithm: SignatureAlgorithm
    package let rounds: Int
    /// The number of rotations in one round.
    package let rotationCount: Int
    package let connectionCount: Int
    /// Sessions in the file of the second stack; 0 leaves that out.
    package let manyCount: Int

    package init(
        algorithm: SignatureAlgorithm, rounds: Int, rotationCount: Int, connectionCount: Int, manyCount: Int
    ) {
        self.algorithm = algorithm
        self.rounds = rounds
        self.rotationCount = rotationCount
        self.connectionCount = connectionCount
        self.manyCount = manyCount
    }

    /// - Parameter report: gets the figures.
    package func run(_ report: ([Figure]) throws -> Void) async throws {
        try await ScratchFolder.run("tokens") { folder in
            let policy = try RefreshPolicyFile(algorithm: algorithm, in: folder)
            try await filled("few", Self.fewCount, policy) { few in
                guard manyCount > 0 else { return try report(try await measure(few)) }
                try await filled("many", manyCount, policy) { many in
                    try report(try await measure(few, many))
                }
            }
        }
    }

    private func filled(
        _ name: String, _ sessions: Int, _ policy: RefreshPolicyFile, _ body: (FilledStack) async throws -> Void
    ) async throws {
        try await FilledStack.run(
            name: "bench-\(name)", sessions: sessions, connections: connectionCount, policy: policy, body)
    }

    /// Rounds of the two take turns, and in who is first too: a machine that grows slower meanwhile does so for both.
    private func measure(_ few: FilledStack, _ many: FilledStack? = nil) async throws -> [Figure] {
        let signature = try SignatureCost(algorithm).signing(rounds: Self.signatureRounds)
        var (fewRounds, manyRounds): ([RefreshRound], [RefreshRound]) = ([], [])
        // The first ones warm caches and connections up, and do not count.
        for turn in 0...rounds {
            if let many, turn % 2 == 1 { manyRounds.append(try await many.round(rotations: rotationCount)) }
            fewRounds.append(try await few.round(rotations: rotationCount))
            if let many, turn % 2 == 0 { manyRounds.append(try await many.round(rotations: rotationCount)) }
        }
        (fewRounds, manyRounds) = (Array(fewRounds.dropFirst()), Array(manyRounds.dropFirst()))
        let ofFew = figures("few", fewRounds) + (try bounded(fewRounds, signature: signature))
        guard let many else { return ofFew }
        return ofFew + figures("many", manyRounds) + ratios(manyRounds, to: fewRounds)
            + room(try many.file.room(sessions: manyCount))
    }
}
