package import InternalAPI

/// A session whose access tokens are to be refused everywhere.
package struct Revocation: Sendable, Equatable {
    /// The seconds by which a revocation outlives the last access token: more than any clock skew and leeway that is accepted.
    package static let extraSeconds: Int64 = 120

    package let sessionID: SessionID
    package let reason: RevocationReason
    /// The expiry of the session's last access token, in Unix seconds.
    package let accessExpiresAt: Int64

    package init(sessionID: SessionID, reason: RevocationReason, accessExpiresAt: Int64) {
        self.sessionID = sessionID
        self.reason = reason
        self.accessExpiresAt = accessExpiresAt
    }

    /// The time until which the revocation must be known, since clocks differ and verifiers may grant a leeway.
    var holdsUntil: Int64 { accessExpiresAt.addingReportingOverflow(Self.extraSeconds).partialValue }
}

/// A session whose access tokens below a version are to be refused everywhere, because the user's rights have changed.
package struct VersionFloor: Sendable, Equatable {
    package let sessionID: SessionID
    package let version: Int64
    /// The expiry of the session's last access token of a lower version, in Unix seconds.
    package let accessExpiresAt: Int64

    package init(sessionID: SessionID, version: Int64, accessExpiresAt: Int64) {
        self.sessionID = sessionID
        self.version = version
        self.accessExpiresAt = accessExpiresAt
    }

    /// The time until which the floor must be known, since clocks differ and verifiers may grant a leeway.
    var holdsUntil: Int64 { accessExpiresAt.addingReportingOverflow(Revocation.extraSeconds).partialValue }
}

/// A signing key whose tokens are to be refused everywhere.
package struct KeyRevocation: Sendable, Equatable {
    /// The seconds for which the mark is kept. A gateway keeps its last good key set for a day while token-service is down, and a
    /// stolen key signs tokens of any lifetime. So the mark stays until no set can contain the key any more, with a large reserve.
    package static let lifetimeSeconds: Int64 = 7 * 86_400

    package let keyID: String
    /// The time until which it must be known, in Unix seconds.
    package let holdsUntil: Int64

    package init(keyID: String, holdsUntil: Int64) {
        self.keyID = keyID
        self.holdsUntil = holdsUntil
    }
}
