import AccessTokens
import CoreMetrics
import CryptoPrimitives
import InternalAPI
import PhoneNumbers
import Policies

/// Turns the token of a service that proves phone numbers into a proof that `resolve` accepts. Nothing is stored here yet.
///
/// The number is then one like any other: the account is found by it, and otp-service's lockouts and limits of codes hold.
struct ProvePhoneToken: Sendable {
    /// The provider of a token whose issuer is unknown or cannot be read, in the audit and in metrics; no entry has this name.
    private static let noProvider = "phone"

    let providers: [PhoneTokenProvider]
    let countries: CountryRule
    let store: any UserStore
    let otpService: ServiceClient
    let tags: CallTags
    let proofKeys: KeyRing
    let audit: RefusedTokenAudit
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `ProviderKeys.Unavailable` while the provider's keys are unknown; `ServiceUnavailable` without otp-service;
    ///   `InvalidInput` for a short nonce.
    func callAsFunction(_ request: PhoneTokenRequest, requestID: String?) async throws -> PhoneTokenAnswer {
        guard !providers.isEmpty else { return PhoneTokenAnswer(.off) }
        var name = Self.noProvider
        do {
            let token = try IdentityToken(request.token)
            let provider = try provider(of: token)
            name = provider.rule.name
            try provider.rule.requireLength(ofNonce: request.nonce)
            let answer = try await judge(request, try await verify(token, request.nonce, by: provider), name, requestID)
            count(name, answer.result.rawValue)
            return answer
        } catch let rejection as IdentityTokenRejection {
            count(name, rejection.rawValue)
            try await audit.note(rejection, provider: name, requestID: requestID)
            return PhoneTokenAnswer(.refused)
        }
    }

    private func provider(of token: IdentityToken) throws(IdentityTokenRejection) -> PhoneTokenProvider {
        let issuer = try token.statedIssuer()
        guard let provider = providers.first(where: { $0.rule.isIssuer(issuer) }) else { throw .wrongIssuer }
        return provider
    }

    private func verify(
        _ token: IdentityToken, _ nonce: String?, by provider: PhoneTokenProvider
    ) async throws -> VerifiedPhone {
        // Checked first, so that no key is fetched for a token with another algorithm.
        guard token.jws.header.algorithm.rawValue == provider.rule.algorithm else {
            throw IdentityTokenRejection.wrongAlgorithm
        }
        return try await provider.keys.judging(token.keyID) { key throws(IdentityTokenRejection) in
            try provider.rule.verify(token, key: key, nonce: nonce, now: now())
        }
    }

    /// Decides whether a verified number may sign in now.
    private func judge(
        _ request: PhoneTokenRequest, _ verified: VerifiedPhone, _ provider: String, _ requestID: String?
    ) async throws -> PhoneTokenAnswer {
        guard countries.allows(verified.phone) else { return PhoneTokenAnswer(.blockedCountry) }
        let call = tags.tag(
            IdentityOperations.provePhone.path, callID: request.callID, body: [request.token, request.nonce ?? ""])
        let proof = OwnProof(verified.verified, call, phoneProvider: provider, now: now())
        // Before otp-service is asked, since a used token must not make the number recognised where it is presented again.
        guard try await !isUsed(verified.verified, call) else { return PhoneTokenAnswer(.used) }
        let admission = try await admission(of: verified, request, requestID)
        if let seconds = admission.retryAfterSeconds {
            return PhoneTokenAnswer(.tooManyAttempts, limit: admission.limit, retryAfterSeconds: seconds)
        }
        return PhoneTokenAnswer(.proved, proof: try proof.sealed(with: proofKeys))
    }

    /// Whether the token has served another call, or is from before a deletion. `resolve` decides it again, in the transaction that
    /// uses the token.
    private func isUsed(_ verified: VerifiedIdentityToken, _ call: CallTag) async throws -> Bool {
        let now = now()
        let deletion = GivenUpIdentities(tags: tags).tag(of: verified.identity)
        let facts = try await store.facts(
            UserQuestion(.identity(verified.identity), proofID: verified.proofID, call: deletion, askedAt: now))
        let token = PresentedToken(call: call.bytes, issuedAt: verified.issuedAt)
        return facts.hasUsed(token, now: now) || facts.isGivenUp(since: token)
    }

    /// Counts the attempt, and returns whether a lockout or a limit of the number holds.
    private func admission(
        of verified: VerifiedPhone, _ request: PhoneTokenRequest, _ requestID: String?
    ) async throws -> VerifiedNumberAnswer {
        let number = VerifiedNumber(
            phone: verified.phone.e164, address: request.address, signedInPhone: request.signedInPhone,
            callID: request.callID)
        switch try await otpService.call(OTPOperations.admitNumber, number, requestID: requestID) {
        case .answer(let answer): return answer
        case .refused(.invalidRequest, _): throw InvalidInput(member: "address")
        }
    }

    private func count(_ provider: String, _ result: String) {
        Counter(
            label: "auth_identity_tokens_total", dimensions: [("provider", provider), ("result", result)]
        ).increment()
    }
}
