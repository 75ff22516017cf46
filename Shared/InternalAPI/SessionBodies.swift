/// Requests the number of live sessions of each of several users; answered with `SessionCounts`.
package struct SessionCountsRequest: Codable, Sendable, Equatable {
    /// At most `UserPage.usersMax`.
    package var userIDs: [String]

    package init(userIDs: [String]) { self.userIDs = userIDs }
}

/// Numbers of live sessions, in the order of the request.
package struct SessionCounts: Codable, Sendable, Equatable {
    package var counts: [Int]

    package init(counts: [Int]) { self.counts = counts }
}

/// Requests the user of a session; answered with `LiveSession`.
package struct LiveSessionRequest: Codable, Sendable, Equatable {
    package var sessionID: String

    package init(sessionID: String) { self.sessionID = sessionID }
}

/// A session, while it is live.
package struct LiveSession: Codable, Sendable, Equatable {
    /// The public user id; `nil` if the session is revoked or expired, or does not exist.
    package var userID: String?

    package init(userID: String?) { self.userID = userID }
}

/// Revokes one of the bearer's own sessions.
package struct EndOwnSessionRequest: Codable, Sendable, Equatable {
    package var sessionID: String

    package init(sessionID: String) { self.sessionID = sessionID }
}

/// Requests the live sessions of a user; answered with `SessionList`.
package struct UserSessionsRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// The administrator as audit records contain them; `nil` if the operator requests it.
    package var administrator: String?

    package init(userID: String, administrator: String? = nil) {
        (self.userID, self.administrator) = (userID, administrator)
    }
}

/// Revokes all sessions of a user, or a single session; exactly one of the two members is present.
package struct EndSessionsRequest: Codable, Sendable, Equatable {
    package var userID: String?
    package var sessionID: String?
    /// The administrator as audit records contain them; `nil` if the operator requests it.
    package var administrator: String?

    package init(userID: String? = nil, sessionID: String? = nil, administrator: String? = nil) {
        self.userID = userID
        self.sessionID = sessionID
        self.administrator = administrator
    }
}

/// The number of sessions that an `EndSessionsRequest` revoked.
package struct EndSessionsAnswer: Codable, Sendable, Equatable {
    package var endedCount: Int

    package init(endedCount: Int) { self.endedCount = endedCount }
}

/// Opens the session in which one user acts as another, both as user-service has just read them.
package struct ActRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var epoch: Int64
    package var claims: UserClaims
    package var actorID: String
    /// The session in which they ask for it.
    package var actorSessionID: String
    package var actorVersion: Int64
    /// The one who acts as audit records contain them.
    package var administrator: String

    package init(
        userID: String, epoch: Int64, claims: UserClaims, actorID: String, actorSessionID: String, actorVersion: Int64,
        administrator: String
    ) {
        (self.userID, self.epoch, self.claims) = (userID, epoch, claims)
        (self.actorID, self.actorSessionID, self.actorVersion) = (actorID, actorSessionID, actorVersion)
        self.administrator = administrator
    }
}

/// The only token of such a session.
package struct ActingToken: Codable, Sendable, Equatable {
    package var accessToken: String
    /// Seconds.
    package var expiresIn: Int64

    package init(accessToken: String, expiresIn: Int64) {
        (self.accessToken, self.expiresIn) = (accessToken, expiresIn)
    }
}
