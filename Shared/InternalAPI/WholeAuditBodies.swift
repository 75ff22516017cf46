/// A service with an audit. otp-service's records are in user-service's.
package enum AuditedService: String, Codable, Sendable, CaseIterable { case user, token }

/// Requests a page of the records of all services in a period, newest first; answered with `WholeAuditPage`, or for the story of a
/// user with `StoryPage`.
package struct WholeAuditRequest: Codable, Sendable, Equatable {
    /// Records of this user only; `nil` for all. A story needs one.
    package var userID: String?
    /// Unix time in seconds of the oldest record.
    package var from: Int64
    /// Unix time in seconds before which all records are.
    package var to: Int64
    /// 1 to `AuditPage.recordsMax`.
    package var limit: Int
    /// The `next` of the page before, whose other members were the same; `nil` for the first page.
    package var cursor: String?

    /// The end of the year 9999.
    package static let toMax: Int64 = 253_402_300_799

    package init(
        userID: String? = nil, from: Int64 = 0, to: Int64 = Self.toMax, limit: Int, cursor: String? = nil
    ) {
        (self.userID, self.from, self.to, self.limit, self.cursor) = (userID, from, to, limit, cursor)
    }
}

/// A page of the records of all services, newest first.
package struct WholeAuditPage: Codable, Sendable, Equatable {
    package struct Record: Codable, Sendable, Equatable {
        package var service: AuditedService
        package var record: AuditPage.Record

        package init(_ record: AuditPage.Record, of service: AuditedService) {
            (self.record, self.service) = (record, service)
        }
    }

    package var records: [Record]
    /// `nil` after the last page. A page may have few records, or none, and not be the last.
    package var next: String?

    package init(records: [Record], next: String?) { (self.records, self.next) = (records, next) }
}

/// A page of what happened to a user, newest first, as sentences.
package struct StoryPage: Codable, Sendable, Equatable {
    package struct Line: Codable, Sendable, Equatable {
        /// Unix time in seconds.
        package var at: Int64
        package var sentence: String

        package init(at: Int64, sentence: String) { (self.at, self.sentence) = (at, sentence) }
    }

    package var lines: [Line]
    /// The last refresh of each live session; only on the first page.
    package var sessions: [Line]
    /// `nil` after the last page. A page may have few lines, or none, and not be the last.
    package var next: String?

    package init(lines: [Line], sessions: [Line], next: String?) {
        (self.lines, self.sessions, self.next) = (lines, sessions, next)
    }
}
