/// The Redis stream in which otp-service puts its audit records until user-service has moved them into its database (design
/// section 4, *Audit*).
package enum OTPAuditStream {
    package static let key = "audit:otp"
    /// The maximum number of waiting records. At this number otp-service neither sends nor checks codes, since it could not
    /// audit them.
    package static let entriesMax = 100_000

    /// The names of a record's fields.
    package enum Field {
        /// Unix time in seconds of the event; aggregated refusals have the time of their minute.
        package static let time = "at"
        /// An `OTPAuditEvent`.
        package static let event = "event"
        /// A 16-byte pseudonym of the phone number; empty if the record is not about a single number.
        package static let subject = "subject"
        /// Further words, never values.
        package static let detail = "detail"
        /// The identity that a `LockoutSeal` has encrypted; only in the record of a lockout for which the account is reviewed.
        package static let identity = "identity"
        /// The country, the channel and the price paid, with spaces between them, for the hourly counts.
        package static let tally = "tally"
    }
}

/// An event that otp-service audits.
package enum OTPAuditEvent: String, Sendable, CaseIterable {
    case sent = "otp.sent"
    /// The provider did not accept the message, or did not confirm it in time.
    case sendFailed = "otp.send_failed"
    case approved = "otp.approved"
    case wrongCode = "otp.wrong_code"
    /// Wrong codes have locked the number, for recognised or for unrecognised clients.
    case locked = "otp.locked"
    /// A review code was created for a number until a time.
    case reviewOpened = "otp.review_opened"
    case reviewEnded = "otp.review_ended"
    /// Somebody signed in with a review code.
    case reviewUsed = "otp.review_used"
    /// A share of a budget is used, or a message exceeded it; recorded once per window. Its detail: window, percent, row.
    case spend = "otp.spend"
    /// An operator has read the events of a phone number or an email address.
    case traced = "otp.traced"
    /// An operator has lifted a number's lockouts and limits.
    case unlocked = "otp.unlocked"
    /// An operator has read which review accesses are open.
    case lookedUp = "otp.looked_up"
    /// An operator has let messages go again to a phone number or an email address that was blocked, or was not.
    case blockLifted = "otp.block_lifted"
    /// A further try of a message was paid. It is only counted, and no record of the audit.
    case paid = "otp.paid"
    /// The number of refusals within a minute, over all phone numbers.
    case refused = "otp.refused"
}
