package import AuthAPI

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

/// The account and everything that belongs to it once.
package struct ExportedAccount: Codable, Sendable, Equatable {
    package var id: String
    package var name: String?
    /// All values that were set, whether or not the policy still declares their attributes.
    package var attributes: UserAttributes
    package var role: String
    package var active: Bool
    package var createdAt: Int64
    package var updatedAt: Int64
    package var deletionRequestedAt: Int64?
    package var deletionDueAt: Int64?
    /// Whether the code for an app store's reviewers created the account.
    package var forReview: Bool
    /// The id in the system from which the user was imported.
    package var legacyID: String?
    package var hasPassword: Bool
    package var passwordChangedAt: Int64?
    package var identities: [ExportedIdentity]
    package var unverifiedEmails: [ExportedAddress]
    package var appleTokens: [ExportedAppleToken]
    package var pendingChanges: [ExportedChange]
    /// The time of the event since which changes are under review.
    package var reviewedSince: Int64?
    package var reviewOpenedAt: Int64?
    package var mergedAccounts: [ExportedMerge]
    package var links: [ExportedLink]

    package init(
        id: String, name: String? = nil, attributes: UserAttributes = UserAttributes(), role: String, active: Bool,
        createdAt: Int64, updatedAt: Int64, forReview: Bool = false, hasPassword: Bool = false
    ) {
        (self.id, self.name, self.attributes, self.role, self.active) = (id, name, attributes, role, active)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
        (self.forReview, self.hasPassword) = (forReview, hasPassword)
        (identities, unverifiedEmails, appleTokens, pendingChanges) = ([], [], [], [])
        (mergedAccounts, links) = ([], [])
    }
}

/// Something that signs the user in.
package struct ExportedIdentity: Codable, Sendable, Equatable {
    /// `phone`, `email`, `apple` or `oidc`.
    package var kind: String
    /// The phone number, the email address, the subject at Apple, or a provider's name, a colon and the subject there.
    package var value: String
    package var addedAt: Int64
    package var lastUsedAt: Int64?
    /// The time before which the provider's tokens are refused, since the user withdrew their consent there.
    package var tokensRefusedBefore: Int64?

    package init(
        kind: String, value: String, addedAt: Int64, lastUsedAt: Int64? = nil, tokensRefusedBefore: Int64? = nil
    ) {
        (self.kind, self.value, self.addedAt) = (kind, value, addedAt)
        (self.lastUsedAt, self.tokensRefusedBefore) = (lastUsedAt, tokensRefusedBefore)
    }
}

/// An email address that the user has not verified.
package struct ExportedAddress: Codable, Sendable, Equatable {
    package var address: String
    package var addedAt: Int64

    package init(address: String, addedAt: Int64) { (self.address, self.addedAt) = (address, addedAt) }
}

/// The fact that a token of Apple's is stored, which is revoked when the account is removed.
package struct ExportedAppleToken: Codable, Sendable, Equatable {
    package var subject: String
    package var clientID: String
    package var signedInAt: Int64

    package init(subject: String, clientID: String, signedInAt: Int64) {
        (self.subject, self.clientID, self.signedInAt) = (subject, clientID, signedInAt)
    }
}

/// A change of the user's identities that waits.
package struct ExportedChange: Codable, Sendable, Equatable {
    /// `phone` or `merge`.
    package var kind: String
    package var phoneNumber: String?
    package var createdAt: Int64
    package var movesAt: Int64?

    package init(kind: String, phoneNumber: String? = nil, createdAt: Int64, movesAt: Int64? = nil) {
        (self.kind, self.phoneNumber, self.createdAt, self.movesAt) = (kind, phoneNumber, createdAt, movesAt)
    }
}

/// An account that became a part of the user's.
package struct ExportedMerge: Codable, Sendable, Equatable {
    package var id: String
    package var createdAt: Int64

    package init(id: String, createdAt: Int64) { (self.id, self.createdAt) = (id, createdAt) }
}

/// A mailed link that can still be opened. Its token is stored as a hash.
package struct ExportedLink: Codable, Sendable, Equatable {
    package var purpose: String
    package var address: String
    package var createdAt: Int64
    package var expiresAt: Int64

    package init(purpose: String, address: String, createdAt: Int64, expiresAt: Int64) {
        (self.purpose, self.address, self.createdAt, self.expiresAt) = (purpose, address, createdAt, expiresAt)
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
    /// Shows a user a record of the audit about them, without the name of an operator.
    package init(_ record: AuditPage.Record, from service: String) {
        self.init(
            service: service, at: record.at, event: record.event, sessionID: record.sessionID,
            method: record.method.map(OperatorName.anonymous), requestID: record.requestID,
            detail: record.detail.map(OperatorName.anonymous))
    }
}
