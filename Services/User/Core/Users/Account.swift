import CryptoPrimitives
package import InternalAPI

/// A password as it is kept.
package struct StoredPassword: Sendable, Equatable {
    /// A PHC string.
    package let hash: String
    /// Names this very password, at random: what was proved by another one is void.
    package let version: Int64
    /// When a reset or a change set it, in Unix seconds: codes that were requested before prove nothing any more. `nil` if
    /// neither did; written, `nil` keeps what is stored.
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

/// Somebody's wish to have an account, until the owner of the address confirms it; no user yet.
package struct Registration: Sendable, Equatable {
    /// The id of the user whom it will make.
    package let id: UserID
    /// In its one spelling.
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

/// The operator's word that whoever proves an identity may become a user.
package struct Invitation: Sendable, Equatable {
    /// The id of the user whom its link makes.
    package let id: UserID
    package let identity: ProvedIdentity
    package let role: String
    /// Unix time in seconds.
    package let expiresAt: Int64

    package init(id: UserID, identity: ProvedIdentity, role: String, expiresAt: Int64) {
        self.id = id
        self.identity = identity
        self.role = role
        self.expiresAt = expiresAt
    }
}

/// A link that was mailed; of its token the SHA-256 alone is kept.
package struct AccountLink: Sendable, Equatable {
    /// What it is good for; a link for one purpose serves no other.
    package enum Purpose: String, Sendable, CaseIterable {
        /// Confirms a registration, together with its password.
        case confirm
        /// Confirms a registration by itself.
        case confirmByLink
        /// Sets a user's password.
        case reset
        /// Sets the password of who was invited.
        case invitation

        /// How long it opens, from the moment at which its mail is first handed to the provider.
        var lifetimeSeconds: Int64 {
            switch self {
            case .confirm, .confirmByLink: 86_400
            case .reset: 900
            case .invitation: 7 * 86_400
            }
        }

        /// How long its mail may wait before that; an invitation ends at its own time all the same.
        var waitSeconds: Int64 { self == .invitation ? 0 : AccountLink.mailWaitSecondsMax }
    }

    /// How long a mail waits at most; then it is dropped.
    static let mailWaitSecondsMax: Int64 = 3_600

    package let hash: [UInt8]
    package let purpose: Purpose
    /// The user, or whom the registration or the invitation will make.
    package let subject: UserID
    /// Where it was sent; the person who has it has proved this address.
    package let address: String
    /// Unix time in seconds; until the mail is handed to the provider, the latest time that it can be.
    package let expiresAt: Int64

    package init(hash: [UInt8], purpose: Purpose, subject: UserID, address: String, expiresAt: Int64) {
        self.hash = hash
        self.purpose = purpose
        self.subject = subject
        self.address = address
        self.expiresAt = expiresAt
    }

    /// When it expires if its mail is handed to the provider at `now` (Unix time in seconds); a later time never prolongs what
    /// an earlier one has set.
    package func expiry(handedOverAt now: Int64) -> Int64 { min(expiresAt, now + purpose.lifetimeSeconds) }
}
