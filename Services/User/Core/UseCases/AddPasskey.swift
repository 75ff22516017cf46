import CryptoPrimitives
import InternalAPI
import Policies
import WebAuthn

/// Registers a passkey for a signed-in user who has shown who they are a short time ago.
struct AddPasskey: Sendable {
    let rules: PasskeyRules
    let own: ChangeOwnIdentities
    let audit: RefusedTokenAudit

    private static let nameCharactersMax = 64

    /// - Throws: `InvalidInput` for an invalid name; `StorageError`; `ServiceUnavailable` if token-service does not respond.
    func callAsFunction(
        _ request: AddPasskeyRequest, _ caller: ChangeOwnIdentities.Caller
    ) async throws -> ChangeOwnIdentities.Outcome {
        let name = try Self.name(request.name)
        let credential = request.credential
        let call = own.tag(
            PasskeyOperations.addOwn.path, request.callID, caller,
            [request.challengeID, credential.id, credential.response.attestationObject])
        return try await own.change(caller, call) { read in
            guard let user = read.holder, !user.isForReview else { return AccountAnswer(.off) }
            let (epoch, delaySeconds) = (user.epoch, rules.policy.addDelayHours * 3_600)
            guard let (challenge, record) = try await verified(request, user, caller) else {
                return AccountAnswer(.passkeyInvalid)
            }
            let factors = try await factors(caller)
            let questions = [
                UserQuestion(
                    .identities(user.id), proofID: challenge.proofID, call: call, askedAt: own.act.now()),
                UserQuestion(.passkey(StoredPasskey.key(ofCredential: record.id)), askedAt: own.act.now()),
            ]
            return try await own.act(questions) { facts, now in
                // A raised epoch may have ended the session whose factors were read.
                guard facts.count == 2, let user = facts[0].holder, user.isActive, user.deletion == nil,
                    user.epoch == epoch, challenge.isValid(for: user), facts[0].earlier == nil
                else { return .refused(.passkeyInvalid) }
                guard facts[1].passkey == nil else { return .refused(.passkeyExists) }
                let others = facts[0].passkeys
                let delayed = now - delaySeconds
                // The first second factor of an account may follow a code at once.
                let isFurther =
                    others.contains { $0.kind == .passkey } || facts[0].passkeyLostAt ?? .min > delayed
                    || facts[0].secondFactor?.isOn(at: now) == true
                let waits = isFurther && facts[0].lasting(factors, changedBefore: delayed).isEmpty
                let passkey = StoredPasskey(
                    id: SecureRandom.bytes(StoredPasskey.idByteCount), user: user.id, kind: challenge.kind ?? .passkey,
                    name: name ?? "Passkey", record: record,
                    transports: PasskeyTransports.bits(credential.response.transports ?? []), epoch: user.epoch,
                    activeFrom: waits ? now + delaySeconds : now, createdAt: now)
                var verdict = try adding(passkey, to: user, beside: others, caller.origin, now)
                // One challenge makes one passkey.
                if verdict.outcome.isKept { verdict.changes.append(challenge.used(by: user)) }
                return verdict
            }
        }
    }

    static func name(_ typed: String?) throws(InvalidInput) -> String? {
        guard let name = try DisplayName.optional(typed)?.text else { return nil }
        guard name.count <= nameCharactersMax else { throw .name }
        return name
    }

    private func factors(_ caller: ChangeOwnIdentities.Caller) async throws -> AuthenticationFactors {
        let standing = try await own.recent(
            caller.accessToken, within: own.withinSeconds, requestID: caller.requestID)
        return if case .recent(let factors) = standing { factors } else { [] }
    }

    /// Verifies the credential, or returns `nil` if it breaks a rule, which is recorded at most once an hour for each reason.
    private func verified(
        _ request: AddPasskeyRequest, _ user: User, _ caller: ChangeOwnIdentities.Caller
    ) async throws -> (PasskeyChallenge, CredentialRecord)? {
        do throws(WebAuthnRefusal) {
            guard
                let challenge = rules.seal.open(
                    request.challengeID, for: [.register, .signUp], now: own.act.now()),
                challenge.isValid(for: user), let handle = challenge.handle.flatMap({ Base64URL.decode($0) })
            else { throw .challenge }
            let record = try rules.relyingParty.register(
                request.credential, challenge: challenge.bytes, userHandle: handle,
                requiresUserVerification: challenge.requiresUserVerification)
            return (challenge, record)
        } catch {
            try await audit.note(passkey: error.rawValue, requestID: caller.requestID)
            return nil
        }
    }

    /// The changes that add a passkey, unless the user has as many as the policy allows. Restore keys that are invalid go, and the oldest
    /// one if there are as many: the app makes them unasked.
    private func adding(
        _ passkey: StoredPasskey, to user: User, beside others: [StoredPasskey], _ origin: RequestOrigin, _ now: Int64
    ) throws -> Verdict<AccountReply> {
        var outdated = others.filter { $0.kind == .restore && $0.epoch != user.epoch }
        let kept = others.filter { $0.kind == passkey.kind && ($0.kind == .passkey || $0.epoch == user.epoch) }
        if kept.count >= rules.policy.perUserMax {
            guard passkey.kind == .restore, let oldest = kept.first else { return .refused(.tooManyPasskeys) }
            outdated.append(oldest)
        }
        let waits = passkey.activeFrom > now
        let detail = Hex.encode(passkey.id) + (waits ? " waits" : "")
        let notices: [UserChange] =
            if waits {
                try own.notices.ofWaitingPasskey(to: user, from: passkey.activeFrom, now)
            } else if passkey.kind == .passkey {
                try own.notices.ofChange(.passkeyAdded, to: user, now)
            } else {
                // The app makes a restore key at each start, unasked.
                []
            }
        let answer = AccountAnswer(.done, passkey: passkey.details(now))
        return Verdict(
            AccountReply(answer: answer, user: user.id),
            outdated.map { .endPasskey($0) } + [
                .addPasskey(passkey), .audit(AuditEntry(.passkeyAdded, user, origin, detail: detail)),
            ] + notices)
    }
}

extension PasskeyChallenge {
    fileprivate func used(by user: User) -> UserChange {
        .resolve(
            SignInProof(id: proofID, expiresAt: expiresAt, identity: nil),
            Resolution(userID: user.id, isNewUser: false, restored: false))
    }

    /// Whether a user may register a passkey with the challenge. One of a sign-up belongs to no user yet.
    fileprivate func isValid(for user: User) -> Bool {
        owner.map { $0.user == user.id && $0.epoch == user.epoch } ?? (purpose == .signUp)
    }
}
