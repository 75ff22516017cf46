/// A record of the audit, as it was written.
package struct RecordedAuditEntry: Sendable, Equatable {
    /// The number of its row.
    package let number: Int64
    /// Unix time in seconds.
    package let at: Int64
    /// The stored name of an event, which may be one of an older release.
    package let event: String
    package let subject: Pseudonym
    package let origin: RequestOrigin
    package let detail: String?

    package init(
        number: Int64, at: Int64, event: String, subject: Pseudonym, origin: RequestOrigin, detail: String?
    ) {
        (self.number, self.at, self.event, self.subject) = (number, at, event, subject)
        (self.origin, self.detail) = (origin, detail)
    }
}
