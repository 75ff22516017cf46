import InternalAPI

/// The order of a sign-in: proof → attestation → grant → session (design section 4).
///
/// The gateway carries sealed statements from one service to the next; it can neither make nor read more into them.
struct OpenSession: Sendable {
    /// The client's options for the session that it opens.
    struct Wishes: Sendable {
        /// The dialect, whose profile applies to the session.
        var dialect: String
        /// The name of a new user.
        var name: String?
        var deviceName: String?
        /// Whether the person wants a new account with a phone number whose user was away for long.
        var newAccount = false
    }

    /// A session that was opened.
    struct SignedIn: Sendable {
        let resolved: ResolveAnswer
        let tokens: TokenSet
    }

    /// The number of grants that are tried if the user's epoch or rights change each time.
    private static let grantsMax = 3

    let services: BackendServices

    /// Exchanges an attestation for a session.
    ///
    /// - Parameters:
    ///   - known: the result of resolving the attestation, if it arrived together with it.
    ///   - used: the refusal of a proof that is expired or used.
    ///   - key: the client's key, if it sent one. Otherwise this call gets a key of its own, so that a call which is repeated
    ///   between processes opens one session.
    func callAsFunction(
        attestation: String, resolved known: ResolveAnswer? = nil, _ wishes: Wishes, key: IdempotencyKey?,
        refusing used: Refusal = .wrongCode, _ call: ClientCall
    ) async throws(Refusal) -> SignedIn {
        let key = key?.text ?? CallID.random()
        let isPage = call.opensPage(in: wishes.dialect)
        for number in 0..<Self.grantsMax {
            let resolved =
                if number == 0, let known { known } else { try await resolve(attestation, wishes, used, call) }
            let issue = IssueRequest(
                grant: resolved.grant, dialect: wishes.dialect, idempotencyKey: key, deviceName: wishes.deviceName,
                userAgent: call.userAgent, address: call.address,
                isPage: isPage ? true : nil, replacedPage: call.replacedPage)
            switch try await services.token.ask(TokenOperations.issue, issue, for: call) {
            case .answer(let tokens):
                // A token-service from before pages had sessions would leave the page without its cookies.
                guard !isPage || tokens.pageSecret != nil else { throw .unavailable }
                return SignedIn(resolved: resolved, tokens: tokens)
            case .refused(.grantStale, _): continue
            case .refused(.grantRefused, _): throw used
            case .refused(let refusal, _): throw refusal.code.toClient
            }
        }
        // The user's epoch rises faster than the attestation is resolved.
        throw .unavailable
    }

    private func resolve(
        _ attestation: String, _ wishes: Wishes, _ used: Refusal, _ call: ClientCall
    ) async throws(Refusal) -> ResolveAnswer {
        let request = ResolveRequest(
            attestation: attestation, name: wishes.name, newAccount: wishes.newAccount ? true : nil,
            origin: call.origin(deviceName: wishes.deviceName))
        switch try await services.user.ask(UserOperations.resolve, request, for: call) {
        case .answer(let resolved): return resolved
        case .refused(.attestationRefused, _): throw used
        case .refused(.phoneChangePending, _):
            throw .phoneChangePending(movesAt: try await held(attestation, call).movesAt)
        case .refused(.secondIdentityRequired, _):
            throw .secondIdentityRequired(methods: try await held(attestation, call).methods ?? [])
        case .refused(.secondFactorRequired, _):
            let held = try await held(attestation, call)
            throw .secondFactorRequired(
                mfaToken: try held.mfaToken.orUnavailable(), methods: held.factors?.map(\.rawValue) ?? [])
        case .refused(.deletionScheduled, _):
            throw .deletionScheduled(restoreToken: try await held(attestation, call).restoreToken)
        case .refused(let refusal, _): throw refusal.code.toClient
        }
    }

    private func held(_ attestation: String, _ call: ClientCall) async throws(Refusal) -> HeldSignIn {
        try await services.user.answer(
            UserOperations.heldSignIn, HeldSignInRequest(attestation: attestation), for: call)
    }
}
