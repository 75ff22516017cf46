import NIOCore
import Synchronization

/// Ordinary clients from addresses of their own, while somebody attacks: steady requests with tokens over open connections,
/// and new clients, over TLS from far away too.
struct OtherClients: Sendable {
    static let address = "127.0.200.1"
    private static let newcomerAddress = "127.0.200.2"
    private static let connectionCount = 8
    private static let perSecond = 100.0
    private static let farAddress = "127.0.200.3"
    /// The round trip of a distant phone: a handshake that takes this long must not be the one that makes room.
    private static let farRoundTrip = TimeAmount.milliseconds(300)
    private static let newcomersPerSecond = 2.0
    /// The value for a request that was never answered: as long as it would have waited.
    static let unansweredSeconds = 10.0

    let edge: EdgeUnderTest
    let tokens: [String]

    /// How they fare: from when each request was due to its answer; requests without an answer, or with another than 200;
    /// the longest that a new client waited, from opening a connection to the answer, and over TLS one from far away, two
    /// round trips included.
    func run(until isOver: @escaping @Sendable () -> Bool) async throws -> [Figure] {
        async let newcomers = longestWait(from: Self.newcomerAddress, nil, isOver)
        async let far = edge.tls == nil ? nil : longestWait(from: Self.farAddress, Self.farRoundTrip, isOver)
        let lanes = (0..<Self.connectionCount).map { _ in KeptConnection() }
        let waits = try await PacedLoad(perSecond: Self.perSecond).run(over: lanes, until: isOver) {
            number, lane, due in
            // Each request has its time, however long the one before it took.
            let call = LoadRequest.get(NginxUpstream.smallPath, bearer: tokens[number % tokens.count])
            let connection = await served(call, over: lane.connection)
            lane.keep(connection)
            return connection.map { _ in (ContinuousClock.now - due) / .milliseconds(1) }
        }
        for lane in lanes { await lane.connection?.close() }
        let answered = waits.compactMap(\.self)
        let figures = [
            Figure("p99", Percentile.of(answered.sorted(), percent: 99), .milliseconds),
            Figure("failures", Double(waits.count - answered.count), .count),
            Figure("newcomer", try await newcomers, .seconds),
        ]
        return figures + (try await far.map { [Figure("far", $0, .seconds)] } ?? [])
    }

    private func longestWait(
        from address: String, _ roundTrip: TimeAmount?, _ isOver: @escaping @Sendable () -> Bool
    ) async throws -> Double {
        try await PacedLoad(perSecond: Self.newcomersPerSecond).run(over: [address], until: isOver) { _, address, _ in
            let start = ContinuousClock.now
            let connection = await served(.get("/.well-known/jwks.json"), over: nil, from: address, roundTrip)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            await connection?.close()
            return connection == nil ? max(seconds, Self.unansweredSeconds) : seconds
        }.max() ?? 0
    }

    /// The connection over which the request was answered with 200, opened if there was none; nil when it was not.
    private func served(
        _ request: LoadRequest, over earlier: LoadConnection?, from address: String = address,
        _ roundTrip: TimeAmount? = nil
    ) async -> LoadConnection? {
        var connection = earlier
        do {
            if connection == nil {
                connection = try await .open(port: edge.port, from: address, tls: edge.tls, roundTrip: roundTrip)
            }
            if try await connection?.send(request).status == 200 { return connection }
        } catch {
            // Counted as a request that failed, whatever the reason.
        }
        await connection?.close()
        return nil
    }
}

/// The connection that a client goes on with, unless its last request failed.
private final class KeptConnection: Sendable {
    private let kept = Mutex<LoadConnection?>(nil)

    var connection: LoadConnection? { kept.withLock { $0 } }

    func keep(_ connection: LoadConnection?) { kept.withLock { $0 = connection } }
}
