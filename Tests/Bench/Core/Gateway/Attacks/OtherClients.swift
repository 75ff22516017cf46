import NIOCore
import Synchronization

/// Ordinary clients from addresses of their own, while somebody attacks: steady requests with tokens over open connections,
/// and newcomers, over TLS from far away too.
struct OtherClients: Sendable {
    static let address = "127.0.200.1"
    private static let newcomerAddress = "127.0.200.2"
    private static let connectionCount = 8
    private static let perSecond = 100
    private static let farAddress = "127.0.200.3"
    /// The round trip of a distant phone: a handshake that takes this long must not be the one that makes room.
    private static let farRoundTrip = TimeAmount.milliseconds(300)
    private static let newcomerInterval: Duration = .milliseconds(500)
    /// The value for a request that was never answered: as long as it would have waited.
    static let unansweredSeconds = 10.0

    let port: Int
    /// The TLS settings; `nil` for plain HTTP.
    var tls: LoadTLS?
    let tokens: [String]

    /// How they fared.
    struct Outcome: Sendable {
        /// From when each request was due to its answer; sorted.
        let milliseconds: [Double]
        /// Requests without an answer, or with another than 200.
        let failureCount: Int
        /// The longest that a newcomer waited, from opening a connection to the answer.
        let newcomerSeconds: Double
        /// The longest that one from far away waited, two round trips included; nil without TLS.
        let farSeconds: Double?

        var p99Milliseconds: Double { Percentile.of(milliseconds, percent: 99) ?? 0 }
    }

    /// Until `isOver` says so.
    func run(until isOver: @escaping @Sendable () -> Bool) async throws -> Outcome {
        async let newcomers = longestWait(from: Self.newcomerAddress, nil, isOver)
        async let far = tls == nil ? nil : longestWait(from: Self.farAddress, Self.farRoundTrip, isOver)
        let start = ContinuousClock.now
        let lanes = try await withThrowingTaskGroup(of: [Double?].self) { group in
            for lane in 0..<Self.connectionCount { group.addTask { try await ask(lane, from: start, isOver) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let answered = lanes.compactMap { $0 }
        return Outcome(
            milliseconds: answered.sorted(), failureCount: lanes.count - answered.count,
            newcomerSeconds: try await newcomers, farSeconds: try await far)
    }

    /// Each request has its time, however long the one before it took; nil for one that failed.
    private func ask(
        _ lane: Int, from start: ContinuousClock.Instant, _ isOver: @Sendable () -> Bool
    ) async throws -> [Double?] {
        var milliseconds: [Double?] = []
        var connection: LoadConnection?
        var number = lane
        while !isOver() {
            let due = start + .seconds(1) / Self.perSecond * number
            try await Task.sleep(until: due, clock: .continuous)
            let request = LoadRequest(
                "GET", NginxUpstream.smallPath, headers: [("Authorization", "Bearer \(tokens[number % tokens.count])")])
            connection = await served(request, over: connection)
            milliseconds.append(connection == nil ? nil : (ContinuousClock.now - due) / .milliseconds(1))
            number += Self.connectionCount
        }
        await connection?.close()
        return milliseconds
    }

    private func longestWait(
        from address: String, _ roundTrip: TimeAmount?, _ isOver: @Sendable () -> Bool
    ) async throws -> Double {
        var longest = 0.0
        while !isOver() {
            let start = ContinuousClock.now
            let connection = await served(
                LoadRequest("GET", "/.well-known/jwks.json"), over: nil, from: address, roundTrip)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            longest = max(longest, connection == nil ? max(seconds, Self.unansweredSeconds) : seconds)
            await connection?.close()
            try await Task.sleep(for: Self.newcomerInterval)
        }
        return longest
    }

    /// The connection over which the request was answered with 200, opened if there was none; nil when it was not.
    private func served(
        _ request: LoadRequest, over earlier: LoadConnection?, from address: String = address,
        _ roundTrip: TimeAmount? = nil
    ) async -> LoadConnection? {
        var opened: LoadConnection?
        do {
            let connection: LoadConnection
            if let earlier {
                connection = earlier
            } else {
                connection = try await .open(port: port, from: address, tls: tls, roundTrip: roundTrip)
            }
            opened = connection
            if try await connection.send(request).status == 200 { return connection }
        } catch {
            // Counted as a request that failed, whatever the reason.
        }
        await opened?.close()
        return nil
    }
}
