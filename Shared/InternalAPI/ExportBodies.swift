/// Requests a page of the bearer's export; answered with `ExportAnswer`.
package struct ExportRequest: Codable, Sendable, Equatable {
    /// The greatest length of a cursor; a longer one is not ours.
    package static let cursorBytesMax = 1_024

    /// The `nextCursor` of the page before; `nil` for the first page.
    package var cursor: String?
    /// A repeat of the call does not count as another export.
    package var callID: String

    package init(cursor: String? = nil, callID: String) {
        self.cursor = cursor
        self.callID = callID
    }
}

/// Requests a page of a user's export for the operator; answered with `UserExport`.
package struct ExportUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// The `nextCursor` of the page before; `nil` for the first page.
    package var cursor: String?

    package init(userID: String, cursor: String? = nil) {
        self.userID = userID
        self.cursor = cursor
    }
}

/// A page of the bearer's export, or the time until another export is allowed.
package struct ExportAnswer: Codable, Sendable, Equatable {
    package var page: UserExport?
    /// Seconds until another export is allowed; `nil` if there is a page.
    package var retryAfterSeconds: Int64?

    package init(page: UserExport) { self.page = page }

    package init(retryAfterSeconds: Int64) { self.retryAfterSeconds = retryAfterSeconds }
}

/// A page of everything that is stored about a user, except for secrets; times are Unix seconds. The export is complete with the
/// page that has no `nextCursor`.
package struct UserExport: Codable, Sendable, Equatable {
    /// The version of this form.
    package static let currentVersion: Int64 = 1

    package var version: Int64
    package var exportedAt: Int64
    /// Only on the first page.
    package var account: ExportedAccount?
    /// The messages to the user's phone numbers and email addresses; only on the first page.
    package var messages: [ExportedMessages]?
    package var decisions: [ExportedDecision]
    /// The records of the audit, newest first of each service.
    package var records: [ExportedRecord]
    package var sessions: [ExportedSession]
    package var nextCursor: String?

    package init(exportedAt: Int64) {
        version = Self.currentVersion
        self.exportedAt = exportedAt
        (decisions, records, sessions) = ([], [], [])
    }
}

/// A decision about the account that a restore of a backup must not undo.
package struct ExportedDecision: Codable, Sendable, Equatable {
    package var at: Int64
    package var kind: String

    package init(at: Int64, kind: String) { (self.at, self.kind) = (at, kind) }
}

/// A record of the audit about the user.
package struct ExportedRecord: Codable, Sendable, Equatable {
    /// `user` or `token`.
    package var service: String
    package var at: Int64
    package var event: String
    package var sessionID: String?
    /// The method of a sign-in, `operator` or `administrator`.
    package var method: String?
    package var requestID: String?
    package var detail: String?

    package init(
        service: String, at: Int64, event: String, sessionID: String? = nil, method: String? = nil,
        requestID: String? = nil, detail: String? = nil
    ) {
        (self.service, self.at, self.event, self.sessionID) = (service, at, event, sessionID)
        (self.method, self.requestID, self.detail) = (method, requestID, detail)
    }
}

/// A session of the user's, also one that has ended and is not removed yet.
package struct ExportedSession: Codable, Sendable, Equatable {
    package var id: String
    package var dialect: String
    /// How the person signed in.
    package var method: String
    package var deviceName: String?
    /// The network of the sign-in, IPv4 /24 or IPv6 /48.
    package var address: String?
    package var createdAt: Int64
    package var lastUsedAt: Int64
    package var authenticatedAt: Int64
    /// When the session expires without a refresh.
    package var idleExpiresAt: Int64
    /// When the session expires in any case; `nil` if it does not.
    package var absoluteExpiresAt: Int64?
    /// The reason for which the session was revoked; `nil` if it was not.
    package var revokedFor: String?
    /// `true` for the session of a web page; `nil` otherwise.
    package var web: Bool?

    package init(
        id: String, dialect: String, method: String, deviceName: String?, address: String?, createdAt: Int64,
        lastUsedAt: Int64, authenticatedAt: Int64, idleExpiresAt: Int64, absoluteExpiresAt: Int64?,
        revokedFor: String?, web: Bool?
    ) {
        (self.id, self.dialect, self.method) = (id, dialect, method)
        (self.deviceName, self.address) = (deviceName, address)
        (self.createdAt, self.lastUsedAt, self.authenticatedAt) = (createdAt, lastUsedAt, authenticatedAt)
        (self.idleExpiresAt, self.absoluteExpiresAt) = (idleExpiresAt, absoluteExpiresAt)
        (self.revokedFor, self.web) = (revokedFor, web)
    }
}

/// The messages to a phone number or an email address of the user's in the last days.
package struct ExportedMessages: Codable, Sendable, Equatable {
    /// An event on the way to a code.
    package struct Event: Codable, Sendable, Equatable {
        package var at: Int64
        package var count: Int64
        package var kind: String
        package var requestID: String?
        package var details: [String]

        package init(at: Int64, count: Int64, kind: String, requestID: String? = nil, details: [String]) {
            (self.at, self.count, self.kind) = (at, count, kind)
            (self.requestID, self.details) = (requestID, details)
        }
    }

    package var to: String
    package var events: [Event]
    /// Why no mail is sent to the address; `nil` if it is not blocked.
    package var mailBlock: String?
    package var mailBlockedUntil: Int64?
    /// The number of account mails that were not sent because of a block.
    package var mailsNotSent: Int64

    package init(
        to: String, events: [Event] = [], mailBlock: String? = nil, mailBlockedUntil: Int64? = nil,
        mailsNotSent: Int64 = 0
    ) {
        (self.to, self.events, self.mailBlock) = (to, events, mailBlock)
        (self.mailBlockedUntil, self.mailsNotSent) = (mailBlockedUntil, mailsNotSent)
    }
}

extension ExportedRecord {
    /// Shows a user a record of the audit about them, without the name of an operator or a client, and without the session of an
    /// administrator or a client.
    package init(_ record: AuditPage.Record, from service: String) {
        let isAdministrators = record.method.flatMap { OperatorName(administrator: $0) } != nil
        self.init(
            service: service, at: record.at, event: record.event,
            sessionID: isAdministrators ? nil : record.sessionID,
            method: record.method.map(OperatorName.anonymous), requestID: record.requestID,
            detail: record.detail.map(OperatorName.anonymous))
    }
}
