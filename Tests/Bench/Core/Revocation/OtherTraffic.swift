import Synchronization

/// Requests with live tokens at a steady rate, spread over gateways and connections.
final class OtherTraffic: Sendable {
    static let tokenCount = 64
    private static let connectionsPerPort = 8

    private let perSecond: Int
    private let count = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    init(perSecond: Int) { self.perSecond = perSecond }

    /// Requests that were accepted until now.
    var served: Int { count.load(ordering: .relaxed) }

    func finish() { isOver.store(true, ordering: .releasing) }

    /// Sends until `finish`.
    ///
    /// - Throws: `UnexpectedReply` for a live token that is refused; a 503 is let pass and not counted.
    func run(ports: [Int], tokens: [String]) async throws {
        var connections: [LoadConnection] = []
        for port in ports { connections += try await LoadConnection.open(Self.connectionsPerPort, port: port) }
        let interval = Duration.seconds(1) * connections.count / max(perSecond, 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, connection) in connections.enumerated() {
                group.addTask {
                    try await self.send(over: connection, tokens: tokens, first: index, every: interval)
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
    }

    private func send(
        over connection: LoadConnection, tokens: [String], first: Int, every interval: Duration
    ) async throws {
        var (next, number) = (ContinuousClock.now, first)
        while !isOver.load(ordering: .acquiring) {
            let headers = [("Authorization", "Bearer \(tokens[number % tokens.count])")]
            switch try await connection.send(LoadRequest("GET", "/api/hello", headers: headers)).status {
            case 200: count.wrappingAdd(1, ordering: .relaxed)
            case 503: break
            case let status: throw UnexpectedReply(description: "GET /api/hello with a live token: \(status)")
            }
            number += 1
            next += interval
            try await Task.sleep(until: next, tolerance: .zero)
        }
    }
}
