/// Requests a page of what token-service stores about a user; answered with `TokenExportPart`.
package struct TokenExportRequest: Codable, Sendable, Equatable {
    /// The content of a page.
    package enum Part: String, Codable, Sendable, CaseIterable { case sessions, records }

    package static let rowsMax = 500

    package var userID: String
    package var part: Part
    /// The `next` of the page before; `nil` for the first page.
    package var before: Int64?
    /// 1 to `rowsMax`.
    package var limit: Int

    package init(userID: String, part: Part, before: Int64? = nil, limit: Int) {
        (self.userID, self.part, self.before, self.limit) = (userID, part, before, limit)
    }
}

/// A page of a user's sessions, or of the audit records about them, newest first.
package struct TokenExportPart: Codable, Sendable, Equatable {
    package var sessions: [ExportedSession]
    package var records: [ExportedRecord]
    /// Where the next page begins; `nil` after the last one. A page may have few rows, or none, and not be the last.
    package var next: Int64?

    package init(sessions: [ExportedSession] = [], records: [ExportedRecord] = [], next: Int64? = nil) {
        (self.sessions, self.records, self.next) = (sessions, records, next)
    }
}

/// Requests what otp-service stores about phone numbers and email addresses; answered with `MessagesExportPart`.
package struct MessagesExportRequest: Codable, Sendable, Equatable {
    /// A user has one phone number and few email addresses.
    package static let recipientsMax = 20

    /// Phone numbers in E.164 and email addresses.
    package var recipients: [String]

    package init(recipients: [String]) { self.recipients = recipients }
}

/// The data about each recipient, in the order of the request.
package struct MessagesExportPart: Codable, Sendable, Equatable {
    package var messages: [ExportedMessages]

    package init(messages: [ExportedMessages]) { self.messages = messages }
}
