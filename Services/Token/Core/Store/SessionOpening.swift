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
    /// The facts about the session's actor that were read with the grant; `nil` for the user's own sessions.
    package let actor: Actor?

    /// The user who acts as the session's user. Whatever ends such sessions ends the one in which they asked for it, or has a higher
    /// version.
    package struct Actor: Sendable, Equatable {
        package let userID: String
        package let sessionID: SessionID
        package let version: Int64

        package init(userID: String, sessionID: SessionID, version: Int64) {
            (self.userID, self.sessionID, self.version) = (userID, sessionID, version)
        }
    }

    package init(
        grantID: String, grantExpiresAt: Int64, version: Int64, session: SessionRecord, sessionsMax: Int,
        replacedPageHash: [UInt8]? = nil, actor: Actor? = nil
    ) {
        self.grantID = grantID
        self.grantExpiresAt = grantExpiresAt
        self.version = version
        self.session = session
        self.sessionsMax = sessionsMax
        self.replacedPageHash = replacedPageHash
        self.actor = actor
    }
}

/// The outcome of opening a session.
package enum OpeningOutcome: Sendable, Equatable {
    /// The session is opened. Other sessions may have been revoked with it, which Redis does not know yet.
    case opened(displaced: [Revocation])
    /// The grant has opened a session before: this one, or `nil` if that is gone.
    case used(SessionRecord?)
    /// The grant is older than the last revocation of the user or the actor, or than the last change of their rights.
    case grantStale
}
