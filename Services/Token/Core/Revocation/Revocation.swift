internal import InternalAPI

/// A session whose access tokens are to be refused everywhere.
struct Revocation: Sendable, Equatable {
    let sessionID: SessionID
    let reason: RevocationReason
    /// When the session's last access token expires; Unix seconds.
    let accessExpiresAt: Int64

    /// Until when the revocation must be known: clocks differ, and verifiers may grant a leeway.
    var holdsUntil: Int64 { accessExpiresAt.addingReportingOverflow(RevocationLimits.extraSeconds).partialValue }
}
