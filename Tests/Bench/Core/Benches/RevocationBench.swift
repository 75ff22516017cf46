import AuthAPI
import InternalAPI
import Synchronization
import TestSupport

/// How long a revoked token is still accepted: sessions are ended one after another while two gateways are asked with
/// their tokens without pause and serve other requests besides.
struct RevocationBench: Sendable {
    /// From the answer to a logout to the last request that is accepted.
    private static let boundP99Milliseconds = 10.0
    private static let boundMilliseconds = 100.0
    /// Requests with each revoked token, at each gateway.
    private static let boundProbesPerSecond = 1000.0
    /// How much of the intended other traffic must have been served.
    private static let servedShare = 0.95
    private static let otherTokens = 64
    private static let otherConnections = 8
    private static let warmUp: Duration = .seconds(1)
    private static let limit: Duration = .seconds(900)

    let count: Int
    /// Requests per second with valid tokens, over both gateways.
    var otherPerSecond = 2000
    /// Sessions that are ended at the same time.
    var laneCount = 2

    func run() async throws -> [Figure] {
        try await StackUnderLoad.run { load in
            try await ProcessTwin(of: "gateway", in: load.stack).run { twin in
                try await ProcessTwin.untilReady(twin)
                return try await run(load, ports: [load.gatewayPort, twin.port])
            }
        }
    }

    private func run(_ load: StackUnderLoad, ports: [Int]) async throws -> [Figure] {
        var sessions: [TokenSet] = []
        for _ in 0..<count + Self.otherTokens { sessions.append(try await load.stack.openSession()) }
        let (ended, tokens) = (sessions.prefix(count), sessions.suffix(Self.otherTokens).map(\.accessToken))
        let served = Atomic<Int>(0)
        let (_, outcome, _) = try await during {
            try await Task.sleep(for: Self.warmUp)
            let (begin, before) = (ContinuousClock.now, served.load(ordering: .relaxed))
            let all = try await endAll(Array(ended), ports)
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            return (all, Double(served.load(ordering: .relaxed) - before) / seconds)
        } _: { isOver in
            try await Self.connected(to: ports, each: Self.otherConnections) { connections in
                _ = try await PacedLoad(perSecond: Double(otherPerSecond)).run(over: connections, until: isOver) {
                    number, connection, _ in
                    let call = LoadRequest.get("/api/hello", bearer: tokens[number % tokens.count])
                    // A 503 is not counted.
                    switch try await connection.send(call).status {
                    case 200: served.add(1, ordering: .relaxed)
                    case 503: break
                    case let status: throw UnexpectedReply(description: "a call with a valid token: \(status)")
                    }
                }
            }
        }
        return figures(outcome.0, otherRate: outcome.1).under("revocation")
    }

    private static func connected<Value: Sendable>(
        to ports: [Int], each count: Int, _ body: ([LoadConnection]) async throws -> Value
    ) async throws -> Value {
        try await LoadConnection.with(count, port: ports[0]) { first in
            try await LoadConnection.with(count, port: ports[1]) { try await body(first + $0) }
        }
    }

    private func endAll(_ sessions: [TokenSet], _ ports: [Int]) async throws -> [WatchedEnd] {
        try await LoadConnection.with(laneCount, port: ports[0]) { logouts in
            try await Self.connected(to: ports, each: laneCount) { probes in
                let lanes = logouts.indices.map { (logouts[$0], [probes[$0], probes[$0 + laneCount]]) }
                return try await LoadRun.over(lanes, sessions.indices, within: Self.limit) { index, lane in
                    try await WatchedEnd.watch(sessions[index], logout: lane.0, probes: lane.1)
                }.values
            }
        }
    }

    private func figures(_ ends: [WatchedEnd], otherRate: Double) -> [Figure] {
        let accepted = ends.map(\.lastAcceptedMilliseconds).sorted()
        let (p99, most) = (Percentile.of(accepted, percent: 99), Percentile.of(accepted, percent: 100))
        let probes = Percentile.of(ends.flatMap(\.probesPerSecond).sorted(), percent: 50)
        let wanted = Double(otherPerSecond) * Self.servedShare
        return [
            Figure("accepted.p99", p99, .milliseconds, bound: .atMost(Self.boundP99Milliseconds)),
            Figure("accepted.max", most, .milliseconds, bound: .atMost(Self.boundMilliseconds)),
            Figure("probes.p50", probes, .perSecond, bound: .atLeast(Self.boundProbesPerSecond)),
            Figure("other", otherRate, .perSecond, bound: .atLeast(wanted)),
        ]
    }
}

/// The end of one session, with its token asked for at every gateway before and after.
private struct WatchedEnd: Sendable {
    /// Between two requests with the token on one connection.
    private static let probesPerSecond = 1 / 0.0007
    private static let before: Duration = .milliseconds(20)
    /// Half as long again as the bound.
    private static let after: Duration = .milliseconds(150)

    /// From the answer to the logout to the beginning of the last request that was accepted; 0 for none.
    let lastAcceptedMilliseconds: Double
    /// At each gateway.
    let probesPerSecond: [Double]

    /// Ends `session` and asks for it over `probes`, one connection for each gateway, all the while.
    ///
    /// - Throws: `UnexpectedReply` for an answer that says neither yes nor no, or for a token that never was accepted.
    static func watch(
        _ session: TokenSet, logout: LoadConnection, probes: [LoadConnection]
    ) async throws -> WatchedEnd {
        let call = LoadRequest.get("/api/hello", bearer: session.accessToken)
        // Without this a gateway that accepts nothing would look best.
        for connection in probes { try await connection.send(call, expecting: 200) }
        let (gateways, answered, seconds) = try await during {
            try await Task.sleep(for: before)
            let body = LogoutBody(refreshToken: session.refreshToken)
            try await logout.send(try .post("/auth/logout", body), expecting: 200)
            let answered = ContinuousClock.now
            try await Task.sleep(for: after)
            return answered
        } _: { isOver in
            try await concurrently(probes.count) { try await probe(call, over: probes[$0], until: isOver) }
        }
        return WatchedEnd(
            lastAcceptedMilliseconds: gateways.flatMap(\.self).map { ($0 - answered) / .milliseconds(1) }.reduce(
                0, max),
            probesPerSecond: gateways.map { Double($0.count) / seconds })
    }

    /// Sends the call again and again.
    ///
    /// - Returns: when each began; of those that were refused, the moment of the last that was accepted.
    private static func probe(
        _ call: LoadRequest, over connection: LoadConnection, until isOver: @escaping @Sendable () -> Bool
    ) async throws -> [ContinuousClock.Instant] {
        let start = ContinuousClock.now
        // After a wait the next ones come at once: the rate is kept, not the distance.
        return try await PacedLoad(perSecond: probesPerSecond).run(over: [connection], until: isOver) {
            _, connection, _ in
            let invoked = ContinuousClock.now
            switch try await connection.send(call).status {
            case 200: return invoked
            case 401, 503: return start
            case let status: throw UnexpectedReply(description: "GET /api/hello: \(status)")
            }
        }
    }
}
