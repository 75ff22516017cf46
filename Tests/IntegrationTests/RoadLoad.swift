import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// Clients that sign in, look around, refresh and sign out without pause; every step has to succeed.
struct RoadLoad: Sendable {
    static let clients = 16

    let stack: LatchkeyStack

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
            // Not as an app does: each request has to succeed.
            let answer = try await stack.gateway.send("GET", path, headers: [("Authorization", "Bearer \(token)")])
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "GET \(path)", answer) }
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
}
