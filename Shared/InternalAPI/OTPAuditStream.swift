/// The Redis stream on which otp-service leaves its audit records until user-service has moved them into its database
/// (design section 4, *Audit*).
package enum OTPAuditStream {
    package static let key = "audit:otp"
    /// Records that wait at most; while so many do, codes are neither sent nor judged: no audit, no act.
    package static let entriesMax = 100_000

    /// The names of a record's fields.
    package enum Field {
        /// Unix time in seconds of the act; of aggregated refusals, of their minute.
        package static let time = "at"
        /// An `OTPAuditEvent`.
        package static let event = "event"
        /// 16 bytes that stand for the number; empty where a record is about no single one.
        package static let subject = "subject"
        /// Words that say more, never values.
        package static let detail = "detail"
    }
}

/// What otp-service records.
package enum OTPAuditEvent: String, Sendable, CaseIterable {
    case sent = "otp.sent"
    /// The provider did not take the message, or did not say so in time.
    case sendFailed = "otp.send_failed"
    case approved = "otp.approved"
    case wrongCode = "otp.wrong_code"
    /// Wrong codes have locked the number, for known addresses or for strangers.
    case locked = "otp.locked"
    /// One code was made for a number until a time, for a store's reviewers.
    case reviewOpened = "otp.review_opened"
    case reviewEnded = "otp.review_ended"
    /// Somebody was let in by it.
    case reviewUsed = "otp.review_used"
    /// So much of a budget is used, or did not hold a message: once in its window. Its detail: window, percent, row.
    case spend = "otp.spend"
    /// An operator has read what happened to a number or an address.
    case traced = "otp.traced"
    /// How often within a minute something was refused, over all numbers.
    case refused = "otp.refused"
}
