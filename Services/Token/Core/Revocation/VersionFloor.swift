internal import InternalAPI

/// A session whose access tokens below a version are to be refused everywhere: the user's rights have changed.
struct VersionFloor: Sendable, Equatable {
    let sessionID: SessionID
    let version: Int64
    /// When the session's last access token of a lower version expires; Unix seconds.
    let accessExpiresAt: Int64

    /// Until when the floor must be known: clocks differ, and verifiers may grant a leeway.
    var holdsUntil: Int64 { accessExpiresAt.addingReportingOverflow(RevocationLimits.extraSeconds).partialValue }
}
