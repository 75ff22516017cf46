import AuthAPI
import FoundationEssentials
import InternalAPI
import Synchronization

/// The end of one session, with its token asked for at every gateway before and after.
struct WatchedEnd: Sendable {
    /// Between two requests with the token on one connection.
    private static let probeInterval: Duration = .microseconds(700)
    private static let before: Duration = .milliseconds(20)
    /// Half as long again as the bound.
    private static let after: Duration = .milliseconds(150)

    let logoutMilliseconds: Double
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
        for connection in probes { try await expectAccepted(session, connection) }
        let over = Over()
        return try await withThrowingTaskGroup(of: Probes.self) { group in
            for connection in probes { group.addTask { try await Probes(session.accessToken, connection, over) } }
            do {
                try await Task.sleep(for: before)
                let asked = ContinuousClock.now
                try await end(session, logout)
                let answered = ContinuousClock.now
                try await Task.sleep(for: after)
                over.set()
                var all: [Probes] = []
                for try await done in group { all.append(done) }
                return WatchedEnd(
                    logoutMilliseconds: (answered - asked) / .milliseconds(1),
                    lastAcceptedMilliseconds: all.map { max(0, ($0.lastAccepted - answered) / .milliseconds(1)) }.max()
                        ?? 0,
                    probesPerSecond: all.map(\.perSecond))
            } catch {
                over.set()
                throw error
            }
        }
    }

    /// Without this a gateway that accepts nothing would look best.
    private static func expectAccepted(_ session: TokenSet, _ connection: LoadConnection) async throws {
        let headers = [("Authorization", "Bearer \(session.accessToken)")]
        let status = try await connection.send(LoadRequest("GET", "/api/hello", headers: headers)).status
        guard status == 200 else { throw UnexpectedReply(description: "GET /api/hello with a live token: \(status)") }
    }

    private static func end(_ session: TokenSet, _ connection: LoadConnection) async throws {
        let body = Array(try JSONEncoder().encode(LogoutBody(refreshToken: session.refreshToken)))
        let answer = try await connection.send(
            LoadRequest("POST", "/auth/logout", headers: [("Content-Type", "application/json")], body: body))
        guard answer.status == 200 else { throw UnexpectedReply(description: "POST /auth/logout: \(answer.status)") }
    }

    /// Set once.
    private final class Over: Sendable {
        private let flag = Atomic<Bool>(false)
        var isSet: Bool { flag.load(ordering: .acquiring) }
        func set() { flag.store(true, ordering: .releasing) }
    }

    /// The responses of one gateway.
    private struct Probes: Sendable {
        let lastAccepted: ContinuousClock.Instant
        let perSecond: Double

        init(_ token: String, _ connection: LoadConnection, _ over: Over) async throws {
            let request = LoadRequest("GET", "/api/hello", headers: [("Authorization", "Bearer \(token)")])
            let start = ContinuousClock.now
            var (next, count) = (start, 0)
            var accepted = start
            while !over.isSet {
                let invoked = ContinuousClock.now
                let status = try await connection.send(request).status
                count += 1
                switch status {
                case 200: accepted = invoked
                case 401, 503: break
                default: throw UnexpectedReply(description: "GET /api/hello: \(status)")
                }
                // After a wait the next ones come at once: the rate is kept, not the distance.
                next += WatchedEnd.probeInterval
                if next > .now { try await Task.sleep(until: next, tolerance: .zero) }
            }
            lastAccepted = accepted
            perSecond = Double(count) / ((ContinuousClock.now - start) / .seconds(1))
        }
    }
}

/// Connections for the lanes: each is given to one at a time.
final class LanePool: Sendable {
    private let free: Mutex<[[LoadConnection]]>

    init(_ lanes: [[LoadConnection]]) { free = Mutex(lanes) }

    /// Takes a free lane; there are as many as callers.
    func take() -> [LoadConnection] { free.withLock { $0.popLast() ?? [] } }

    func give(_ lane: [LoadConnection]) { free.withLock { $0.append(lane) } }
}
