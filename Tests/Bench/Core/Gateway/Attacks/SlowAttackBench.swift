import FoundationEssentials
import Glibc
import TestSupport

/// How others fare while slowhttptest keeps the gateway's connections busy, and when it runs out of file descriptors.
struct SlowAttackBench: Sendable {
    static let othersP99MillisecondsMax = 100.0
    static let recoverySecondsMax = 5.0
    private static let tokenCount = 100
    private static let otherConnectionCount = 8
    private static let pollInterval: Duration = .milliseconds(100)
    private static let descriptorsMax = 256
    private static let crowd = 400

    let gateway: GatewayUnderLoad

    /// - Parameter add: gets the figures of one attack after the other.
    func run(_ add: ([Figure]) throws -> Void) async throws {
        let load = TokenLoad(
            connectionCount: Self.otherConnectionCount, core: GatewayUnderLoad.loadCore, folder: gateway.folder)
        try load.write(try await gateway.tokens.tokens(Self.tokenCount, series: "turn"), as: "turn")
        let calm = try await load.run("turn", .inTurn, port: gateway.port, seconds: 3).withoutFailures()
        try add([Figure("attacks.calm.p99", calm.p99Milliseconds, .milliseconds)])
        // First, while none of its descriptors is beyond the limit.
        try add(try await withoutDescriptors(load))
        try gateway.checkAlive()
        for attack in SlowAttack.all {
            try add(try await measure(attack, load))
            try gateway.checkAlive()
        }
    }

    private func measure(_ attack: SlowAttack, _ load: TokenLoad) async throws -> [Figure] {
        async let attacking = Shell.run(attack.command(port: gateway.port), in: gateway.folder)
        async let others = load.run("turn", .inTurn, port: gateway.port, seconds: SlowAttack.seconds)
        let most = try await mostDescriptors(of: gateway.process, for: .seconds(SlowAttack.seconds))
        let outcome = try await others
        _ = try await attacking
        return [
            Figure("attacks.\(attack.name).descriptors", Double(most), .count),
            Figure("attacks.\(attack.name).rate", Double(outcome.requestCount) / outcome.seconds, .perSecond),
            Figure("attacks.\(attack.name).failures", Double(outcome.failureCount), .count, bound: .atMost(0)),
            Figure(
                "attacks.\(attack.name).p99", outcome.p99Milliseconds, .milliseconds,
                bound: .atMost(Self.othersP99MillisecondsMax)),
        ]
    }

    /// Tells whether the attack was one: how many descriptors the gateway had open at most.
    private func mostDescriptors(of process: pid_t, for time: Duration) async throws -> Int {
        let end = ContinuousClock.now + time
        var most = 0
        while ContinuousClock.now < end {
            most = max(most, try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count)
            try await Task.sleep(for: Self.pollInterval)
        }
        return most
    }

    /// More connections than descriptors: those that are open go on, and when the crowd leaves, new ones are served.
    private func withoutDescriptors(_ load: TokenLoad) async throws -> [Figure] {
        let request = LoadRequest("GET", "/.well-known/jwks.json")
        // Connections of the attack before may still be open, which no later limit takes away: it bounds new numbers.
        try await eventually("the attack before has ended") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(gateway.process)/fd").compactMap { Int($0) }
                .allSatisfy { $0 < Self.descriptorsMax }
        }
        let earlier = try await LoadConnection.open(port: gateway.port)
        _ = try await earlier.send(request)
        _ = try await gateway.shell("prlimit --pid \(gateway.process) --nofile=\(Self.descriptorsMax):")
        // The kernel's queue takes those that the gateway cannot.
        let crowd = try await LoadConnection.open(Self.crowd, port: gateway.port)
        let most = try await mostDescriptors(of: gateway.process, for: .seconds(2))
        guard try await earlier.send(request).status == 200 else {
            throw UnexpectedReply(description: "an open connection is not served without descriptors")
        }
        for connection in crowd { await connection.close() }
        let start = ContinuousClock.now
        let later = try await LoadConnection.open(port: gateway.port)
        guard try await later.send(request).status == 200 else {
            throw UnexpectedReply(description: "a new connection is not served after the crowd")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        _ = try await load.run("turn", .inTurn, port: gateway.port, seconds: 2).withoutFailures()
        for connection in [earlier, later] { await connection.close() }
        _ = try await gateway.shell("prlimit --pid \(gateway.process) --nofile=$(ulimit -Hn):")
        return [
            Figure("attacks.nofile.descriptors", Double(most), .count, bound: .atMost(Double(Self.descriptorsMax))),
            Figure("attacks.nofile.recovery", seconds, .seconds, bound: .atMost(Self.recoverySecondsMax)),
        ]
    }
}
