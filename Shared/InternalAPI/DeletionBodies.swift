/// Schedules an account for deletion, authorised by a proof for that purpose.
package struct DeleteByProofRequest: Codable, Sendable, Equatable {
    /// otp-service's sealed statement, with the purpose `deletion`.
    package var attestation: String

    package init(attestation: String) { self.attestation = attestation }
}

/// The result of a `DeleteByProofRequest`.
package struct DeleteByProofAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case scheduled
        /// The identity belongs to no user.
        case unknown
        /// The account is deactivated, or needs a second factor.
        case inactive
        /// The statement is forged, expired or for another purpose.
        case attestationRefused = "attestation_refused"
    }

    package var result: Result
    /// When the account is removed, in Unix seconds; with `scheduled`.
    package var dueAt: Int64?

    package init(_ result: Result, dueAt: Int64? = nil) {
        self.result = result
        self.dueAt = dueAt
    }
}
