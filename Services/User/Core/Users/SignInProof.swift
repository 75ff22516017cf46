package import InternalAPI

/// A proof of an identity, or of a passkey.
package struct SignInProof: Codable, Sendable, Equatable {
    package let id: String
    /// Unix time in seconds until which the proof can be presented again.
    package let expiresAt: Int64
    /// `nil` for a passkey, which is no identity.
    package let identity: VerifiedIdentity?
    /// The passkey that was shown, or `nil` if an identity was verified.
    package let passkey: ShownPasskey?
    /// The password that verified the identity, or `nil` if something else did.
    let password: VerifiedPassword?
    /// When the review access ends whose code verified the identity, in Unix seconds; `nil` if something else did.
    let reviewEndsAt: Int64?
    /// Unix time in seconds at which its code was requested, or `nil` if it has no code.
    let challengedAt: Int64?
    /// The identity token that verified the identity, or the challenge of the passkey; `nil` for any other proof.
    package let token: PresentedToken?
    /// Apple's authorization code that came with the token.
    let code: AuthorizationCode?
    /// The factors that the person has shown; `nil` if the proof's method states all of it.
    let factors: AuthenticationFactors?
    /// The second factor that the proof also has, or `nil`.
    let second: ProvedSecondFactor?

    init(
        id: String, expiresAt: Int64, identity: VerifiedIdentity?, passkey: ShownPasskey? = nil,
        password: VerifiedPassword? = nil, reviewEndsAt: Int64? = nil, challengedAt: Int64? = nil,
        token: PresentedToken? = nil, code: AuthorizationCode? = nil, factors: AuthenticationFactors? = nil,
        second: ProvedSecondFactor? = nil
    ) {
        self.second = second
        self.passkey = passkey
        self.factors = factors
        self.code = code
        self.token = token
        self.challengedAt = challengedAt
        self.password = password
        self.reviewEndsAt = reviewEndsAt
        self.id = id
        self.expiresAt = expiresAt
        self.identity = identity
    }

    var isForReview: Bool { reviewEndsAt != nil }

    /// The proof, which can be presented at least until a Unix time in seconds.
    func presentable(until time: Int64) -> SignInProof {
        SignInProof(
            id: id, expiresAt: max(expiresAt, time), identity: identity, passkey: passkey, password: password,
            reviewEndsAt: reviewEndsAt, challengedAt: challengedAt, token: token, code: code, factors: factors,
            second: second)
    }
}

/// The parts of an identity token, or of a passkey's challenge, that its single use depends on.
package struct PresentedToken: Codable, Sendable, Equatable {
    /// The tag of the one call that it serves.
    package let call: [UInt8]
    /// The token's `iat`, or the time of the challenge, in Unix seconds.
    let issuedAt: Int64
}

/// The password by which a person verified their email address.
struct VerifiedPassword: Codable, Sendable, Equatable {
    let user: UserID
    let version: Int64
    /// The user's epoch at that time.
    let epoch: Int64
}

/// The second factor in a proof: whose it is. A later end of their sessions makes the proof invalid.
package struct ProvedSecondFactor: Codable, Sendable, Equatable {
    let user: UserID
    let epoch: Int64
}
