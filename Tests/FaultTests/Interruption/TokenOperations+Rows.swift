import FoundationEssentials
import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of token-service.
    static let tokenOperations = [
        DurableOperation(name: "issue", process: "token") { stack, _ in
            let user = LatchkeyStack.freshUser()
            let request = IssueRequest(
                grant: try stack.grant(of: user), dialect: "native", idempotencyKey: UUID().uuidString)
            return InterruptedAct(
                user, stack, changes: ["sessions": 1, "grants": 1, "session.opened": 1],
                post(TokenOperations.issue.path, request, stack)
            ) { try $0.decoded(TokenSet.self).refreshToken }
        },
        DurableOperation(name: "rotation", process: "token") { stack, twin in
            let (user, session) = try await openSession(stack, twin)
            let request = RefreshRequest(refreshToken: session.refreshToken, idempotencyKey: UUID().uuidString)
            return InterruptedAct(
                user, stack, changes: ["generations": 1, "session.rotated": 1],
                post(TokenOperations.refresh.path, request, stack)
            ) { try $0.decoded(RefreshAnswer.self).tokens?.refreshToken ?? "no tokens" }
        },
        DurableOperation(name: "end", process: "token") { stack, twin in
            let (user, session) = try await openSession(stack, twin)
            let request = LogoutRequest(refreshToken: session.refreshToken, accessToken: nil)
            return InterruptedAct(
                user, stack, changes: ["ended": 1, "revocations": 1, "session.revoked": 1],
                post(TokenOperations.logout.path, request, stack), ends: [session])
        },
        DurableOperation(name: "reuse", process: "token") { stack, twin in
            let (user, first) = try await openSession(stack, twin)
            var newest = first
            // Two rotations: what is presented is no predecessor that a lost answer would excuse.
            for _ in 0..<2 { newest = try await rotate(newest, stack, twin) }
            return InterruptedAct(
                user, stack,
                changes: ["ended": 1, "revocations": 1, "session.reused": 1, "session.revoked": 1],
                post(TokenOperations.refresh.path, RefreshRequest(refreshToken: first.refreshToken), stack),
                ends: [newest])
        },
        DurableOperation(name: "deactivation", process: "token") { stack, twin in
            let user = LatchkeyStack.freshUser()
            let sessions = [
                try await stack.openSession(of: user, at: twin.service),
                try await stack.openSession(of: user, at: twin.service),
            ]
            // One above that of the sessions; the first epoch has no row.
            let request = RevokeUserRequest(userID: user, epoch: 2, reason: .inactive)
            // A repeated deactivation is one more record of the operator's act, and nothing else.
            return InterruptedAct(
                user, stack,
                changes: ["ended": 2, "revocations": 2, "session.revoked": 2, "user.revoked": 1, "epoch": 2],
                post(TokenOperations.revokeUser.path, request, stack, as: .user), ends: sessions,
                repeated: ["user.revoked"])
        },
        DurableOperation(name: "reauthentication", process: "token") { stack, twin in
            let (user, session) = try await openSession(stack, twin)
            return try await reauthenticating(user, session, stack, nil, ["session.reauthenticated": 1])
        },
        DurableOperation(name: "step-up", process: "token") { stack, twin in
            let (user, session) = try await openSession(stack, twin)
            return try await reauthenticating(
                user, session, stack, [.pop, .user], ["stepped up": 1, "grants": 1, "session.stepped_up": 1])
        },
    ]

    /// - Parameter factors: what a passkey shows, whose challenge raises the session once; `nil` for another proof.
    private static func reauthenticating(
        _ user: String, _ session: TokenSet, _ stack: LatchkeyStack, _ factors: AuthenticationFactors?,
        _ changes: [String: Int]
    ) async throws -> InterruptedAct {
        // Times are seconds, and the sign-in's counts.
        try await Task.sleep(for: .seconds(1))
        let now = Int64(Date().timeIntervalSince1970)
        let statement = Reauthentication(
            userID: user, sessionID: session.sessionID, method: factors == nil ? "code" : "passkey", at: now,
            expiresAt: now + 60, factors: factors, id: factors.map { _ in CallID.random() })
        let request = NoteAuthenticationRequest(
            statement: try statement.sealed(with: try stack.keyRing("grant_user_token")))
        let body = Array(try JSONEncoder().encode(request))
        return InterruptedAct(
            user, stack, changes: changes.merging(["reauthenticated": 1]) { $1 },
            { client in
                try await ServiceCaller(stack: stack, client: client).send(
                    "POST", "token", TokenOperations.noteAuthentication.path, body: body,
                    accessToken: session.accessToken)
            })
    }

    private static func openSession(
        _ stack: LatchkeyStack, _ twin: ProcessTwin.Running
    ) async throws -> (user: String, session: TokenSet) {
        let user = LatchkeyStack.freshUser()
        return (user, try await stack.openSession(of: user, at: twin.service))
    }

    private static func rotate(
        _ session: TokenSet, _ stack: LatchkeyStack, _ twin: ProcessTwin.Running
    ) async throws -> TokenSet {
        let request = RefreshRequest(refreshToken: session.refreshToken, idempotencyKey: UUID().uuidString)
        let answer = try await post(TokenOperations.refresh.path, request, stack)(twin.service)
        guard let tokens = try answer.decoded(RefreshAnswer.self).tokens else {
            throw UnexpectedAnswer(to: "POST \(TokenOperations.refresh.path)", answer)
        }
        return tokens
    }

    private static func post(
        _ path: String, _ request: some Encodable & Sendable, _ stack: LatchkeyStack, as caller: Caller = .gateway
    ) -> @Sendable (TestHTTPClient) async throws -> HTTPAnswer {
        { try await ServiceCaller(stack: stack, caller: caller, client: $0).post("token", path, request) }
    }
}

extension InterruptedAct {
    /// An act that changes what `tokens.sqlite` holds of a user.
    fileprivate init(
        _ user: String, _ stack: LatchkeyStack, changes: [String: Int],
        _ perform: @escaping @Sendable (TestHTTPClient) async throws -> HTTPAnswer, ends: [TokenSet] = [],
        repeated: Set<String> = [], gain: @escaping @Sendable (HTTPAnswer) throws -> String = { _ in "" }
    ) {
        self.init(
            changes: changes, records: { try DatabaseCheck(of: stack).records(ofUser: user) }, perform: perform,
            gain: gain, ends: ends, repeated: repeated)
    }
}
