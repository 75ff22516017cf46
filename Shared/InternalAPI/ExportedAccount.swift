package import AuthAPI

/// The account and everything that belongs to it once.
package struct ExportedAccount: Codable, Sendable, Equatable {
    package var id: String
    package var name: String?
    /// All values that were set, whether or not the policy still declares their attributes.
    package var attributes: UserAttributes
    /// Both objects; `nil` if they are empty.
    package var metadata: UserMetadata?
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
    /// Whether one-time passwords of an authenticator app are on, or will be.
    package var hasTOTP: Bool?
    /// The recovery codes that were not used; `nil` without any.
    package var recoveryCodesLeft: Int64?
    package var identities: [ExportedIdentity]
    /// `nil` if the user has none.
    package var passkeys: [ExportedPasskey]?
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

/// A passkey, without its key.
package struct ExportedPasskey: Codable, Sendable, Equatable {
    package var id: String
    package var name: String
    /// `passkey` or `restore`.
    package var kind: String
    package var addedAt: Int64
    package var lastUsedAt: Int64?
    package var activeFrom: Int64?
    package var aaguid: String
    package var transports: [String]
    package var backedUp: Bool

    package init(_ passkey: OwnPasskey) {
        (id, name, kind) = (passkey.id, passkey.name, passkey.kind.rawValue)
        (addedAt, lastUsedAt, activeFrom) = (passkey.createdAt, passkey.lastUsedAt, passkey.activeFrom)
        (aaguid, transports, backedUp) = (passkey.aaguid, passkey.transports, passkey.backedUp)
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
    /// `phone`, `merge` or `inactivity`.
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
