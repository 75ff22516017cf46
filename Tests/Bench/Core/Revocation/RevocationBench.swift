import InternalAPI
import TestSupport

/// How long a revoked token is still accepted: sessions are ended one after another while two gateways are asked with
/// their tokens without pause and serve other requests besides.
package struct RevocationBench: Sendable {
    /// From the answer to a logout to the last request that is accepted.
    package static let boundP99Milliseconds = 10.0
    package static let boundMilliseconds = 100.0
    /// Requests with each revoked token, at each gateway.
    package static let boundProbesPerSecond = 1000.0
    /// How much of the intended other traffic must have been served.
    private static let servedShare = 0.95
    private static let warmUp: Duration = .seconds(1)
    private static let limit: Duration = .seconds(900)

    package let count: Int
    /// Requests per second with tokens that live, over both gateways.
    package let otherPerSecond: Int
    /// Sessions that are ended at the same time.
    package let laneCount: Int

    package init(count: Int, otherPerSecond: Int, laneCount: Int) {
        self.count = count
        self.otherPerSecond = otherPerSecond
        self.laneCount = laneCount
    }

    package func run(on stack: StackUnderLoad) async throws -> [Figure] {
        try await ProcessTwin(of: "gateway", in: stack.stack).run { twin in
            _ = try await ProcessTwin.untilReady(twin.operationsPort)
            return try await run(stack, ports: [stack.gatewayPort, twin.port])
        }
    }

    private func run(_ stack: StackUnderLoad, ports: [Int]) async throws -> [Figure] {
        var sessions: [TokenSet] = []
        for _ in 0..<count + OtherTraffic.tokenCount { sessions.append(try await stack.stack.openSession()) }
        let live = sessions.suffix(OtherTraffic.tokenCount).map(\.accessToken)
        let traffic = OtherTraffic(perSecond: otherPerSecond)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await traffic.run(ports: ports, tokens: live) }
            defer { traffic.finish() }
            try await Task.sleep(for: Self.warmUp)
            let (begin, servedBefore) = (ContinuousClock.now, traffic.served)
            let ends = try await endAll(sessions, ports)
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            return figures(ends, otherRate: Double(traffic.served - servedBefore) / seconds)
        }
    }

    private func endAll(_ sessions: [TokenSet], _ ports: [Int]) async throws -> [WatchedEnd] {
        // The connections of a lane: one for the logout, then one for each gateway; the lane stands for them.
        var lanes: [LoadConnection] = []
        var lanesByPort: [[LoadConnection]] = []
        for _ in 0..<laneCount {
            lanes.append(try await LoadConnection.open(port: ports[0]))
            var connections: [LoadConnection] = []
            for port in ports { connections.append(try await LoadConnection.open(port: port)) }
            lanesByPort.append(connections)
        }
        let probes = LanePool(lanesByPort)
        let run = try await LoadRun.over(lanes, 0..<count, within: Self.limit) { index, connection in
            let lane = probes.take()
            defer { probes.give(lane) }
            return try await WatchedEnd.watch(sessions[index], logout: connection, probes: lane)
        }
        for connection in lanes + lanesByPort.flatMap({ $0 }) { await connection.close() }
        return run.values
    }

    private func figures(_ ends: [WatchedEnd], otherRate: Double) -> [Figure] {
        let accepted = ends.map(\.lastAcceptedMilliseconds).sorted()
        let logouts = ends.map(\.logoutMilliseconds).sorted()
        let rates = ends.flatMap(\.probesPerSecond).sorted()
        var figures: [Figure] = []
        func add(_ name: String, _ values: [Double], _ percent: Int, _ unit: Figure.Unit, _ bound: Figure.Bound? = nil)
        {
            guard let value = Percentile.of(values, percent: percent) else { return }
            figures.append(Figure("revocation.\(name)", value, unit, bound: bound))
        }
        add("accepted.p50", accepted, 50, .milliseconds)
        add("accepted.p99", accepted, 99, .milliseconds, .atMost(Self.boundP99Milliseconds))
        add("accepted.max", accepted, 100, .milliseconds, .atMost(Self.boundMilliseconds))
        add("logout.p50", logouts, 50, .milliseconds)
        add("logout.p99", logouts, 99, .milliseconds)
        add("probes.least", rates, 0, .perSecond)
        add("probes.p50", rates, 50, .perSecond, .atLeast(Self.boundProbesPerSecond))
        let wanted = Double(otherPerSecond) * Self.servedShare
        return figures + [Figure("revocation.other", otherRate, .perSecond, bound: .atLeast(wanted))]
    }
}
