import AuthAPI
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Clients that sign in, look around, refresh and sign out without pause; every step has to succeed.
struct RoadLoad: Sendable {
    static let clients = 16

    let stack: LatchkeyStack
    private let lateReplies = LateReplies()

    init(stack: LatchkeyStack) { self.stack = stack }

    /// Runs the clients while `disturb` runs, which is given their progress.
    func run(_ disturb: @escaping @Sendable (Progress) async throws -> Void) async throws {
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.clients {
                group.addTask {
                    while !progress.isOver { await progress.note { try await self.wholeRoad() } }
                }
            }
            group.addTask {
                defer { progress.finish() }
                try await disturb(progress)
            }
            try await group.waitForAll()
        }
        let warnings = try stack.warnings().suffix(20).joined(separator: "\n")
        #expect(
            progress.failures.isEmpty,
            "\(progress.failures.count) of \(progress.successes): \(progress.failures.prefix(5))\n\(warnings)")
    }

    /// Waits until the clients have gone as many roads more as there are clients.
    func go(on progress: Progress, _ when: String) async throws {
        let roads = progress.successes
        try await eventually("clients go on \(when)") { progress.successes >= roads + Self.clients }
    }

    private func wholeRoad() async throws {
        let signIn = try await stack.signIn()
        let token = signIn.tokens.accessToken
        for path in ["/users/me", "/api/hello"] {
            try await look(at: path, token)
        }
        let key = [("Idempotency-Key", UUID().uuidString)]
        let refresh = try await stack.gateway.post(
            "/auth/refresh", encoding: RefreshBody(refreshToken: signIn.tokens.refreshToken), headers: key)
        guard refresh.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/refresh", refresh) }
        let tokens: TokenReply = try refresh.decoded()
        let logout = try await stack.gateway.post(
            "/auth/logout", encoding: LogoutBody(refreshToken: tokens.refreshToken))
        guard logout.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/logout", logout) }
    }

    /// Not as an app does: each request has to succeed. Only where Redis, which none of these tests disturbs, had no processor for the
    /// 100 ms that the gateway waits, it is sent again.
    private func look(at path: String, _ token: String) async throws {
        while true {
            let answer = try await stack.gateway.send("GET", path, headers: [("Authorization", "Bearer \(token)")])
            if answer.status == 200 { return }
            guard answer.status == 503, try await lateReplies.takeOne(of: stack) else {
                throw UnexpectedAnswer(to: "GET \(path)", answer)
            }
        }
    }
}

/// The gateway's calls to Redis that failed, each of which excuses one request.
private final class LateReplies: Sendable {
    private let taken = Mutex<[pid_t: Int]>([:])

    /// Whether the running gateway has had more of them than were taken.
    func takeOne(of stack: LatchkeyStack) async throws -> Bool {
        guard let gateway = stack.processID(of: "gateway") else { return false }
        let lines = try await stack.operations("gateway").get("/metrics").text.split(whereSeparator: \.isNewline)
        let count = lines.filter { $0.hasPrefix("redis_client_errors_total{") }
            .compactMap { line in line.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
        return taken.withLock { taken in
            guard taken[gateway, default: 0] < count else { return false }
            taken[gateway, default: 0] += 1
            return true
        }
    }
}
