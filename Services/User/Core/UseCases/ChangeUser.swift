import InternalAPI

/// Changes a user's role, attributes, metadata, name, phone number or email address, or deactivates the user, on request of the operator.
///
/// The outbox rows are written with the change, so that token-service is notified whatever happens to this process afterwards.
struct ChangeUser: Sendable {
    var store: any UserStore
    let courier: OutboxCourier
    let move: IdentityMove
    let userIDPrefix: String
    let attributes: AttributeRules
    /// The region of phone numbers without a calling code, or `nil` if they are invalid.
    var defaultRegion: String?
    /// Creates the mail that verifies an email address; `nil` if the policy sends no mail.
    var notices: AccountNotices?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    typealias Outcome = OperationOutcome<ChangedUser, ChangeUserRefusal>

    /// - Throws: `InvalidInput` for an invalid change; `StorageError`; `Unconfirmed`.
    func callAsFunction(_ request: ChangeUserRequest, requestID: String?) async throws -> Outcome {
        let change = try OperatorChange(request, attributes: attributes, region: defaultRegion)
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .refused(.notFound) }
        let (origin, now) = (RequestOrigin.byOperator(requestID), self.now())
        if change.email != nil, notices == nil {
            return .refused(
                .invalidRequest,
                title:
                    "The policy sends no mail that could verify an email address. It needs the section email or passwords"
            )
        }
        let subjects: [UserQuestion.Subject] =
            [.user(id), .administrators] + [change.phone, change.email].compactMap { $0 }.map { .identity($0) }
        let outcome = try await store.decideTogether(subjects.map { UserQuestion($0, askedAt: now) }, now: now) {
            facts in
            try decide(change, facts[.user(id)]?.holder, facts, origin, now)
        }
        if case .answer = outcome { try await courier.confirmPending(about: id) }
        return outcome
    }

    private func decide(
        _ change: OperatorChange, _ user: User?, _ facts: [UserQuestion.Subject: UserFacts], _ origin: RequestOrigin,
        _ now: Int64
    ) throws -> Verdict<Outcome> {
        guard let user else { return Verdict(.refused(.notFound)) }
        let (applied, changed) = try change.applied(to: user, now: now)
        let (after, keepsTokens) = try applied.raisingVersion(from: user, attributes)
        guard !changed.isEmpty else { return Verdict(.answer(ChangedUser(changed: []))) }
        guard
            !user.isForReview
                || (after.role == User.defaultRole && after.phone == user.phone && change.email == nil)
        else {
            return Verdict(
                .refused(
                    .invalidRequest,
                    title:
                        "An account made by review access can have no role, no other phone number and no email address")
            )
        }
        let number = change.phone.flatMap { facts[.identity($0)] }
        let holder = number?.holder.flatMap { $0.id == user.id ? nil : $0 }
        // Only an account that waits for its deletion gives its number away; it goes on waiting.
        if let holder, holder.deletion == nil { return taken(.phone, by: holder, origin) }
        let address = change.email.flatMap { facts[.identity($0)] }
        if let owner = address?.holder ?? address?.claimant?.user, owner.id != user.id {
            return taken(.email, by: owner, origin)
        }
        let entry = AuditEntry(.rightsChanged, user, origin, detail: changed.joined(separator: ","))
        let messages = try move.messages(
            from: user, to: after, after.isActive ? .admin : .inactive, keepsTokens: keepsTokens)
        let isLast = [UserChange.update(after)].endLastAdministrator(of: facts[.administrators]?.administrators ?? [])
        return Verdict(
            .answer(
                ChangedUser(
                    changed: changed, takenFrom: holder?.id.text(prefix: userIDPrefix),
                    endsSessions: after.epoch > user.epoch, leavesNoAdministrator: isLast ? true : nil)),
            (after.phone == user.phone ? [] : try renumbering(user, to: change.phone, number, origin))
                + (try addressing(user, address, now)) + [.update(after), .audit(entry)]
                + messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) })
    }

    /// The refusal names the other user, so the audit has it.
    private func taken(_ kind: VerifiedIdentity.Kind, by user: User, _ origin: RequestOrigin) -> Verdict<Outcome> {
        let (value, id) = (kind == .phone ? "phone number" : "email address", user.id.text(prefix: userIDPrefix))
        return Verdict(
            .refused(
                .taken, title: "The user \(id) has this \(value). Delete that account first, or use another \(value)"),
            [.audit(.lookUp("change: taken", of: user, origin))])
    }

    /// The changes that give the user an unverified email address, in place of an earlier one, and mail the link that verifies it.
    private func addressing(_ user: User, _ facts: UserFacts?, _ now: Int64) throws -> [UserChange] {
        guard let identity = facts?.identity, facts?.holder == nil, let notices else { return [] }
        return [.endClaims(of: user.id), .endLinks(of: user.id), .claim(identity, by: user.id)]
            + (try notices.link(
                .address, .confirmAddress, of: user.id, to: identity.value, locales: [], for: .trusted, now))
    }

    /// The changes that give the user the phone number, which ends claims and invitations with it.
    private func renumbering(
        _ user: User, to phone: VerifiedIdentity?, _ facts: UserFacts?, _ origin: RequestOrigin
    ) throws -> [UserChange] {
        guard let phone, let facts else { return [] }
        let old = user.phone.map { [VerifiedIdentity.phone($0)] } ?? []
        return try move.giving(phone, to: user.id, replacing: old, facts, origin)
    }
}
