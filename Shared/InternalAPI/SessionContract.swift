/// Looking at sessions and ending them, by their owner or by the operator.
extension TokenContract {
    /// GET on behalf of the bearer of the access token; answers `SessionList`.
    package static let ownSessionsPath = "/internal/sessions/own"
    package static let endOwnSessionPath = "/internal/sessions/own/end"
    package static let endOtherSessionsPath = "/internal/sessions/own/end-others"
    package static let userSessionsPath = "/internal/control/sessions/list"
    package static let endSessionsPath = "/internal/control/sessions/end"
    /// For user-service, which shows them to the operator.
    package static let sessionCountsPath = "/internal/sessions/counts"
}

/// Asks how many live sessions each of some users has; answered with `SessionCounts`.
package struct SessionCountsRequest: Codable, Sendable, Equatable {
    /// At most `UserContract.pageMax`.
    package var userIDs: [String]

    package init(userIDs: [String]) { self.userIDs = userIDs }
}

/// Numbers of live sessions, in the order of the request.
package struct SessionCounts: Codable, Sendable, Equatable {
    package var counts: [Int]

    package init(counts: [Int]) { self.counts = counts }
}

/// Ends one of the bearer's own sessions.
package struct EndOwnSessionRequest: Codable, Sendable, Equatable {
    package var sessionID: String

    package init(sessionID: String) { self.sessionID = sessionID }
}

/// Asks for the live sessions of a user; answered with `SessionList`.
package struct UserSessionsRequest: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}

/// Ends all sessions of a user, or a single session; exactly one of the two is named.
package struct EndSessionsRequest: Codable, Sendable, Equatable {
    package var userID: String?
    package var sessionID: String?

    package init(userID: String? = nil, sessionID: String? = nil) {
        self.userID = userID
        self.sessionID = sessionID
    }
}

/// How many sessions an `EndSessionsRequest` ended.
package struct EndSessionsAnswer: Codable, Sendable, Equatable {
    package var endedCount: Int

    package init(endedCount: Int) { self.endedCount = endedCount }
}
