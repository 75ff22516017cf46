import InternalAPI
import Policies

/// Turns the second factor of a signed-in user on and off.
struct ChangeSecondFactor: Sendable {
    let act: AccountAct
    let recent: RecentAuthentication
    /// The age from which the last proof of the session's user is old, in seconds.
    let withinSeconds: Int64
    /// How long TOTP waits that a code alone turned on, in seconds.
    let delaySeconds: Int64
    /// `nil` if the policy has no TOTP.
    let issuer: String?
    let seal: SecondFactorSeal
    let move: IdentityMove
    let notices: AccountNotices

    typealias Outcome = OperationOutcome<SecondFactorAnswer, SecondFactorRefusal>
    private typealias Decision =
        @Sendable (User, SecondFactor, AuthenticationFactors, _ now: Int64) throws -> Verdict<SecondFactorAnswer>

    /// A signed-in user's call.
    struct Caller: Sendable {
        let user: SignedInUser
        let accessToken: String?
        let requestID: String?

        var origin: RequestOrigin { RequestOrigin(requestID: requestID, sessionID: user.sessionID) }
    }

    /// An account this young has nothing that a code alone must not change, in seconds.
    static let youngSeconds: Int64 = 86_400

    /// The authentication that a change needs of the session.
    enum Need: Sendable {
        case recentProof
        /// A recent proof, and two factors.
        case twoFactors
        /// Two factors as for `twoFactors`, but nothing while TOTP waits and no sign-in asks for it.
        case objection
    }

    func state(_ caller: SignedInUser) async throws -> OperationOutcome<SecondFactorState, BearerRefusal> {
        let facts = try await act.store.facts(UserQuestion(.identities(caller.id), askedAt: act.now()))
        guard let user = facts.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        let factor = facts.secondFactor ?? SecondFactor()
        let now = act.now()
        return .answer(
            SecondFactorState(
                totp: factor.isOn(at: now), required: factor.isRequired, recoveryCodesLeft: factor.codesLeft,
                passkeys: factor.passkeyCount, activeFrom: factor.isWaiting(at: now) ? factor.activatedAt : nil,
                resetAt: facts.pending.first { $0.kind == .secondFactor }?.movesAt))
    }

    /// Creates a secret, which replaces one that waits for its first code.
    func enrol(_ caller: Caller) async throws -> Outcome {
        guard let issuer else { return .answer(SecondFactorAnswer(.off)) }
        let totp = TOTP.random()
        return try await change(caller, .recentProof) { user, factor, _, _ in
            guard factor.activatedAt == nil, !user.isForReview else { return Verdict(SecondFactorAnswer(.exists)) }
            var factor = factor
            (factor.sealedSecret, factor.lastStep) = (try seal.seal(totp, of: user.id), nil)
            let account = user.email ?? user.phone ?? ""
            let enrolment = TOTPEnrolment(secret: totp.text, uri: totp.uri(issuer: issuer, account: account))
            return Verdict(SecondFactorAnswer(.done, enrolment: enrolment), [.setSecondFactor(factor, of: user.id)])
        }
    }

    /// Turns TOTP on by the first code of the secret.
    func activate(_ request: SecondFactorChange, _ caller: Caller) async throws -> Outcome {
        guard issuer != nil else { return .answer(SecondFactorAnswer(.off)) }
        guard let code = request.code else { throw InvalidInput("code is needed") }
        let codes = RecoveryCode.random()
        return try await change(caller, .recentProof) { user, factor, lasting, now in
            guard factor.activatedAt == nil else { return Verdict(SecondFactorAnswer(.exists)) }
            guard factor.sealedSecret != nil else { return Verdict(SecondFactorAnswer(.notFound)) }
            // Without a guess limit of its own: the person has the secret, and a wrong code changes nothing.
            guard let step = seal.totp(factor, of: user.id)?.step(of: code, after: factor.lastStep, now: now) else {
                return Verdict(SecondFactorAnswer(.refused))
            }
            let waits = lasting.isEmpty && now - user.createdAt >= Self.youngSeconds
            var factor = factor
            (factor.lastStep, factor.activatedAt) = (step, waits ? now + delaySeconds : now)
            (factor.wrongCount, factor.guessedAt) = (0, 0)
            let answer = SecondFactorAnswer(
                .done, recoveryCodes: codes.map(\.text), activeFrom: waits ? factor.activatedAt : nil)
            return Verdict(
                answer,
                [
                    .setSecondFactor(factor, of: user.id), setting(codes, of: user),
                    .audit(AuditEntry(.secondFactorOn, user, caller.origin, detail: waits ? "waits" : nil)),
                ] + (try notices.ofFactors(to: user, at: factor.activatedAt, now)))
        }
    }

    /// Removes TOTP, the recovery codes and `required`. TOTP that waits is removed without a second factor: nothing gets less safe.
    func remove(_ caller: Caller) async throws -> Outcome {
        try await change(caller, .objection) { user, factor, _, now in
            guard factor.activatedAt != nil else { return Verdict(SecondFactorAnswer(.notFound)) }
            let after = user.losingFactor(at: now)
            return Verdict(
                SecondFactorAnswer(.done),
                [
                    .endSecondFactor(of: user.id), .update(after),
                    .audit(AuditEntry(.secondFactorOff, user, caller.origin)),
                ] + (try lowering(user, to: after, now)) + (try notices.ofFactors(to: user, now)))
        }
    }

    /// Replaces the recovery codes.
    func newRecoveryCodes(_ caller: Caller) async throws -> Outcome {
        let codes = RecoveryCode.random()
        return try await change(caller, .twoFactors) { user, _, _, now in
            let after = user.losingFactor(at: now)
            return Verdict(
                SecondFactorAnswer(.done, recoveryCodes: codes.map(\.text)),
                [
                    setting(codes, of: user), .update(after),
                    .audit(AuditEntry(.secondFactorChanged, user, caller.origin, detail: "recovery codes")),
                ] + (try lowering(user, to: after, now)) + (try notices.ofFactors(to: user, now)))
        }
    }

    /// Sets whether sign-ins ask for a second factor. If they do, the user's other sessions end.
    func require(_ request: SecondFactorChange, _ caller: Caller) async throws -> Outcome {
        guard let isRequired = request.required else { throw InvalidInput("required is needed") }
        return try await change(caller, .twoFactors) { user, factor, _, now in
            guard isRequired != factor.isRequired else { return Verdict(SecondFactorAnswer(.done)) }
            guard !isRequired || factor.exists(at: now) else { return Verdict(SecondFactorAnswer(.notFound)) }
            guard !isRequired || factor.codesLeft > 0 else { return Verdict(SecondFactorAnswer(.noRecoveryCodes)) }
            var factor = factor
            factor.isRequired = isRequired
            let after = isRequired ? user.endingSessions(at: now) : user
            let messages = try move.messages(from: user, to: after, .identityChange, sparing: caller.user.sessionID)
            return Verdict(
                SecondFactorAnswer(.done),
                [
                    .setSecondFactor(factor, of: user.id), .update(after),
                    .audit(
                        AuditEntry(
                            .secondFactorChanged, user, caller.origin, detail: isRequired ? "required" : "not required")
                    ),
                ] + messages.map { .tell($0, about: user.id, dueAt: now) } + (try notices.ofFactors(to: user, now)))
        }
    }
}

extension ChangeSecondFactor {
    private func question(_ caller: SignedInUser) -> UserQuestion {
        UserQuestion(.account(caller.id), askedAt: act.now(), readsSecondFactor: true)
    }

    /// Decides on a change of a user whose session has what it needs, and has messages about it delivered at once.
    private func change(
        _ caller: Caller, _ need: Need, _ decide: @escaping Decision
    ) async throws -> Outcome {
        guard let shown = try await recent.session(caller.accessToken, requestID: caller.requestID) else {
            return .refused(.invalidToken)
        }
        let isRecent = act.now() - shown.authenticatedAt < withinSeconds
        let outcome: Outcome = try await act.store.decide(question(caller.user)) { facts, now in
            guard let user = facts.holder, user.deletion == nil else { return Verdict(.refused(.invalidToken)) }
            guard user.isActive else { return Verdict(.refused(.accountInactive)) }
            let factor = facts.secondFactor ?? SecondFactor()
            // Turning TOTP on replaces the recovery codes that passkeys have.
            let replacesCodes = factor.activatedAt == nil && !factor.codes.isEmpty
            if need != .objection || !factor.isWaiting(at: now) || factor.isRequired {
                guard isRecent else { return Verdict(.refused(.reauthenticationRequired)) }
                guard need == .recentProof && !replacesCodes || shown.factors.areMultiple else {
                    return Verdict(.refused(.insufficientAuthentication))
                }
            }
            let lasting = facts.lasting(shown.latestFactors, changedBefore: now - delaySeconds)
            let verdict = try decide(user, factor, lasting, now)
            return Verdict(.answer(verdict.outcome), verdict.changes)
        }
        if case .answer(let answer) = outcome, answer.result == .done {
            _ = try await act.courier.deliverPending(about: caller.user.id)
        }
        return outcome
    }

    private func setting(_ codes: [RecoveryCode], of user: User) -> UserChange {
        .setRecoveryCodes(codes.compactMap { seal.tags.tags(of: $0, user: user.id.bytes).first }, of: user.id)
    }

    private func lowering(_ user: User, to after: User, _ now: Int64) throws -> [UserChange] {
        try move.messages(from: user, to: after, .identityChange, lowersFactors: true)
            .map { .tell($0, about: user.id, dueAt: now) }
    }
}

extension User {
    /// The user after a second factor is gone. The raised version lets their sessions fall to one factor.
    func losingFactor(at now: Int64) -> User {
        var user = self
        user.version += 1
        user.updatedAt = now
        return user
    }
}
