/// otp-service's statement to user-service that a person has verified control of an identity (design section 4, step 1).
package struct Attestation: SealedStatement, Equatable {
    package static let kind = "attestation"
    /// The `method` of a review code, which opens only accounts that were created with review codes.
    package static let reviewMethod = "review"
    /// The `method` of the code of a forgotten password, whose session may set one.
    package static let recoveryMethod = "recovery"

    /// Identifies the proof; the grant's id derives from it, so a repeat leads to the same grant.
    package let proofID: String
    /// How the identity was verified, e.g. `sms`.
    package let method: String
    package let identity: VerifiedIdentity
    /// The purpose of the proof; a proof for one purpose is refused for any other.
    package let purpose: Purpose
    package let expiresAt: Int64
    /// The user who requested the code; only for a purpose that is bound to a user (`Purpose.isBound`).
    package let userID: String?
    /// When the code was requested, in Unix seconds: a later reset of the password voids it.
    package let challengedAt: Int64
    /// When the review access ends that the proof belongs to, in Unix seconds. Sessions that it opens end no later. `nil` for
    /// every other proof.
    package let accessEndsAt: Int64?

    package init(
        proofID: String, method: String, identity: VerifiedIdentity, purpose: Purpose, userID: String? = nil,
        expiresAt: Int64, challengedAt: Int64, accessEndsAt: Int64? = nil
    ) {
        self.proofID = proofID
        self.method = method
        self.identity = identity
        self.purpose = purpose
        self.userID = userID
        self.expiresAt = expiresAt
        self.challengedAt = challengedAt
        self.accessEndsAt = accessEndsAt
    }
}

/// An identity that a person has verified.
package struct VerifiedIdentity: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case phone, email, apple, oidc
    }

    package let kind: Kind
    /// The canonical spelling for the kind: E.164 for a phone.
    package let value: String

    package init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }

    package static func phone(_ number: String) -> Self { Self(kind: .phone, value: number) }
}

/// The purpose of a proof. A code that was requested for one purpose is refused for every other.
package enum Purpose: String, Codable, Sendable, CaseIterable {
    case signIn = "sign_in"
    /// Scheduling the account for deletion.
    case deletion
    /// Showing again that the signed-in user is the one who owns the account.
    case reauthentication
    /// Adding the phone number or email address to the signed-in user's account, where it replaces an earlier one.
    case identity
    /// Merging the account that has the phone number or email address into the signed-in user's.
    case merge

    /// Whether a code is bound to the user who requested it.
    package var isBound: Bool {
        switch self {
        case .signIn, .deletion: false
        case .reauthentication, .identity, .merge: true
        }
    }
}
