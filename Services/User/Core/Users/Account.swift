import CryptoPrimitives
package import InternalAPI

/// A password as it is stored.
package struct StoredPassword: Sendable, Equatable {
    /// A PHC string.
    package let hash: String
    /// A random number that identifies this very password. Proofs by another password are invalid.
    package let version: Int64
    /// Unix time in seconds of the reset or change that set it; codes that were requested earlier are invalid. `nil` if neither
    /// set it. On writing, `nil` keeps the stored time.
    package let changedAt: Int64?

    package init(hash: String, version: Int64, changedAt: Int64? = nil) {
        self.hash = hash
        self.version = version
        self.changedAt = changedAt
    }

    static func newVersion() -> Int64 {
        SecureRandom.bytes(8).reduce(0) { $0 << 8 | Int64($1) } & .max
    }
}

/// A request for an account that the owner of the email address has not confirmed yet.
package struct Registration: Sendable, Equatable {
    /// The id of the user that it will create.
    package let id: UserID
    /// The email address, in its canonical form.
    package let address: String
    package let passwordHash: String
    package let name: String?
    /// Unix time in seconds.
    package let createdAt: Int64
    package let expiresAt: Int64

    package init(
        id: UserID, address: String, passwordHash: String, name: String?, createdAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.address = address
        self.passwordHash = passwordHash
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The operator's permission for the person with an identity to become a user.
package struct Invitation: Sendable, Equatable {
    /// The id of the user that its link creates.
    package let id: UserID
    package let identity: VerifiedIdentity
    package let role: String
    /// Unix time in seconds.
    package let expiresAt: Int64

    package init(id: UserID, identity: VerifiedIdentity, role: String, expiresAt: Int64) {
        self.id = id
        self.identity = identity
        self.role = role
        self.expiresAt = expiresAt
    }

    /// The invitation in the records of itself and of its user's creation, which does not reveal the id.
    var auditText: String { "invitation \(Hex.encode(SHA256.hash(id.bytes).prefix(8)))" }
}

/// A mailed link. Only the SHA-256 of its token is stored.
package struct AccountLink: Sendable, Equatable {
    /// The purpose of a link, which is valid for no other purpose.
    package enum Purpose: String, Sendable, CaseIterable {
        /// Confirms a registration, together with its password.
        case confirm
        /// Confirms a registration without its password.
        case confirmByLink
        /// Sets a user's password.
        case reset
        /// Sets the password of an invited person.
        case invitation
        /// Verifies the address that the operator gave a user.
        case address
        /// Reports that a change of a user's identities or password was not the user's.
        case notMe

        /// How many seconds a link is valid, from the moment at which its mail is first sent to the provider.
        var lifetimeSeconds: Int64 {
            switch self {
            case .confirm, .confirmByLink, .address: 86_400
            case .reset: 900
            case .invitation: 7 * 86_400
            case .notMe: 72 * 3_600
            }
        }

        /// How many seconds its mail may wait before that; 0 for an invitation, whose expiry is fixed.
        var waitSeconds: Int64 { self == .invitation ? 0 : AccountLink.mailWaitSecondsMax }
    }

    /// How many seconds a mail waits at most before it is dropped.
    static let mailWaitSecondsMax: Int64 = 3_600

    package let hash: [UInt8]
    package let purpose: Purpose
    /// The id of the user, or of the user that the registration or the invitation will create.
    package let subject: UserID
    /// The email address that it was sent to. The person who opens the link has verified it. Empty for `notMe`, which verifies nothing.
    package let address: String
    /// The Unix time in seconds of the event for which it was sent.
    package let createdAt: Int64
    /// Unix time in seconds. Until the mail is sent to the provider, this is the latest possible expiry.
    package let expiresAt: Int64

    package init(
        hash: [UInt8], purpose: Purpose, subject: UserID, address: String, createdAt: Int64, expiresAt: Int64
    ) {
        self.hash = hash
        self.purpose = purpose
        self.subject = subject
        self.address = address
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The identity that the person who opens the link has verified; `nil` for `notMe`.
    package var identity: VerifiedIdentity? { purpose == .notMe ? nil : .email(address) }

    /// The link's expiry if its mail is sent to the provider at `now`; both are Unix times in seconds. Sending the mail again
    /// never prolongs the link.
    package func expiry(handedOverAt now: Int64) -> Int64 { min(expiresAt, now + purpose.lifetimeSeconds) }
}
