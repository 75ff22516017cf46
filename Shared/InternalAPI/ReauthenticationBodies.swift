/// user-service's statement to token-service that the user of a session has shown again who they are.
///
/// It raises the session's time of authentication to `at`, so that a repeat changes nothing.
package struct Reauthentication: SealedStatement, Equatable {
    package static let kind = "reauthentication"

    /// The public user id, the token's `sub`.
    package let userID: String
    /// The only session that the statement is valid for, by its `sid`.
    package let sessionID: String
    /// How the user showed it, e.g. `sms`.
    package let method: String
    /// When, in Unix seconds.
    package let at: Int64
    package let expiresAt: Int64

    package init(userID: String, sessionID: String, method: String, at: Int64, expiresAt: Int64) {
        self.userID = userID
        self.sessionID = sessionID
        self.method = method
        self.at = at
        self.expiresAt = expiresAt
    }
}

/// Notes in the bearer's session that its user has shown again who they are.
package struct NoteAuthenticationRequest: Codable, Sendable, Equatable {
    /// The sealed `Reauthentication`.
    package var statement: String

    package init(statement: String) { self.statement = statement }
}

/// The last time at which the user of a session showed who they are.
package struct SessionAuthentication: Codable, Sendable, Equatable {
    /// Unix time in seconds; a sign-in counts.
    package var authenticatedAt: Int64

    package init(authenticatedAt: Int64) { self.authenticatedAt = authenticatedAt }
}
