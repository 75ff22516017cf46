import FoundationEssentials
import InternalAPI
import ServiceKit
import TestSupport

/// One act of token-service that is interrupted, and then asked for again.
struct InterruptedAct: Sendable {
    enum Kind: String, CaseIterable {
        case issue, rotation, end, reuse, deactivation

        /// What the whole act changes in the user's records, by the names of `DatabaseCheck.records(ofUser:)`.
        var changes: [String: Int] {
            switch self {
            case .issue: ["sessions": 1, "grants": 1, "session.opened": 1]
            case .rotation: ["generations": 1, "session.rotated": 1]
            case .end: ["ended": 1, "revocations": 1, "session.revoked": 1]
            case .reuse: ["ended": 1, "revocations": 1, "session.reused": 1, "session.revoked": 1]
            case .deactivation:
                // The first epoch has no row.
                ["ended": 2, "revocations": 2, "session.revoked": 2, "user.revoked": 1, "epoch": 2]
            }
        }

        /// Whether sessions live no more after it.
        var endsSessions: Bool { self != .issue && self != .rotation }
    }

    /// One above that of the user's sessions.
    private static let epochOfDeactivation: Int64 = 2

    let kind: Kind
    let user = LatchkeyStack.freshUser()
    private let stack: LatchkeyStack
    private let key = UUID().uuidString
    private let grant: String
    /// The user's sessions as they were before.
    private(set) var sessions: [TokenSet] = []
    private var presented = ""

    /// Makes what the act needs at a service that nothing disturbs yet.
    init(_ kind: Kind, _ stack: LatchkeyStack, at service: TestHTTPClient) async throws {
        self.kind = kind
        self.stack = stack
        grant = try stack.grant(of: user)
        for _ in 0..<(kind == .deactivation ? 2 : 1) where kind != .issue {
            sessions.append(try await stack.openSession(of: user, at: service))
        }
        presented = sessions.first?.refreshToken ?? ""
        guard kind == .reuse else { return }
        // Two rotations: what is presented is no predecessor that a lost answer would excuse.
        for _ in 0..<2 {
            let request = RefreshRequest(refreshToken: sessions[0].refreshToken, idempotencyKey: UUID().uuidString)
            let answer = try await caller(service).post("token", TokenOperations.refresh.path, request)
            guard let tokens = try answer.decoded(RefreshAnswer.self).tokens else {
                throw UnexpectedAnswer(to: "POST \(TokenOperations.refresh.path)", answer)
            }
            sessions[0] = tokens
        }
    }

    /// Asks for the act; each time it is the same request.
    func perform(at service: TestHTTPClient) async throws -> HTTPAnswer {
        switch kind {
        case .issue:
            let request = IssueRequest(grant: grant, dialect: "native", idempotencyKey: key)
            return try await caller(service).post("token", TokenOperations.issue.path, request)
        case .rotation:
            let request = RefreshRequest(refreshToken: presented, idempotencyKey: key)
            return try await caller(service).post("token", TokenOperations.refresh.path, request)
        case .reuse:
            let request = RefreshRequest(refreshToken: presented)
            return try await caller(service).post("token", TokenOperations.refresh.path, request)
        case .end:
            let request = LogoutRequest(refreshToken: presented, accessToken: nil)
            return try await caller(service).post("token", TokenOperations.logout.path, request)
        case .deactivation:
            let request = RevokeUserRequest(userID: user, epoch: Self.epochOfDeactivation, reason: .inactive)
            return try await caller(service, .user).post("token", TokenOperations.revokeUser.path, request)
        }
    }

    /// What an answer gives the client; nil when it gives nothing or is none.
    func tokens(in answer: HTTPAnswer?) throws -> TokenSet? {
        guard let answer, answer.status == 200 else { return nil }
        switch kind {
        case .issue: return try answer.decoded()
        case .rotation: return try answer.decoded(RefreshAnswer.self).tokens
        case .end, .reuse, .deactivation: return nil
        }
    }

    /// Whether the newest token of a session is refused.
    func isRefused(_ session: TokenSet, at service: TestHTTPClient) async throws -> Bool {
        let request = RefreshRequest(refreshToken: session.refreshToken, idempotencyKey: UUID().uuidString)
        let answer = try await caller(service).post("token", TokenOperations.refresh.path, request)
        guard answer.status == 200 else { return false }
        return try answer.decoded(RefreshAnswer.self).tokens == nil
    }

    private func caller(_ service: TestHTTPClient, _ caller: Caller = .gateway) -> ServiceCaller {
        ServiceCaller(stack: stack, caller: caller, client: service)
    }
}
