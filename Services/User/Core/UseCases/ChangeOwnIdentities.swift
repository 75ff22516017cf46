import CryptoPrimitives
import InternalAPI
import Passwords
import Policies

/// Adds, replaces and removes identities and the password of signed-in users who have shown who they are a short time ago.
struct ChangeOwnIdentities: Sendable {
    let act: AccountAct
    let recent: RecentAuthentication
    /// The age from which the last proof of the session's user is old, in seconds.
    let withinSeconds: Int64
    let ways: SignInWays
    let ends: IdentityChangePolicy.Ends
    let move: IdentityMove
    let takeover: AccountTakeover
    let notices: AccountNotices
    let attributes: AttributeRules
    let merges: MergeSeal
    /// Seals merges that wait.
    let pending: PendingSeal
    /// How long a merge without a further proof waits, in seconds.
    let delaySeconds: Int64
    let tags: CallTags
    let givenUp: GivenUpIdentities
    let attestationKeys: KeyRing
    /// The keys that seal user-service's own proofs.
    let proofKeys: KeyRing
    /// `nil` if the policy has no passwords.
    let accounts: AccountParts?
    /// Whether a number that its user has not used for long may be another person's by now.
    var recyclesNumbers = false

    typealias Outcome = OperationOutcome<AccountAnswer, IdentityChangeRefusal>

    /// A signed-in user's call.
    struct Caller: Sendable {
        let user: SignedInUser
        let accessToken: String?
        let requestID: String?

        var origin: RequestOrigin { RequestOrigin(requestID: requestID, sessionID: user.sessionID) }
    }

    /// The user's identities, as a client shows them.
    func list(_ caller: SignedInUser) async throws -> OperationOutcome<OwnIdentities, BearerRefusal> {
        let question = UserQuestion(.identities(caller.id), askedAt: act.now())
        let facts = try await act.store.facts(question)
        guard let user = facts.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        let identities = facts.identities.map { held in
            OwnIdentity(
                id: id(of: held.identity, caller), kind: held.identity.kind,
                provider: held.identity.atProvider?.provider,
                value: held.identity.atProvider == nil ? held.identity.value : nil, addedAt: held.since,
                lastUsedAt: held.usedAt == 0 ? nil : held.usedAt)
        }
        return .answer(
            OwnIdentities(
                identities: identities, hasPassword: facts.password != nil, pendingPhone: PendingPhone(facts),
                pendingMerge: PendingMerge(facts)))
    }

    /// Whether the user may change identities now.
    func permit(_ caller: Caller) async throws -> OperationOutcome<Done, PermitChangeRefusal> {
        switch try await admit(caller, nil) {
        case .admitted, .repeated: .answer(Done())
        case .refused(.reauthenticationRequired): .refused(.reauthenticationRequired)
        case .refused(.accountInactive): .refused(.accountInactive)
        case .refused(.invalidToken), .refused(.invalidRequest): .refused(.invalidToken)
        }
    }

    /// Adds or replaces the identity that a proof is about.
    func add(_ request: AddIdentityRequest, _ caller: Caller) async throws -> Outcome {
        // A repeat of the client's call has a proof of its own, sealed later.
        let call = tag(IdentityOperations.addOwn.path, request.callID, caller, [])
        return try await change(caller, call) { read in
            guard let proof = proof(request.proof, of: caller), let identity = proof.identity else {
                return AccountAnswer(.proofRefused)
            }
            let deletion = proof.token.map { _ in givenUp.tag(of: identity) }
            let found = UserQuestion(
                .identity(identity), proofID: proof.id, call: deletion, askedAt: act.now())
            return try await decide(caller, call, read, [found]) { rule, user, facts, now in
                try rule.add(proof, of: identity, to: user, facts[0], facts[1], now)
            }
        }
    }

    /// Removes one of the user's identities.
    func remove(_ request: RemoveIdentityRequest, _ caller: Caller) async throws -> Outcome {
        let call = tag(IdentityOperations.removeOwn.path, request.callID, caller, [request.id])
        return try await change(caller, call) { read in
            guard let identity = read.identities.map(\.identity).first(where: { id(of: $0, caller.user) == request.id })
            else { return AccountAnswer(.noIdentity) }
            return try await decide(caller, call, read) { rule, user, facts, now in
                try rule.remove(identity, from: user, facts[0], now)
            }
        }
    }

    /// Removes the user's password.
    func removePassword(_ request: RemovePasswordRequest, _ caller: Caller) async throws -> Outcome {
        let call = tag(IdentityOperations.removePassword.path, request.callID, caller, [])
        return try await change(caller, call) { read in
            try await decide(caller, call, read) { rule, user, facts, now in
                try rule.removePassword(from: user, facts[0], now)
            }
        }
    }

    /// Sets the user's password, also the first one. A first one ends no session.
    func setPassword(_ request: SetPasswordRequest, _ caller: Caller) async throws -> Outcome {
        guard let accounts else { return .answer(AccountAnswer(.off)) }
        let call = tag(IdentityOperations.setPassword.path, request.callID, caller, [request.password])
        return try await change(caller, call, setsPassword: true) { read in
            guard let address = read.address else { return AccountAnswer(.noAddress) }
            guard let password = accounts.newPassword(request.password, for: address) else {
                return AccountAnswer(.weakPassword)
            }
            let hash = try await accounts.hasher.hash(password).text
            return try await decide(caller, call, read) { rule, user, facts, now in
                let new = StoredPassword(hash: hash, version: StoredPassword.newVersion(), changedAt: now)
                return try Self.setting(new, of: user, facts[0], accounts, rule, now)
            }
        }
    }

    private static func setting(
        _ new: StoredPassword, of user: User, _ own: UserFacts, _ accounts: AccountParts, _ rule: OwnIdentityChange,
        _ now: Int64
    ) throws -> Verdict<AccountReply> {
        guard own.password == nil else {
            let spared = accounts.change.ends == .others ? rule.session.sessionID : nil
            return .done(
                try accounts.changing(user, to: new, sparing: spared, .passwordChanged, rule.origin, now),
                endingSessionsOf: user.id, endsOwn: spared == nil)
        }
        return .done(
            [
                .setPassword(new, of: user.id), .endLinks(of: user.id),
                .audit(AuditEntry(.passwordChanged, user, rule.origin)),
            ] + (try accounts.notices.ofChange(.passwordChanged, to: user, now)))
    }
}

extension ChangeOwnIdentities {
    /// Whether a call is carried out.
    enum Admission {
        /// - Parameter read: the user's facts at the start of the call.
        case admitted(UserFacts)
        /// The first response to the call.
        case repeated(AccountAnswer)
        case refused(IdentityChangeRefusal)
    }

    /// - Parameter setsPassword: whether the change is a new password, which a session may set that a forgotten one has opened.
    func admit(_ caller: Caller, _ call: CallTag?, setsPassword: Bool = false) async throws -> Admission {
        let question = UserQuestion(.identities(caller.user.id), call: call, askedAt: act.now())
        let read = try await act.store.facts(question)
        guard let user = read.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        if let first = try await act.repeated(read) { return .repeated(first) }
        guard let session = try await recent.session(caller.accessToken, requestID: caller.requestID) else {
            return .refused(.invalidToken)
        }
        let now = act.now()
        let mayRecover =
            setsPassword
            ? RecoverySession.maySetPassword(session, changedAt: read.password?.changedAt, now: now) : nil
        let isRecent = mayRecover ?? (now - session.authenticatedAt < withinSeconds)
        return isRecent ? .admitted(read) : .refused(.reauthenticationRequired)
    }

    func change(
        _ caller: Caller, _ call: CallTag, setsPassword: Bool = false,
        _ make: (_ read: UserFacts) async throws -> AccountAnswer
    ) async throws -> Outcome {
        switch try await admit(caller, call, setsPassword: setsPassword) {
        case .admitted(let read): .answer(try await make(read))
        case .repeated(let first): .answer(first)
        case .refused(let refusal): .refused(refusal)
        }
    }

    /// Decides on the stored facts: those of the user, and of other queries. Another change that was made since the start of the call
    /// wins.
    ///
    /// - Parameter read: the user's facts at the start of the call.
    private func decide(
        _ caller: Caller, _ call: CallTag, _ read: UserFacts, _ others: [UserQuestion] = [],
        _ decide:
            @escaping @Sendable (OwnIdentityChange, User, [UserFacts], _ now: Int64) throws -> Verdict<AccountReply>
    ) async throws -> AccountAnswer {
        let rule = OwnIdentityChange(
            ways: ways, ends: ends, move: move, takeover: takeover, notices: notices, merges: merges,
            session: caller.user, origin: caller.origin)
        let own = UserQuestion(.identities(caller.user.id), call: call, askedAt: act.now())
        return try await act([own] + others) { facts, now in
            guard let user = facts[0].holder, user.isActive, user.deletion == nil,
                facts[0].identities.map(\.identity) == read.identities.map(\.identity),
                facts[0].password?.version == read.password?.version, user.epoch == read.holder?.epoch
            else { return .refused(.changedMeanwhile) }
            return try decide(rule, user, facts, now)
        }
    }

    func tag(_ path: String, _ callID: String, _ caller: Caller, _ body: [String]) -> CallTag {
        tags.tag(path, callID: callID, caller: caller.user.id, body: body)
    }

    /// The name of an identity for its user, which reveals nothing of it to others.
    private func id(of identity: VerifiedIdentity, _ caller: SignedInUser) -> String {
        Hex.encode(
            tags.tag("identity", callID: "", caller: caller.id, body: [identity.kind.rawValue, identity.value]).bytes)
    }

    /// Opens a proof: an attestation that otp-service made for this user and purpose, or the proof of a token.
    private func proof(_ text: String, of caller: Caller) -> SignInProof? {
        let now = act.now()
        do throws(SealRefusal) {
            if SealedText.kind(of: text) == OwnProof.kind {
                let own = try OwnProof.open(text, with: proofKeys, now: now)
                // A password verifies no new identity.
                return own.proof.token == nil ? nil : own.proof
            }
            let attestation = try Attestation.open(text, with: attestationKeys, now: now)
            guard attestation.purpose == .identity, [.phone, .email].contains(attestation.identity.kind),
                attestation.userID == caller.user.id.text(prefix: move.userIDPrefix), attestation.accessEndsAt == nil
            else { return nil }
            return SignInProof(
                id: attestation.proofID, expiresAt: attestation.expiresAt, identity: attestation.identity.canonical,
                challengedAt: attestation.challengedAt)
        } catch {
            return nil
        }
    }
}
