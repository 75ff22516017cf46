import InternalAPI

/// Lets somebody in at the operator's word: an address by a mailed link, a number when its owner proves it.
struct Invite: Sendable {
    let act: AccountAct
    /// Words the mail with the link that sets a password; nil where nobody has one.
    let notices: AccountNotices?
    let tags: CallTags
    /// The region of numbers that come without a calling code; nil for none.
    let defaultRegion: String?

    /// The outcome of a request.
    enum Outcome: Sendable, Equatable {
        case invited(InviteAnswer)
        case alreadyUser
    }

    /// - Throws: `InvalidInput` for an identity or a role that cannot be; `StorageError`.
    func callAsFunction(_ request: InviteRequest, requestID: String?) async throws -> Outcome {
        guard let identity = ProvedIdentity(typed: request.to, region: defaultRegion),
            request.role.map(RightsChange.isRole) ?? true
        else { throw InvalidInput.invitation }
        let role = request.role ?? User.defaultRole
        let origin = RequestOrigin.byOperator(requestID)
        let call = tags.tag(AccountOperations.invite.path, callID: CallID.random(), body: [identity.value])
        let notices = identity.kind == .email ? notices : nil
        let expiresAt = act.now() + AccountLink.Purpose.invitation.lifetimeSeconds
        let answer = try await act(.identity(identity), call) { facts, now in
            // A deactivated account is activated by its id; an invitation must not go around that.
            guard facts.holder == nil, facts.claimant?.isDeactivated != true else { return .refused(.invalidEmail) }
            let invitation = Invitation(id: .new(), identity: identity, role: role, expiresAt: expiresAt)
            var changes: [UserChange] = facts.invitation.map { [.endInvitation($0)] } ?? []
            changes += [
                .addInvitation(invitation),
                .audit(AuditEntry(event: .invited, subject: .nobody, origin: origin, detail: "role \(role)")),
            ]
            guard let notices else { return .done(changes) }
            return .done(
                changes
                    + (try notices.link(
                        .invitation, .invitation, of: invitation.id, to: identity.value, locales: [], for: .trusted,
                        now)))
        }
        guard answer.result == .done else { return .alreadyUser }
        return .invited(InviteAnswer(expiresAt: expiresAt, isMailed: notices != nil))
    }
}
