internal import AuthAPI
internal import InternalAPI

/// The order of a sign-in: proof of a phone → attestation → grant → session (design section 4).
///
/// The gateway carries sealed statements from one service to the next; it can neither make nor read more into them.
struct SignIn: Sendable {
    let services: BackendServices

    /// What the client says of the session that it opens.
    struct SessionRequest: Sendable {
        var dialect: String
        var name: String?
        var deviceName: String?
        var userAgent: String?
        var address: String
        /// The client's own key, or one of this request alone: a call repeated between processes opens one session.
        var idempotencyKey: String
        var requestID: String
    }

    enum Outcome: Sendable {
        case signedIn(ResolveAnswer, TokenSet)
        /// The attestation or its grant is not good (any more).
        case refused
        case inactive
        /// The account waits for its deletion.
        case deletionScheduled
        case invalidRequest
    }

    /// Times that a grant is resolved again because the user's epoch rose meanwhile.
    private static let resolveTriesMax = 3

    /// Exchanges an attestation for a session.
    func open(
        attestation: String, _ session: SessionRequest
    ) async throws(ServiceUnavailable) -> Outcome {
        for _ in 0..<Self.resolveTriesMax {
            switch try await resolve(attestation, session) {
            case .refused(let refusal, _): return Self.outcome(of: refusal)
            case .answer(let resolved):
                switch try await issue(resolved.grant, session) {
                case .answer(let tokens): return .signedIn(resolved, tokens)
                case .refused(.epochStale, _): continue
                case .refused(.grantRefused, _): return .refused
                case .refused(.invalidRequest, _): return .invalidRequest
                }
            }
        }
        throw ServiceUnavailable(service: "token", reason: "the user's epoch rises faster than it is resolved")
    }

    private func resolve(
        _ attestation: String, _ session: SessionRequest
    ) async throws(ServiceUnavailable) -> OperationOutcome<ResolveAnswer, ResolveRefusal> {
        try await services.user.call(
            UserOperations.resolve, ResolveRequest(attestation: attestation, name: session.name),
            requestID: session.requestID)
    }

    private func issue(
        _ grant: String, _ session: SessionRequest
    ) async throws(ServiceUnavailable) -> OperationOutcome<TokenSet, IssueRefusal> {
        let request = IssueRequest(
            grant: grant, dialect: session.dialect, idempotencyKey: session.idempotencyKey,
            deviceName: session.deviceName, userAgent: session.userAgent, address: session.address)
        return try await services.token.call(TokenOperations.issue, request, requestID: session.requestID)
    }

    private static func outcome(of refusal: ResolveRefusal) -> Outcome {
        switch refusal {
        case .invalidRequest: .invalidRequest
        case .attestationRefused: .refused
        case .accountInactive: .inactive
        case .deletionScheduled: .deletionScheduled
        }
    }
}
