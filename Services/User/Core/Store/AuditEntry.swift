/// One line of the audit: what happened to whom, through which request.
package struct AuditEntry: Sendable, Equatable {
    /// What can happen here.
    package enum Event: String, Sendable, CaseIterable {
        case created = "user.created"
        case restored = "user.restored"
        /// Moved in from another system by the operator.
        case imported = "user.imported"
        /// The operator gave a number another form; its subject is the user, or `Pseudonym.nobody` for an invitation.
        case renumbered = "user.renumbered"
        /// The identity went from an account that is given up to a new one.
        case identityMoved = "user.identity_moved"
        /// Somebody else proved the address that the account had without proof.
        case addressLost = "user.address_lost"
        /// The same, and as the account had nothing else, it is his: its sessions are over.
        case takenOver = "user.taken_over"
        case refused = "user.sign_in_refused"
        /// An identity token broke a rule; the detail names the provider and the rule.
        case identityTokenRefused = "identity.token_refused"
        case updated = "user.updated"
        case rightsChanged = "user.rights_changed"
        case deletionRequested = "user.deletion_requested"
        case passwordChanged = "user.password_changed"
        /// A guess at a password was wrong; of an address without an account the subject is the address's tag.
        case passwordWrong = "password.wrong"
        /// Wrong passwords make further guesses wait.
        case passwordLocked = "password.locked"
        /// How many guesses were refused within a minute, over all accounts.
        case passwordRefused = "password.refused"
        /// By a mailed link; perhaps the user's first one.
        case passwordReset = "user.password_reset"
        /// The operator lets somebody in, who is no user yet: its subject is `Pseudonym.nobody`.
        case invited = "user.invited"
        /// The day has come: the data are gone, and nothing leads from this pseudonym to anybody any more.
        case removed = "user.removed"
        /// The operator has looked at a user, or, with the subject `Pseudonym.nobody`, for one who is not there or at a page
        /// of users; or an administrator, whose subject it is, at a page.
        case lookedUp = "user.looked_up"
        /// The operator has had a row of the outbox tried at once, or forgotten; its subject is the user, if he is there.
        case outboxRetried = "outbox.retried"
        case outboxDropped = "outbox.dropped"
        /// Somebody who is no administrator has asked for a page of users.
        case lookRefused = "user.look_refused"
        // What otp-service records (`OTPAuditEvent`).
        case codeSent = "otp.sent"
        case codeSendFailed = "otp.send_failed"
        case codeApproved = "otp.approved"
        case codeWrong = "otp.wrong_code"
        case numberLocked = "otp.locked"
        case codesRefused = "otp.refused"
        case spend = "otp.spend"
        case traced = "otp.traced"
        case reviewOpened = "otp.review_opened"
        case reviewEnded = "otp.review_ended"
        case reviewUsed = "otp.review_used"
        /// An event of a newer otp-service; the detail names it.
        case codeOther = "otp.other"
        /// The file was restored: users' epochs were raised. Its subject is `Pseudonym.nobody`.
        case epochBegun = "epoch.begun"
        /// A restore took from the user what a later security decision had taken; the detail names it.
        case decisionApplied = "user.decision_applied"
    }

    package let event: Event
    package let subject: Pseudonym
    package let origin: RequestOrigin
    /// Names of what changed, never values.
    package let detail: String?

    package init(event: Event, subject: Pseudonym, origin: RequestOrigin = RequestOrigin(), detail: String? = nil) {
        self.event = event
        self.subject = subject
        self.origin = origin
        self.detail = detail
    }

    /// A record about a user.
    init(_ event: Event, _ user: User, _ origin: RequestOrigin, detail: String? = nil) {
        self.init(event: event, subject: user.pseudonym, origin: origin, detail: detail)
    }
}
