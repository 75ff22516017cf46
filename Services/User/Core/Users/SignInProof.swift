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
    /// The identity token that proved it; `nil` for any other proof.
    package let token: PresentedToken?

    init(
        id: String, expiresAt: Int64, identity: ProvedIdentity, password: ProvedPassword? = nil,
        isForReview: Bool = false, challengedAt: Int64? = nil, token: PresentedToken? = nil
    ) {
        self.token = token
        self.challengedAt = challengedAt
        self.password = password
        self.isForReview = isForReview
        self.id = id
        self.expiresAt = expiresAt
        self.identity = identity
    }
}

/// An identity token, as far as its single use is decided on it.
package struct PresentedToken: Sendable, Equatable {
    /// The tag of the one call that it serves.
    package let call: [UInt8]
    /// The token's `iat`, in Unix seconds.
    let issuedAt: Int64
}

/// The password by which a person proved their address.
struct ProvedPassword: Sendable, Equatable {
    let user: UserID
    let version: Int64
    /// The user's epoch at that time; `nil` where an older release proved it.
    let epoch: Int64?
}
