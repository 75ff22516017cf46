import InternalAPI

/// Judges further proofs that another account is the user's, before it is merged.
///
/// A wrong proof counts for the user, as at a reauthentication. A password counts for the other account too, as any guess.
struct MergeProofs: Sendable {
    let reauthenticate: Reauthenticate
    /// `nil` if the policy has no passwords.
    let accounts: AccountParts?

    /// The accounts of a merge.
    struct Pair: Sendable {
        let user: User
        let other: UserFacts
        let offer: MergeOffer

        /// The other account's recipients of codes, apart from the identity that the user has verified already.
        var subject: ReauthenticationCodes.Subject? {
            guard var owner = other.holder else { return nil }
            if offer.identity.kind == .phone { owner.phone = nil }
            if offer.identity.kind == .email { owner.email = nil }
            return ReauthenticationCodes.Subject(owner: owner, asker: user, purpose: .merge)
        }
    }

    /// Sends a code to the other account's phone number or email address.
    func requestCode(
        _ request: ReauthenticationCodeRequest, of pair: Pair, requestID: String?
    ) async throws -> OTPRequestAnswer {
        guard let subject = pair.subject else { return OTPRequestAnswer(.unsupportedChannel) }
        return try await reauthenticate.codes.send(request, subject, requestID: requestID)
    }

    /// Counts a proof and judges it.
    ///
    /// - Returns: the answer to a proof that does not suffice; `nil` if it is right.
    /// - Throws: `InvalidInput` unless there is exactly one proof; as `Reauthenticate`.
    func refusal(
        of proof: ReauthenticateRequest, _ pair: Pair, _ caller: ChangeOwnIdentities.Caller, methods: [String]
    ) async throws -> AccountAnswer? {
        _ = try proof.kind()
        let judgement = try await reauthenticate.counted(
            proof, caller.user, pair.user, of: pair.offer.other, caller.requestID
        ) { try await judge(proof, pair, caller) }
        switch judgement {
        case .right: return nil
        case .wrong: return AccountAnswer(.mergeProofWrong)
        case .unjudged(let answer) where answer.result == .rateLimited:
            return AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: answer.retryAfterSeconds)
        case .unjudged: return AccountAnswer(.mergeProofRequired, methods: methods)
        }
    }

    private func judge(
        _ proof: ReauthenticateRequest, _ pair: Pair, _ caller: ChangeOwnIdentities.Caller
    ) async throws -> Reauthenticate.Judgement {
        guard let subject = pair.subject else { return .wrong }
        switch try proof.kind() {
        case .code: return try await reauthenticate.codes.judge(proof, subject, pair.other, caller.requestID)
        case .password: return try await judge(proof.password ?? "", pair.other, from: proof.address)
        // They are no part of the other account that a merge may bring.
        case .passkey, .totp, .recoveryCode: return .unjudged(ReauthenticateAnswer(.unknownProvider))
        case .identityToken, .browser, .phoneToken:
            // The user has verified this identity already.
            let name = proof.phoneToken == nil ? proof.provider : VerifiedIdentity.Kind.phone.rawValue
            guard pair.offer.identity.providerName != name else {
                return .unjudged(ReauthenticateAnswer(.unknownProvider))
            }
            return try await reauthenticate.tokens.judge(
                proof, subject.owner, FlowOwner(.identity, caller.user), caller.requestID)
        }
    }

    private func judge(
        _ password: String, _ other: UserFacts, from address: String
    ) async throws -> Reauthenticate.Judgement {
        guard let accounts, let stored = other.password, let account = other.address else {
            return .unjudged(ReauthenticateAnswer(.noPassword))
        }
        let guess = accounts.guess(at: account, from: address)
        let refusal = try await accounts.check(password, against: stored.hash, guess, of: other.holder)
        guard let refusal else { return .right(at: accounts.act.now(), .pwd) }
        guard refusal.result == .rateLimited else { return .wrong }
        return .unjudged(ReauthenticateAnswer(.rateLimited, retryAfterSeconds: refusal.retryAfterSeconds))
    }
}
