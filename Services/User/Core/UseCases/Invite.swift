import InternalAPI

/// Invites a person on request of the operator: to an email address a link is mailed, and a phone number's owner becomes a user
/// when they verify it.
struct Invite: Sendable {
    var act: AccountAct
    /// Creates the mail with the link that sets a password; `nil` if the policy has no passwords.
    let notices: AccountNotices?
    let tags: CallTags
    /// The region of phone numbers without a calling code, or `nil` if they are invalid.
    let defaultRegion: String?

    typealias Outcome = OperationOutcome<InviteAnswer, InviteRefusal>

    /// - Throws: `InvalidInput` for an invalid identity or role; `StorageError`.
    func callAsFunction(_ request: InviteRequest, requestID: String?) async throws -> Outcome {
        guard let identity = VerifiedIdentity(typed: request.to, region: defaultRegion),
            request.role.map(RightsChange.isRole) ?? true
        else { throw InvalidInput.invitation }
        let role = request.role ?? User.defaultRole
        let origin = RequestOrigin.byOperator(requestID)
        let call = tags.tag(
            AccountOperations.invite.path, callID: request.callID ?? CallID.random(),
            body: [identity.value, origin.method ?? ""])
        let notices = identity.kind == .email ? notices : nil
        let expiresAt = act.now() + AccountLink.Purpose.invitation.lifetimeSeconds
        let answer = try await act(.identity(identity), call) { facts, now in
            // Only the operator reactivates an account, by its id. An invitation must not bypass this.
            guard !facts.isOwned, facts.claimant?.isDeactivated != true else {
                return .refused(.invalidEmail, [.audit(.lookUp("invite", of: facts.holder, origin))])
            }
            let invitation = Invitation(id: .new(), identity: identity, role: role, expiresAt: expiresAt)
            var changes: [UserChange] = facts.invitation.map { [.endInvitation($0)] } ?? []
            changes += [
                .addInvitation(invitation),
                .audit(
                    AuditEntry(
                        event: .invited, subject: .zero, origin: origin, detail: "role \(role) \(invitation.auditText)"
                    )),
            ]
            guard let notices else { return .done(changes) }
            return .done(
                changes
                    + (try notices.link(
                        .invitation, .invitation, of: invitation.id, to: identity.value, locales: [], for: .trusted,
                        now)))
        }
        guard answer.result == .done else { return .refused(.alreadyUser) }
        // A repeat of the call states when the invitation of the first one expires.
        let invitation = request.callID == nil ? nil : try await act.facts(.identity(identity), nil).invitation
        return .answer(InviteAnswer(expiresAt: invitation?.expiresAt ?? expiresAt, isMailed: notices != nil))
    }
}
