/// Requests that user-service give identities at a provider new subjects; answered with `ResubjectAnswer`.
package struct ResubjectRequest: Codable, Sendable, Equatable {
    package static let changesMax = 100

    /// The provider's name in the policy.
    package var provider: String
    package var changes: [SubjectChange]
    /// Whether nothing is changed: the answer shows what would be.
    package var isDryRun: Bool

    package init(provider: String, changes: [SubjectChange], isDryRun: Bool) {
        self.provider = provider
        self.changes = changes
        self.isDryRun = isDryRun
    }
}

/// The subject of an identity's tokens until now, and the one from now on.
package struct SubjectChange: Codable, Sendable, Equatable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// The results of the changes, in their order.
package struct ResubjectAnswer: Codable, Sendable, Equatable {
    package var results: [SubjectResult]

    package init(results: [SubjectResult]) { self.results = results }
}

/// The result of one change.
package struct SubjectResult: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable {
        /// The user's identity has the new subject now.
        case moved
        /// No user has the old subject, and one has the new subject, as after an earlier run.
        case present
        /// Another user has the new subject; nothing is merged.
        case taken
        /// No user has either subject.
        case unknown
    }

    package var outcome: Outcome
    /// The user with the identity; `nil` if there is none.
    package var userID: String?
    /// The other user, who has the new subject.
    package var holderID: String?

    package init(_ outcome: Outcome, userID: String? = nil, holderID: String? = nil) {
        self.outcome = outcome
        self.userID = userID
        self.holderID = holderID
    }
}
