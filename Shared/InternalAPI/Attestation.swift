/// otp-service's statement to user-service that a person has proved to hold a phone number (design section 4, step 1).
package struct Attestation: SealedStatement, Equatable {
    package static let kind = "attestation"

    /// The challenge's id; the grant's id derives from it, so that a repeat ends in the same grant.
    package let id: String
    /// How the number was proved, e.g. `sms`.
    package let method: String
    /// The number in E.164.
    package let phone: String
    /// What the proof is for; a proof for one purpose serves no other.
    package let purpose: Purpose
    package let expiresAt: Int64

    package init(id: String, method: String, phone: String, purpose: Purpose, expiresAt: Int64) {
        self.id = id
        self.method = method
        self.phone = phone
        self.purpose = purpose
        self.expiresAt = expiresAt
    }
}

/// What a one-time code is asked for.
package enum Purpose: String, Codable, Sendable, CaseIterable {
    case signIn = "sign_in"
}
