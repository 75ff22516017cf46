package import InternalAPI

/// A proof of an identity.
package struct SignInProof: Sendable, Equatable {
    package let id: String
    /// Unix time in seconds until which the proof can come again.
    package let expiresAt: Int64
    package let identity: ProvedIdentity
    /// The password that proved it; `nil` for any other proof.
    let password: ProvedPassword?
    /// Whether a code of a store's reviewers proved it.
    let isForReview: Bool
    /// When its code was requested, in Unix seconds; `nil` if it has none.
    let challengedAt: Int64?

    init(
        id: String, expiresAt: Int64, identity: ProvedIdentity, password: ProvedPassword? = nil,
        isForReview: Bool = false, challengedAt: Int64? = nil
    ) {
        self.challengedAt = challengedAt
        self.password = password
        self.isForReview = isForReview
        self.id = id
        self.expiresAt = expiresAt
        self.identity = identity
    }
}

/// The password by which a person proved their address.
struct ProvedPassword: Sendable, Equatable {
    let user: UserID
    let version: Int64
    /// The user's epoch at that time; `nil` where an older release proved it.
    let epoch: Int64?
}
