import FoundationEssentials
import InternalAPI
import TestSupport

/// A user who has signed in, and their session.
struct Account: Sendable {
    let identity: VerifiedIdentity
    let id: String
    let session: TokenSet
    let stack: LatchkeyStack

    init(
        _ stack: LatchkeyStack, _ twin: ProcessTwin.Running,
        _ identity: VerifiedIdentity = .phone(LatchkeyStack.freshPhone())
    ) async throws {
        let proof = try await Self.proof(of: identity, stack, twin.service)
        let resolved = try await Self.resolve(proof, stack, twin.service).decoded(ResolveAnswer.self)
        let issue = IssueRequest(grant: resolved.grant, dialect: "native")
        session = try await ServiceCaller(stack: stack).post("token", TokenOperations.issue.path, issue).decoded()
        id = resolved.user.id
        self.identity = identity
        self.stack = stack
    }

    /// Makes a request with the session's access token.
    func send(_ method: String, _ path: String, _ body: [UInt8], to service: TestHTTPClient) async throws -> HTTPAnswer
    {
        try await ServiceCaller(stack: stack, client: service)
            .send(method, "user", path, body: body, accessToken: session.accessToken)
    }

    /// Posts a request with the session's access token.
    func post(_ path: String, _ body: some Encodable, to service: TestHTTPClient) async throws -> HTTPAnswer {
        try await send("POST", path, Array(try JSONEncoder().encode(body)), to: service)
    }

    /// Asks for a change as the operator.
    func change(_ request: ChangeUserRequest, at service: TestHTTPClient) async throws -> HTTPAnswer {
        try await control(UserOperations.change.path, request, at: service)
    }

    /// Posts a request as the operator.
    func control(_ path: String, _ body: some Encodable, at service: TestHTTPClient) async throws -> HTTPAnswer {
        try await ServiceCaller(stack: stack, caller: .control, client: service).post("user", path, body)
    }
}

/// Proofs of identities.
extension Account {
    /// - Parameter user: the user who adds the identity; `nil` for a sign-in.
    static func proof(
        of identity: VerifiedIdentity, for user: String? = nil, _ stack: LatchkeyStack, _ service: TestHTTPClient
    ) async throws -> String {
        guard identity.kind == .apple else {
            return try stack.attestation(user == nil ? .signIn : .identity, of: identity, for: user)
        }
        let token = try await FakeProviders(of: stack).identityToken(#"{"subject":"\#(identity.value)"}"#)
        let request = IdentityTokenRequest(
            provider: "apple", token: token.identityToken, nonce: nil, callID: CallID.random())
        return try await ServiceCaller(stack: stack, client: service)
            .post("user", IdentityOperations.prove.path, request).decoded(IdentityTokenAnswer.self).proof ?? ""
    }

    static func resolve(
        _ proof: String, newAccount: Bool? = nil, _ stack: LatchkeyStack, _ service: TestHTTPClient
    ) async throws -> HTTPAnswer {
        let request = ResolveRequest(attestation: proof, name: "Betty", newAccount: newAccount)
        return try await ServiceCaller(stack: stack, client: service).post("user", UserOperations.resolve.path, request)
    }

    /// Adds an identity, in place of an earlier one of its kind.
    @discardableResult
    func add(_ identity: VerifiedIdentity, at service: TestHTTPClient) async throws -> AccountAnswer {
        let proof = try await Self.proof(of: identity, for: id, stack, service)
        let request = AddIdentityRequest(proof: proof, callID: CallID.random())
        return try await post(IdentityOperations.addOwn.path, request, to: service).decoded()
    }

    /// Whether an identity signs in to this account.
    func isReached(by identity: VerifiedIdentity, at service: TestHTTPClient) async throws -> Bool {
        let proof = try await Self.proof(of: identity, stack, service)
        let answer = try await Self.resolve(proof, stack, service)
        guard answer.status == 200 else { return false }
        return try answer.decoded(ResolveAnswer.self).user.id == id
    }
}
