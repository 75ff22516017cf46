import AccessTokens
import CryptoPrimitives
import InternalAPI
import TestSupport

/// The effect on others while one user signs in again and again, each sign-in beyond the policy's number of sessions
/// revoking the one used longest ago, and while all of the user's sessions are revoked at once.
struct CapBench: Sendable {
    private static let userID = "usr_0198c0ffee007abc8def0123456789ab"
    private static let limit: Duration = .seconds(600)
    /// Others' sessions, and refreshes of them before the one user comes.
    private static let othersCount = 1000
    private static let quietRefreshes = 4000
    /// Refreshes of others between two looks whether the one user is through.
    private static let stretch = 200

    let signInCount: Int
    var connectionCount = 4
    /// The number of sessions that the policy allows a user.
    let sessionsMax: Int

    func run() async throws -> [Figure] {
        try await ScratchFolder.run("cap") { folder in
            let policy = try RefreshPolicy(.HS256, sessionsMax: sessionsMax, in: folder)
            return try await StackUnderLoad.run(name: "bench-cap", environment: policy.environment) { load in
                let database = try SessionDatabase(of: load.stack, policy: try policy.policy)
                let sessions = try await database.fill(0..<Self.othersCount)
                return try await RefreshingStack.with(load, sessions, connections: connectionCount) { others in
                    try await run(besides: others)
                }
            }
        }
    }

    private func run(besides others: RefreshingStack) async throws -> [Figure] {
        let stack = others.load.stack
        let quiet = Percentile.of(try await others.refresh(Self.quietRefreshes).sorted(), percent: 99)
        let signIns = try await refreshes(of: others) { try await signIn(stack) }
        try await expectSessions(sessionsMax, in: stack)
        let end = try await refreshes(of: others) { try await revokeAll(stack) }
        try await expectSessions(0, in: stack)
        return [Figure("cap.sessions", Double(sessionsMax), .count)]
            + Figure.others("cap.signins.p99", quiet: quiet, beside: signIns.p99)
            + [Figure("cap.signins.seconds", signIns.seconds, .seconds)]
            + Figure.others("cap.end.p99", quiet: quiet, beside: end.p99)
            + [Figure("cap.end.milliseconds", end.seconds * 1000, .milliseconds)]
    }

    /// The others' slowest refreshes while `act` is under way, and how long that took.
    private func refreshes(
        of others: RefreshingStack, during act: @escaping @Sendable () async throws -> Void
    ) async throws -> (p99: Double, seconds: Double) {
        let (milliseconds, _, seconds) = try await during(act) { isOver in
            var milliseconds: [Double] = []
            repeat { milliseconds += try await others.refresh(Self.stretch) } while !isOver()
            return milliseconds
        }
        return (Percentile.of(milliseconds.sorted(), percent: 99), seconds)
    }

    /// Opens sessions as the gateway does, with grants as user-service seals them.
    private func signIn(_ stack: LatchkeyStack) async throws {
        let lanes = (0..<connectionCount).map { _ in stack }
        _ = try await LoadRun.over(lanes, 0..<signInCount, within: Self.limit) { _, stack in
            _ = try await stack.openSession(of: Self.userID)
        }
    }

    private func expectSessions(_ count: Int, in stack: LatchkeyStack) async throws {
        let answer = try await ServiceCaller(stack: stack, caller: .user)
            .post("token", TokenOperations.sessionCounts.path, SessionCountsRequest(userIDs: [Self.userID]))
        let live = try answer.decoded(SessionCounts.self).counts.first ?? 0
        guard live == count else { throw UnexpectedReply(description: "\(live) sessions live, not \(count)") }
    }

    private func revokeAll(_ stack: LatchkeyStack) async throws {
        let request = RevokeUserRequest(userID: Self.userID, epoch: 2, reason: .admin)
        let answer = try await ServiceCaller(stack: stack, caller: .user)
            .post("token", TokenOperations.revokeUser.path, request)
        guard answer.status == 200 else { throw UnexpectedReply(description: "ending all: \(answer.status)") }
    }
}
