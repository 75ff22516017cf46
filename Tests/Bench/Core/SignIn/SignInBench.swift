import AccessTokens

/// The cost of a sign-in through the gateway by as many different users: one code requested and verified, or a token of Apple's.
package struct SignInBench: Sendable {
    /// Processes whose CPU a sign-in is charged with.
    static let charged = ["gateway", "otp", "token", "user", "redis"]
    /// CPU µs of a sign-in over all of them, without the signature of its access token.
    package static let boundMicroseconds = 1200.0
    /// Rounds of the signature that is measured in the same run, before and after.
    private static let signatureRounds = 5
    private static let limit: Duration = .seconds(900)

    package let count: Int
    /// Sign-ins before the counted ones.
    package let warmUpCount: Int
    package let connectionCount: Int

    package init(count: Int, warmUpCount: Int, connectionCount: Int) {
        self.count = count
        self.warmUpCount = warmUpCount
        self.connectionCount = connectionCount
    }

    /// - Parameter firstIndex: of the numbers or addresses that sign in; they must be new to the stack.
    package func run(
        on stack: StackUnderLoad, by way: SignInWay = .phone, firstIndex: Int = 0
    ) async throws -> [Figure] {
        var signatures = try SignatureCost(.RS256).signing(rounds: Self.signatureRounds)
        _ = try await stack.signIn(
            firstIndex..<firstIndex + warmUpCount, by: way, connections: connectionCount, within: Self.limit)
        let counted = firstIndex + warmUpCount
        let before = try Reading(stack)
        let run = try await stack.signIn(
            counted..<counted + count, by: way, connections: connectionCount, within: Self.limit)
        let after = try Reading(stack)
        signatures += try SignatureCost(.RS256).signing(rounds: Self.signatureRounds)
        guard stack.hooks.refusedCount == 0 else {
            throw UnexpectedReply(description: "\(stack.hooks.refusedCount) hooks were malformed or wrongly signed")
        }
        return latencies(run) + (try costs(before, after, signatures, run.wallSeconds))
    }

    private func latencies(_ run: LoadRun<SignInClient.Latencies>) -> [Figure] {
        [Figure("signin.rate", Double(count) / run.wallSeconds, .perSecond)]
            + percentiles("signin.request", run.values.compactMap(\.requestMilliseconds))
            + percentiles("signin.verify", run.values.map(\.verifyMilliseconds))
    }

    private func percentiles(_ name: String, _ milliseconds: [Double]) -> [Figure] {
        let sorted = milliseconds.sorted()
        return [50, 95, 99].compactMap { percent in
            Percentile.of(sorted, percent: percent).map { Figure("\(name).p\(percent)", $0, .milliseconds) }
        }
    }

    private func costs(
        _ before: Reading, _ after: Reading, _ signatures: [Double], _ wallSeconds: Double
    ) throws -> [Figure] {
        let used = try after.stack.used(since: before.stack)
        let microseconds = { (seconds: Double) in seconds * 1_000_000 / Double(self.count) }
        let own = (after.ownMicroseconds - before.ownMicroseconds) / 1_000_000
        let others = after.machineSeconds - before.machineSeconds - used.values.reduce(0, +) - own
        let total = (Self.charged + ["postgres"]).reduce(0) { $0 + microseconds(used[$1] ?? 0) }
        let apart = used.keys.filter { !Self.charged.contains($0) }.sorted()
        let signature = Spread(signatures)
        return (Self.charged + apart).map { Figure("signin.cpu.\($0)", microseconds(used[$0] ?? 0), .microseconds) }
            + [Figure("signin.cpu.load-generator", microseconds(own), .microseconds)]
            + (signature.map { [Figure("signin.signature.RS256", $0, .microseconds)] } ?? [])
            + [
                Figure(
                    "signin.cpu.total", total, .microseconds,
                    bound: .atMost(Self.boundMicroseconds + (signature?.median ?? 0))),
                Figure("signin.others", others / wallSeconds, .cores),
            ]
    }
}

/// All clocks of a run at one moment.
private struct Reading {
    let stack: CPULedger
    let ownMicroseconds: Double
    let machineSeconds: Double

    init(_ stack: StackUnderLoad) throws {
        self.stack = try CPULedger(stack.stack)
        ownMicroseconds = Machine.ownMicroseconds
        machineSeconds = Machine.busySeconds
    }
}
