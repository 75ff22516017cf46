import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import ServiceKit
import TestSupport

/// The effect on others while one user signs in again and again, each sign-in beyond the policy's number of sessions
/// revoking the one used longest ago, and while all of the user's sessions are revoked at once.
package struct CapBench: Sendable {
    private static let userID = "usr_0198c0ffee007abc8def0123456789ab"
    private static let grantSeconds: Int64 = 600
    /// Milliseconds that others may always wait, and how many times as long as in an idle hour.
    private static let boundMilliseconds = 20.0
    private static let boundRatio = 3.0
    /// Others' sessions, and refreshes of them before the one user comes.
    private static let othersCount = 1000
    private static let quietRefreshes = 4000
    /// Refreshes of others between two looks whether the one user is through.
    private static let stretch = 200

    package let signInCount: Int
    package let connectionCount: Int
    /// The number of sessions that the policy allows a user.
    package let sessionsMax: Int

    package init(signInCount: Int, connectionCount: Int, sessionsMax: Int) {
        self.signInCount = signInCount
        self.connectionCount = connectionCount
        self.sessionsMax = sessionsMax
    }

    package func run() async throws -> [Figure] {
        try await ScratchFolder.run("cap") { folder in
            let policy = try RefreshPolicyFile(algorithm: .HS256, sessionsMax: sessionsMax, in: folder)
            var figures: [Figure] = []
            try await FilledStack.run(
                name: "bench-cap", sessions: Self.othersCount, connections: connectionCount, policy: policy
            ) { others in
                let quiet = try await others.round(rotations: Self.quietRefreshes).percentile(99)
                let bound = max(Self.boundMilliseconds, Self.boundRatio * quiet)
                let during = try await refreshes(of: others, during: { try await signIn(others.stack) })
                let sessions = try await liveSessions(others.stack)
                guard sessions == sessionsMax else {
                    throw UnexpectedReply(description: "\(sessions) sessions live, not \(sessionsMax)")
                }
                let ending = try await refreshes(of: others, during: { try await end(others.stack) })
                guard try await liveSessions(others.stack) == 0 else {
                    throw UnexpectedReply(description: "sessions live after all were ended")
                }
                figures = [
                    Figure("cap.sessions", Double(sessions), .count),
                    Figure("cap.quiet.p99", quiet, .milliseconds),
                    Figure("cap.signins.p99", during.p99, .milliseconds, bound: .atMost(bound)),
                    Figure("cap.signins.seconds", during.seconds, .seconds),
                    Figure("cap.end.p99", ending.p99, .milliseconds, bound: .atMost(bound)),
                    Figure("cap.end.milliseconds", ending.seconds * 1000, .milliseconds),
                ]
            }
            return figures
        }
    }

    /// The others' slowest refreshes while `act` is under way, and how long that took.
    private func refreshes(
        of others: FilledStack, during act: @escaping @Sendable () async throws -> Void
    ) async throws -> (p99: Double, seconds: Double) {
        let start = ContinuousClock.now
        let isDone = Flag()
        let acting = Task {
            defer { isDone.set() }
            try await act()
            return (ContinuousClock.now - start) / .seconds(1)
        }
        var milliseconds: [Double] = []
        repeat {
            milliseconds += try await others.round(rotations: Self.stretch).milliseconds
        } while !isDone.isSet
        return (Percentile.of(milliseconds.sorted(), percent: 99) ?? 0, try await acting.value)
    }

    /// Opens sessions as the gateway does, with grants as user-service seals them.
    private func signIn(_ stack: LatchkeyStack) async throws {
        let keys = try stack.keyRing("grant_user_token")
        let caller = ServiceCaller(stack: stack)
        let lanes = (0..<connectionCount).map { _ in caller }
        _ = try await LoadRun.over(lanes, 0..<signInCount, within: .seconds(Self.grantSeconds)) { _, caller in
            let grant = Grant(
                id: Hex.encode(SecureRandom.bytes(16)), userID: Self.userID, epoch: 1,
                claims: UserClaims(phone: "+14155550199", role: "user", version: 1), method: "sms", isNewUser: false,
                expiresAt: Report.now() + Self.grantSeconds)
            let issue = IssueRequest(grant: try grant.sealed(with: keys), dialect: "native", address: "203.0.113.77")
            let answer = try await caller.post("token", TokenOperations.issue.path, issue)
            guard answer.status == 200 else { throw UnexpectedReply(description: "a sign-in: \(answer.status)") }
        }
    }

    private func liveSessions(_ stack: LatchkeyStack) async throws -> Int {
        let request = SessionCountsRequest(userIDs: [Self.userID])
        let answer = try await ServiceCaller(stack: stack, caller: .user)
            .post("token", TokenOperations.sessionCounts.path, request)
        return try answer.decoded(SessionCounts.self).counts.first ?? 0
    }

    private func end(_ stack: LatchkeyStack) async throws {
        let request = RevokeUserRequest(userID: Self.userID, epoch: 2, reason: .admin)
        let answer = try await ServiceCaller(stack: stack, caller: .user)
            .post("token", TokenOperations.revokeUser.path, request)
        guard answer.status == 200 else { throw UnexpectedReply(description: "ending all: \(answer.status)") }
    }
}
