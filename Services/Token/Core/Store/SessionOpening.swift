/// A session for a grant to open.
package struct SessionOpening: Sendable, Equatable {
    package let grantID: String
    /// The time until which the grant could be presented again, in Unix seconds.
    package let grantExpiresAt: Int64
    /// The version of the rights in the session's claims.
    package let version: Int64
    /// The session's row, whose number was reserved for it.
    package let session: SessionRecord
    /// The greatest number of sessions that the user can refresh afterwards.
    package let sessionsMax: Int
    /// SHA-256 of the secret of the page's session that this one replaces; `nil` if there is none.
    package let replacedPageHash: [UInt8]?

    package init(
        grantID: String, grantExpiresAt: Int64, version: Int64, session: SessionRecord, sessionsMax: Int,
        replacedPageHash: [UInt8]? = nil
    ) {
        self.grantID = grantID
        self.grantExpiresAt = grantExpiresAt
        self.version = version
        self.session = session
        self.sessionsMax = sessionsMax
        self.replacedPageHash = replacedPageHash
    }
}

/// The outcome of opening a session.
package enum OpeningOutcome: Sendable, Equatable {
    /// The session is opened. Other sessions may have been revoked with it, which Redis does not know yet.
    case opened(displaced: [Revocation])
    /// The grant has opened a session before: this one, or `nil` if that is gone.
    case used(SessionRecord?)
    /// The grant is older than the user's last revocation, or than the last change of their rights.
    case grantStale
}
