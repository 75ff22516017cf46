import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Passwords
import Policies

/// Judges a proof that the bearer of an access token is its user, and seals a statement about it for token-service.
///
/// A wrong proof counts for the user before it is judged, in a lock of its own.
struct Reauthenticate: Sendable {
    let act: AccountAct
    let lock: ProofLock
    let codes: ReauthenticationCodes
    /// `nil` if the policy has no passwords.
    let hasher: PasswordHasher?
    let tokens: OwnIdentityTokens
    /// `nil` if the policy has no passkeys.
    var passkeys: StepUpByPasskey?
    /// `nil` if the policy has no second factor.
    var secondFactor: SecondFactorCheck?
    let statementKeys: KeyRing
    let userIDPrefix: String

    typealias Outcome = OperationOutcome<ReauthenticateAnswer, BearerBodyRefusal>

    /// How long token-service accepts a statement, in seconds.
    static let statementSeconds: Int64 = 60

    /// The judgement of a proof.
    enum Judgement: Sendable, Equatable {
        /// At a Unix time in seconds, by a proof that shows these factors.
        /// - id: identifies the challenge of a passkey, which counts once; `nil` for proofs that are used elsewhere.
        case right(at: Int64, AuthenticationFactors, id: String? = nil)
        case wrong
        /// The proof was not compared, and does not count.
        case unjudged(ReauthenticateAnswer)
    }

    /// - Throws: `InvalidInput` unless there is exactly one proof; the errors of the store, of Redis, of otp-service, of the provider's
    ///   keys and of hashing, after which the proof does not count.
    func callAsFunction(
        _ caller: SignedInUser, _ request: ReauthenticateRequest, requestID: String?
    ) async throws -> Outcome {
        _ = try request.kind()
        let facts = try await act.facts(of: caller, nil)
        guard let user = facts.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        let answer = try await answer(request, caller, user, facts, requestID)
        Counter(
            label: "auth_reauthentications_total",
            dimensions: [("method", try request.kind().rawValue), ("result", answer.result.rawValue)]
        ).increment()
        return .answer(answer)
    }

    private func answer(
        _ request: ReauthenticateRequest, _ caller: SignedInUser, _ user: User, _ facts: UserFacts,
        _ requestID: String?
    ) async throws -> ReauthenticateAnswer {
        let judgement: Judgement
        if let passkey = request.passkey {
            // It cannot be guessed, so no lock of guesses keeps its user out.
            judgement =
                try await passkeys?.judge(passkey, caller, user, callID: request.callID, requestID: requestID) ?? .wrong
        } else if let guess = SecondFactorGuess(totp: request.totp, recoveryCode: request.recoveryCode) {
            judgement = try await judge(guess, request, caller, user, requestID)
        } else {
            judgement = try await counted(request, caller, user, of: nil, requestID) {
                try await judge(request, caller, user, facts, requestID)
            }
        }
        return switch judgement {
        case .right(let time, let factors, let id): try stated(time, factors, id, request, caller, user)
        case .wrong: ReauthenticateAnswer(.refused)
        case .unjudged(let answer): answer
        }
    }

    /// Counts a proof of the session's user, and has it judged.
    ///
    /// - Parameters:
    ///   - other: the account that the proof is about; `nil` for the user's own. Only then a right proof shows that the bearer is the
    ///     user, so that earlier wrong ones are forgotten.
    ///   - judge: judges the proof; if it throws, the proof does not count.
    func counted(
        _ request: ReauthenticateRequest, _ caller: SignedInUser, _ user: User, of other: UserID?, _ requestID: String?,
        _ judge: () async throws -> Judgement
    ) async throws -> Judgement {
        let proof: ProofLock.Admitted
        switch try await lock.admit(user.id, call: try request.codeCall(other, userIDPrefix), now: act.now()) {
        case .admitted(let admitted): proof = admitted
        case .limited(let seconds):
            return .unjudged(ReauthenticateAnswer(.rateLimited, retryAfterSeconds: seconds))
        }
        let judgement: Judgement
        do { judgement = try await judge() } catch {
            try await lock.giveBack(proof)
            throw error
        }
        switch judgement {
        case .right where other == nil: try await lock.forgetAll(of: user.id)
        case .right, .unjudged: try await lock.giveBack(proof)
        case .wrong where proof.isRepeat: break
        case .wrong:
            let origin = RequestOrigin(
                requestID: requestID, sessionID: caller.sessionID, method: try request.kind().rawValue)
            try await act.store.note([.audit(AuditEntry(.reauthenticationRefused, user, origin))], now: act.now())
        }
        return judgement
    }

    private func judge(
        _ request: ReauthenticateRequest, _ caller: SignedInUser, _ user: User, _ facts: UserFacts,
        _ requestID: String?
    ) async throws -> Judgement {
        switch try request.kind() {
        case .code: try await codes.judge(request, .own(user), facts, requestID)
        case .password: try await judge(request.password ?? "", facts)
        // Judged before, with limits of their own.
        case .passkey, .totp, .recoveryCode: .wrong
        case .identityToken, .browser, .phoneToken:
            try await tokens.judge(request, user, FlowOwner(.reauthentication, caller), requestID)
        }
    }

    private func judge(
        _ guess: SecondFactorGuess, _ request: ReauthenticateRequest, _ caller: SignedInUser, _ user: User,
        _ requestID: String?
    ) async throws -> Judgement {
        guard let secondFactor else { return .wrong }
        let origin = RequestOrigin(
            requestID: requestID, sessionID: caller.sessionID, method: try request.kind().rawValue)
        let call = tokens.prove.tags.tag(
            UserOperations.reauthenticate.path, callID: request.callID, caller: user.id,
            body: [caller.sessionID, request.totp ?? "", request.recoveryCode ?? ""])
        let owner = ProvedSecondFactor(user: user.id, epoch: user.epoch)
        return switch try await secondFactor(guess, owner, call, origin) {
        case .right: .right(at: act.now(), .otp)
        case .wrong: .wrong
        case .limited(let seconds): .unjudged(ReauthenticateAnswer(.rateLimited, retryAfterSeconds: seconds))
        }
    }

    private func judge(_ typed: String, _ facts: UserFacts) async throws -> Judgement {
        guard let hasher, let stored = facts.password else { return .unjudged(ReauthenticateAnswer(.noPassword)) }
        guard let password = PasswordText(typed) else { return .wrong }
        return try await hasher.verifies(password, against: StoredHash(stored.hash))
            ? .right(at: act.now(), .pwd) : .wrong
    }

    private func stated(
        _ time: Int64, _ factors: AuthenticationFactors, _ id: String?, _ request: ReauthenticateRequest,
        _ caller: SignedInUser, _ user: User
    ) throws -> ReauthenticateAnswer {
        let statement = Reauthentication(
            userID: user.id.text(prefix: userIDPrefix), sessionID: caller.sessionID,
            method: try request.kind().rawValue,
            at: time, expiresAt: act.now() + Self.statementSeconds, factors: factors, id: id,
            version: user.version)
        return ReauthenticateAnswer(.authenticated, statement: try statement.sealed(with: statementKeys))
    }
}

extension ReauthenticateRequest {
    /// The kinds of proofs; the raw value is the method in audit and metrics.
    enum Kind: String, CaseIterable {
        case code, password
        case identityToken = "identity_token"
        case browser
        case phoneToken = "phone_token"
        case totp
        case recoveryCode = "recovery_code"
        case passkey
    }

    /// Everything that two calls with a code share if one repeats the other; `nil` for another proof. Like at a sign-in, the repeat of
    /// a password counts.
    ///
    /// - Parameter other: the account that the proof is about; `nil` for the user's own.
    fileprivate func codeCall(_ other: UserID?, _ userIDPrefix: String) throws(InvalidInput) -> [String]? {
        guard let code, try kind() == .code else { return nil }
        return [other?.text(prefix: userIDPrefix) ?? "", channel ?? "", code, callID]
    }

    /// Returns the kind of the only proof.
    ///
    /// - Throws: `InvalidInput` unless there is exactly one proof.
    func kind() throws(InvalidInput) -> Kind {
        if let kind = try kindOfFactor() { return kind }
        switch (code, verifier, password, token, phoneToken, provider) {
        case (_?, nil, nil, nil, nil, nil): return .code
        case (nil, nil, _?, nil, nil, nil): return .password
        case (nil, nil, nil, _?, nil, _?): return .identityToken
        case (_?, _?, nil, nil, nil, _?): return .browser
        case (nil, nil, nil, nil, _?, nil): return .phoneToken
        default: throw Self.oneProof
        }
    }

    /// Returns the kind of a passkey, a code of an authenticator app or a recovery code; `nil` if there is none of them.
    private func kindOfFactor() throws(InvalidInput) -> Kind? {
        let kinds: [Kind] = [
            passkey.map { _ in .passkey }, totp.map { _ in .totp }, recoveryCode.map { _ in .recoveryCode },
        ].compactMap { $0 }
        guard let kind = kinds.first else { return nil }
        guard kinds.count == 1, [code, verifier, password, token, phoneToken, provider].allSatisfy({ $0 == nil })
        else { throw Self.oneProof }
        return kind
    }

    private static let oneProof = InvalidInput(
        "one of code, password, phoneToken, passkey, totp, recoveryCode, and provider with a token or with code and "
            + "verifier is needed")
}
