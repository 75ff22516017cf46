/// A session that a grant is to open.
package struct SessionOpening: Sendable, Equatable {
    package let grantID: String
    /// Until when the grant could be presented again; Unix time in seconds.
    package let grantExpiresAt: Int64
    /// Of the rights in the session's claims.
    package let version: Int64
    /// Its row, whose number was reserved for it.
    package let session: SessionRecord
    /// How many sessions that can be refreshed the user has afterwards at most.
    package let sessionsMax: Int

    package init(grantID: String, grantExpiresAt: Int64, version: Int64, session: SessionRecord, sessionsMax: Int) {
        self.grantID = grantID
        self.grantExpiresAt = grantExpiresAt
        self.version = version
        self.session = session
        self.sessionsMax = sessionsMax
    }
}

/// The outcome of opening a session.
package enum OpeningOutcome: Sendable, Equatable {
    /// With it sessions may have ended that Redis does not know of yet.
    case opened(displaced: [Revocation])
    /// The grant has opened a session before: this one, nil when that is gone.
    case spent(SessionRecord?)
    /// The grant is older than the user's last revocation, or than the last change of his rights.
    case grantStale
}
