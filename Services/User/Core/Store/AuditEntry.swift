/// One record of the audit: an event, its subject and the request that caused it.
package struct AuditEntry: Sendable, Equatable {
    /// The kinds of events.
    package enum Event: String, Sendable, CaseIterable {
        case created = "user.created"
        case restored = "user.restored"
        /// The user reported by a notice's link that a change was not theirs. All sessions were revoked, and a review is open.
        case notMe = "user.not_me"
        /// The user signed in from a device and a network from which they had not signed in before.
        case newDevice = "user.new_device"
        /// Another kind of device has refreshed the session than the one that signed in.
        case otherDevice = "session.other_device"
        /// A review of the account was opened. The detail states the reason.
        case accountReviewOpened = "user.review_opened"
        /// The operator has cleared the review of the account. Identities that were changed since its event sign in again.
        case reviewCleared = "user.review_cleared"
        /// The operator imported the user from another system.
        case imported = "user.imported"
        /// The operator changed a phone number's form. The subject is the user, or the zero pseudonym for an invitation.
        case renumbered = "user.renumbered"
        /// The identity went from an account that is scheduled for deletion to a new one.
        case identityMoved = "user.identity_moved"
        /// Somebody else verified the email address that the account had without verification.
        case addressLost = "user.address_lost"
        /// The owner of an email address opened the link that verifies it for the account to which the operator gave it.
        case addressVerified = "user.address_verified"
        /// Somebody else verified the only identity of the account, which passed to them. Its sessions were revoked.
        case takenOver = "user.taken_over"
        case refused = "user.sign_in_refused"
        /// A signed-in user did not show again who they are: the proof was wrong, used, too old, or another person's.
        case reauthenticationRefused = "user.reauthentication_refused"
        /// An identity token broke a rule. The detail states the provider and the rule.
        case identityTokenRefused = "identity.token_refused"
        /// Apple reported that the user no longer signs in to the app with Apple. Sessions that began with Apple were revoked.
        case consentRevoked = "identity.consent_revoked"
        /// The user lost the identity. The detail states the provider.
        case unlinked = "identity.unlinked"
        /// The user added an identity, replaced one, or removed one. The detail states the kind, or the provider.
        case identityAdded = "identity.added"
        case identityReplaced = "identity.replaced"
        case identityRemoved = "identity.removed"
        /// The user added a passkey, or the operator or the user removed one. The detail states its id, and `waits` if it cannot be used yet.
        case passkeyAdded = "passkey.added"
        case passkeyRemoved = "passkey.removed"
        /// A restore key signed the user in, which the detail names.
        case passkeyRestored = "passkey.restored"
        /// A registration or an assertion broke a rule, which the detail states.
        case passkeyRefused = "passkey.refused"
        /// The counter of a passkey did not rise, so its key may have been copied. The detail states the outcome.
        case passkeyCounter = "passkey.counter"
        /// Another account of the same person was merged into the user's. The detail states the kinds of identities that it brought.
        case merged = "user.merged"
        /// The account was merged into another one of the same person.
        case mergedAway = "user.merged_away"
        /// The user began to merge another account without a further proof, so that the merge waits. Both users have the record.
        case mergeBegun = "user.merge_begun"
        /// The accounts stay apart. The detail states the reason.
        case mergeEnded = "user.merge_ended"
        /// The user verified an identity that another user has. The detail states the kind, or the provider.
        case identityRefused = "identity.refused"
        /// The operator began to replace the phone number of a user who has lost it.
        case phoneChangeBegun = "user.phone_change_begun"
        /// The owner of the new number verified it, so that the number changes after the delay.
        case phoneChangeVerified = "user.phone_change_verified"
        /// The number does not change. The detail states the reason.
        case phoneChangeEnded = "user.phone_change_ended"
        /// The user turned TOTP on.
        case secondFactorOn = "mfa.enabled"
        /// The user removed TOTP, or support did.
        case secondFactorOff = "mfa.disabled"
        /// The user changed whether sign-ins ask for a second factor, or got new recovery codes. The detail states which.
        case secondFactorChanged = "mfa.changed"
        /// A code for the second factor was wrong.
        case secondFactorWrong = "mfa.wrong"
        /// A wrong second factor, after which further guesses wait.
        case secondFactorLocked = "mfa.locked"
        case recoveryCodeUsed = "mfa.recovery_used"
        /// The operator began to remove the second factors of a user who has lost them.
        case resetBegun = "mfa.reset_begun"
        /// The second factors stay. The detail states the reason.
        case resetEnded = "mfa.reset_ended"
        /// The user was told that the account will be removed, since they were away for long. The detail is `no channel` if no
        /// notice reaches them.
        case inactivityNoticed = "user.inactivity_noticed"
        /// The account stays. The detail states the reason.
        case inactivityEnded = "user.inactivity_ended"
        /// The account was scheduled for deletion at once, since the user did not return after the notice.
        case inactivityRemoved = "user.inactivity_removed"
        /// The operator gave the identity another subject. The detail states the provider.
        case resubjected = "identity.resubjected"
        /// Apple reported that it stopped or began to forward mails to the user. The detail states which.
        case relayChanged = "identity.relay_changed"
        /// A removed user's token could not be revoked at Apple. The subject is the zero pseudonym; the detail states the row of
        /// the outbox.
        case revocationFailed = "identity.revocation_failed"
        case updated = "user.updated"
        case rightsChanged = "user.rights_changed"
        /// An administrator revoked the user's sessions. The detail states which.
        case sessionsEnded = "user.sessions_ended"
        /// Another user asked to act as the user.
        case actedAs = "user.acted_as"
        /// The user asked to act as another. The detail has that one's pseudonym.
        case actsAs = "user.acts_as"
        case deletionRequested = "user.deletion_requested"
        case passwordChanged = "user.password_changed"
        /// A guess at a password was wrong. For an email address without an account, the subject is the address's tag.
        case passwordWrong = "password.wrong"
        /// Wrong passwords make further guesses wait.
        case passwordLocked = "password.locked"
        /// Guesses were refused within a minute. The detail counts them over all accounts.
        case passwordRefused = "password.refused"
        /// A mailed link set the user's password, which may be their first one.
        case passwordReset = "user.password_reset"
        /// The operator invited a person. The subject is the zero pseudonym, since the person is no user yet.
        case invited = "user.invited"
        /// The user's data were removed. The pseudonym leads to no person any more.
        case removed = "user.removed"
        /// The operator queried a user; the subject is the zero pseudonym if there is no such user, or for a page of users.
        /// Or an administrator, who is the subject then, queried a page.
        case lookedUp = "user.looked_up"
        /// The operator had a row of the outbox tried at once. The subject is the user, if they still exist.
        case outboxRetried = "outbox.retried"
        /// The operator dropped a row of the outbox. The subject is the user, if they still exist.
        case outboxDropped = "outbox.dropped"
        /// The user, or the operator, got a copy of everything that is stored about the user.
        case exported = "user.exported"
        /// A user who is no administrator requested a page of users.
        case lookRefused = "user.look_refused"
        // Records about clients, which are no persons: the subject is the zero pseudonym, and the detail states the client's id.
        case clientCreated = "client.created"
        /// The client has a new secret.
        case clientRotated = "client.rotated"
        case clientKeyAdded = "client.key_added"
        /// Every token of the client is refused, and it gets no other.
        case clientRevoked = "client.revoked"
        /// The row of a revoked client is gone.
        case clientRemoved = "client.removed"
        /// A client got a token. The method states how it showed who it is, and the session its key in the list of revocations.
        case clientTokenIssued = "client.token_issued"
        // Records of otp-service (`OTPAuditEvent`).
        case codeSent = "otp.sent"
        case codeSendFailed = "otp.send_failed"
        case codeApproved = "otp.approved"
        case codeWrong = "otp.wrong_code"
        case numberLocked = "otp.locked"
        case codesRefused = "otp.refused"
        case spend = "otp.spend"
        case traced = "otp.traced"
        case numberUnlocked = "otp.unlocked"
        case codesLookedUp = "otp.looked_up"
        case blockLifted = "otp.block_lifted"
        case reviewOpened = "otp.review_opened"
        case reviewEnded = "otp.review_ended"
        case reviewUsed = "otp.review_used"
        /// An event of a newer otp-service, which the detail states.
        case codeOther = "otp.other"
        /// The file was restored, and users' epochs were raised. The subject is the zero pseudonym.
        case epochBegun = "epoch.begun"
        /// After a restore, a later security decision about the user was applied again. The detail states it.
        case decisionApplied = "user.decision_applied"
    }

    package let event: Event
    package let subject: Pseudonym
    package let origin: RequestOrigin
    /// The names of what changed, never values.
    package let detail: String?

    package init(event: Event, subject: Pseudonym, origin: RequestOrigin = RequestOrigin(), detail: String? = nil) {
        self.event = event
        self.subject = subject
        self.origin = origin
        self.detail = detail
    }

    /// A record that the operator has read something of a user, or of a page of users.
    static func lookUp(_ detail: String, of user: User? = nil, _ origin: RequestOrigin) -> AuditEntry {
        AuditEntry(event: .lookedUp, subject: user?.pseudonym ?? .zero, origin: origin, detail: detail)
    }

    /// A record about a user.
    init(_ event: Event, _ user: User, _ origin: RequestOrigin, detail: String? = nil) {
        self.init(event: event, subject: user.pseudonym, origin: origin, detail: detail)
    }
}
