package import InternalAPI

/// A session whose access tokens are to be refused everywhere.
package struct Revocation: Sendable, Equatable {
    /// A revocation outlives the last access token by more than any clock skew and leeway that we accept.
    package static let extraSeconds: Int64 = 120

    package let sessionID: SessionID
    package let reason: RevocationReason
    /// When the session's last access token expires; Unix seconds.
    package let accessExpiresAt: Int64

    package init(sessionID: SessionID, reason: RevocationReason, accessExpiresAt: Int64) {
        self.sessionID = sessionID
        self.reason = reason
        self.accessExpiresAt = accessExpiresAt
    }

    /// Until when the revocation must be known: clocks differ, and verifiers may grant a leeway.
    var holdsUntil: Int64 { accessExpiresAt.addingReportingOverflow(Self.extraSeconds).partialValue }
}

/// A session whose access tokens below a version are to be refused everywhere: the user's rights have changed.
package struct VersionFloor: Sendable, Equatable {
    package let sessionID: SessionID
    package let version: Int64
    /// When the session's last access token of a lower version expires; Unix seconds.
    package let accessExpiresAt: Int64

    package init(sessionID: SessionID, version: Int64, accessExpiresAt: Int64) {
        self.sessionID = sessionID
        self.version = version
        self.accessExpiresAt = accessExpiresAt
    }

    /// Until when the floor must be known: clocks differ, and verifiers may grant a leeway.
    var holdsUntil: Int64 { accessExpiresAt.addingReportingOverflow(Revocation.extraSeconds).partialValue }
}

/// A signing key whose tokens are to be refused everywhere.
package struct KeyRevocation: Sendable, Equatable {
    /// A gateway keeps its last good key set for a day while token-service is down, and a stolen key signs tokens of
    /// any lifetime: the mark stays until no set can hold the key any more, with much to spare.
    package static let lifetimeSeconds: Int64 = 7 * 86_400

    package let keyID: String
    /// Until when it must be known; Unix seconds.
    package let holdsUntil: Int64

    package init(keyID: String, holdsUntil: Int64) {
        self.keyID = keyID
        self.holdsUntil = holdsUntil
    }
}
