/// Requests a page of audit records, newest first; answered with `AuditPage`.
package struct AuditRequest: Codable, Sendable, Equatable {
    /// Records of this user only; `nil` for all.
    package var userID: String?
    /// Records of this event only; `nil` for all.
    package var event: String?
    /// Unix time in seconds of the oldest record; `nil` for all that are kept.
    package var since: Int64?
    /// Unix time in seconds before which all records are; `nil` for all.
    package var until: Int64?
    /// 1 to `AuditPage.recordsMax`.
    package var limit: Int
    /// The `next` of the page before; `nil` for the first page.
    package var before: Int64?
    /// The administrator who reads, as audit records contain them; `nil` if it is the operator.
    package var administrator: String?

    package init(
        userID: String? = nil, event: String? = nil, since: Int64? = nil, until: Int64? = nil, limit: Int,
        before: Int64? = nil, administrator: String? = nil
    ) {
        (self.until, self.administrator) = (until, administrator)
        (self.userID, self.event, self.since, self.limit, self.before) = (userID, event, since, limit, before)
    }
}

/// A page of audit records, newest first.
package struct AuditPage: Codable, Sendable, Equatable {
    package static let recordsMax = 200

    /// One record of the audit.
    package struct Record: Codable, Sendable, Equatable {
        /// The number of its row.
        package var number: Int64
        /// Unix time in seconds.
        package var at: Int64
        package var event: String
        /// The user: an id in token-service's audit, a pseudonym in user-service's; `nil` if it is about no single user.
        package var subject: String?
        package var sessionID: String?
        /// How the change was made, such as `phone` or `operator`.
        package var method: String?
        package var requestID: String?
        package var detail: String?

        package init(
            number: Int64, at: Int64, event: String, subject: String? = nil, sessionID: String? = nil,
            method: String? = nil, requestID: String? = nil, detail: String? = nil
        ) {
            (self.number, self.at, self.event, self.subject) = (number, at, event, subject)
            (self.sessionID, self.method, self.requestID, self.detail) = (sessionID, method, requestID, detail)
        }
    }

    package var records: [Record]
    /// Where the next page begins; `nil` after the last one. A page may have few records, or none, and not be the last.
    package var next: Int64?

    package init(records: [Record], next: Int64?) {
        self.records = records
        self.next = next
    }
}
