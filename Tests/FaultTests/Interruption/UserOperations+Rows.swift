import AuthAPI
import FoundationEssentials
import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service.
    static let userOperations = [
        DurableOperation(name: "first-sign-in", process: "user") { stack, _ in
            try firstSignIn(.phone(LatchkeyStack.freshPhone()), stack)
        },
        DurableOperation(name: "first-sign-in-by-mail", process: "user") { stack, _ in
            try firstSignIn(VerifiedIdentity(kind: .email, value: LatchkeyStack.freshAddress()), stack)
        },
        DurableOperation(name: "first-sign-in-by-apple", process: "user") { stack, _ in
            try await firstSignInByApple(stack)
        },
        DurableOperation(name: "end-of-consent", process: "user") { stack, twin in
            try await endOfConsent(stack, twin)
        },
        DurableOperation(name: "profile", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let body = Array(try JSONEncoder().encode(UpdateUserRequest(name: "Betty Blue")))
            return InterruptedAct(
                account.identity, stack, changes: ["user.updated": 1, "renamed": 1],
                perform: { try await account.send("PATCH", UserOperations.updateProfile.path, body, to: $0) },
                gain: { try $0.decoded(UserDetails.self).name ?? "no name" })
        },
        DurableOperation(name: "rights", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            return InterruptedAct(
                account.identity, stack, changes: ["user.rights_changed": 1, "versions": 1],
                perform: { try await account.change(ChangeUserRequest(userID: account.id, role: "support"), at: $0) })
        },
        DurableOperation(name: "lock", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            return InterruptedAct(
                account.identity, stack,
                changes: ["user.rights_changed": 1, "inactive": 1, "epochs": 1],
                perform: { try await account.change(ChangeUserRequest(userID: account.id, isActive: false), at: $0) },
                ends: [account.session])
        },
        DurableOperation(name: "deletion", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            return InterruptedAct(
                account.identity, stack, changes: ["user.deletion_requested": 1, "deletions": 1, "epochs": 1],
                perform: { try await account.send("DELETE", UserOperations.deleteAccount.path, [], to: $0) },
                ends: [account.session])
        },
        DurableOperation(name: "deletion-by-code", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let request = DeleteByProofRequest(attestation: try stack.attestation(.deletion, of: account.identity))
            return InterruptedAct(
                account.identity, stack, changes: ["user.deletion_requested": 1, "deletions": 1, "epochs": 1],
                perform: {
                    try await ServiceCaller(stack: stack, client: $0)
                        .post("user", UserOperations.deleteByProof.path, request)
                },
                gain: {
                    let answer = try $0.decoded(DeleteByProofAnswer.self)
                    return "\(answer.result), due at \(answer.dueAt ?? 0)"
                },
                ends: [account.session])
        },
        DurableOperation(name: "deletion-with-notice", process: "user") { stack, twin in
            let identity = VerifiedIdentity(kind: .email, value: LatchkeyStack.freshAddress())
            let account = try await Account(stack, twin, identity)
            var act = InterruptedAct(
                identity, stack, changes: ["user.deletion_requested": 1, "deletions": 1, "epochs": 1],
                perform: { try await account.send("DELETE", UserOperations.deleteAccount.path, [], to: $0) },
                ends: [account.session])
            // A process that was killed while it worked on the lane keeps its lease for 30 s.
            act.effect = {
                try await stack.messages(to: identity.value).contains {
                    $0.subject?.contains("will be deleted") == true
                }
            }
            return act
        },
    ]

    private static func firstSignIn(_ identity: VerifiedIdentity, _ stack: LatchkeyStack) throws -> InterruptedAct {
        let request = ResolveRequest(attestation: try stack.attestation(of: identity), name: "Betty")
        return InterruptedAct(
            identity, stack,
            changes: ["users": 1, "identities": 1, "resolutions": 1, "user.created": 1, "epochs": 1, "versions": 1],
            perform: {
                try await ServiceCaller(stack: stack, client: $0).post("user", UserOperations.resolve.path, request)
            },
            gain: {
                let answer = try $0.decoded(ResolveAnswer.self)
                return "\(answer.user.id), new: \(answer.isNewUser)"
            })
    }

    /// A token is presented and what it proves resolved: single use is written with the user, and so is the code, which is exchanged
    /// afterwards.
    private static func firstSignInByApple(_ stack: LatchkeyStack) async throws -> InterruptedAct {
        let subject = "000123.\(UUID().uuidString.lowercased())"
        let request = try await appleRequest(subject, stack)
        var act = InterruptedAct(
            VerifiedIdentity(kind: .apple, value: subject), stack,
            changes: ["users": 1, "identities": 1, "resolutions": 1, "user.created": 1, "epochs": 1, "versions": 1],
            perform: { try await signIn(request, stack, $0) },
            gain: {
                let answer = try $0.decoded(ResolveAnswer.self)
                return "\(answer.user.id), new: \(answer.isNewUser)"
            })
        // A process that was killed while it worked on the lane keeps its lease for 30 s.
        act.effect = { try await FakeProviders(of: stack).appleTokens(of: subject).count == 1 }
        return act
    }

    /// Apple reports that a user no longer signs in with it.
    private static func endOfConsent(
        _ stack: LatchkeyStack, _ twin: ProcessTwin.Running
    ) async throws -> InterruptedAct {
        let subject = "000123.\(UUID().uuidString.lowercased())"
        var request = try await appleRequest(subject, stack)
        request.authorizationCode = nil
        let resolved = try await signIn(request, stack, twin.service).decoded(ResolveAnswer.self)
        let issue = IssueRequest(grant: resolved.grant, dialect: "native")
        let session: TokenSet = try await ServiceCaller(stack: stack)
            .post("token", TokenOperations.issue.path, issue).decoded()
        let payload = try await FakeProviders(of: stack)
            .appleNotification(#"{"type":"consent-revoked","subject":"\#(subject)"}"#)
        var act = InterruptedAct(
            VerifiedIdentity(kind: .apple, value: subject), stack,
            changes: ["identity.consent_revoked": 1, "epochs": 1, "answers": 1],
            perform: {
                try await ServiceCaller(stack: stack, client: $0)
                    .post("user", IdentityOperations.noteApple.path, AppleNotification(payload: payload))
            })
        act.effect = { try await stack.gateway.get("/api/hello", bearer: session.accessToken).status == 401 }
        return act
    }

    private static func appleRequest(_ subject: String, _ stack: LatchkeyStack) async throws -> IdentityTokenRequest {
        let token = try await FakeProviders(of: stack).identityToken(#"{"subject":"\#(subject)"}"#)
        return IdentityTokenRequest(
            provider: "apple", token: token.identityToken, nonce: nil, callID: subject,
            authorizationCode: token.authorizationCode)
    }

    private static func signIn(
        _ request: IdentityTokenRequest, _ stack: LatchkeyStack, _ service: TestHTTPClient
    ) async throws -> HTTPAnswer {
        let caller = ServiceCaller(stack: stack, client: service)
        let answer = try await caller.post("user", IdentityOperations.prove.path, request)
        guard answer.status == 200, let proof = try answer.decoded(IdentityTokenAnswer.self).proof else {
            return answer
        }
        return try await caller.post(
            "user", UserOperations.resolve.path, ResolveRequest(attestation: proof, name: "Betty"))
    }
}

extension InterruptedAct {
    /// Creates an operation that changes the records in `users.sqlite` of the user with a phone number or email address.
    fileprivate init(
        _ identity: VerifiedIdentity, _ stack: LatchkeyStack, changes: [String: Int],
        perform: @escaping @Sendable (TestHTTPClient) async throws -> HTTPAnswer,
        gain: @escaping @Sendable (HTTPAnswer) throws -> String = { _ in "" }, ends: [TokenSet] = []
    ) {
        self.init(
            changes: changes, records: { try DatabaseCheck(of: stack).records(ofIdentity: identity.value) },
            perform: perform, gain: gain, ends: ends)
    }
}
