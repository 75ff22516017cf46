package import AccessTokens

/// What a refresh through the gateway costs, durable, with few and with many sessions in the file.
package struct TokensBench: Sendable {
    /// Processes whose CPU a rotation is charged with.
    static let charged = ["gateway", "token", "redis"]
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
    /// Of one round.
    package let rotationCount: Int
    package let connectionCount: Int
    /// Sessions in the file in the second run; 0 leaves that out.
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

    /// - Parameter report: gets the figures as they come.
    package func run(_ report: (([Figure]) throws -> Void)) async throws {
        try await ScratchFolder.run("tokens") { folder in
            let file = try RefreshPolicyFile(algorithm: algorithm, in: folder)
            try await StackUnderLoad.run(environment: ["LATCHKEY_POLICY": file.path]) { stack in
                try await measure(stack, SessionFile(of: stack.stack, policy: file.policy), report)
            }
        }
    }

    private func measure(
        _ stack: StackUnderLoad, _ file: SessionFile, _ report: ([Figure]) throws -> Void
    ) async throws {
        let clients = try await LoadConnection.open(connectionCount, port: stack.gatewayPort)
            .map { RefreshClient(connection: $0) }
        share(try await file.fill(0..<Self.fewCount), among: clients)
        let signature = try SignatureCost(algorithm).signing(rounds: Self.signatureRounds)
        let few = try await run(clients, on: stack)
        try report(figures("few", few) + (try bounded(few, signature: signature)))
        if manyCount > 0 {
            share(try await file.fill(Self.fewCount..<manyCount), among: clients)
            for client in clients { try await client.reconnect(port: stack.gatewayPort) }
            let many = try await run(clients, on: stack)
            try report(figures("many", many) + ratios(many, to: few) + room(try file.room(sessions: manyCount)))
        }
        for client in clients { await client.close() }
    }

    /// Each session has one client, and each client the same number of them.
    private func share(_ tokens: [String], among clients: [RefreshClient]) {
        for (index, client) in clients.enumerated() {
            client.take(stride(from: index, to: tokens.count, by: clients.count).map { tokens[$0] })
        }
    }

    private func run(_ clients: [RefreshClient], on stack: StackUnderLoad) async throws -> [RefreshRound] {
        // The first one warms caches and connections up, and does not count.
        _ = try await RefreshRound.run(clients, count: rotationCount, on: stack)
        var measured: [RefreshRound] = []
        for _ in 0..<rounds { measured.append(try await .run(clients, count: rotationCount, on: stack)) }
        return measured
    }
}
