/// Requests a page of the open reviews of accounts.
package struct AccountReviewsRequest: Codable, Sendable, Equatable {
    /// The last user of the page before; `nil` for the first page.
    package var cursor: String?

    package init(cursor: String? = nil) { self.cursor = cursor }
}

/// A page of the open reviews of accounts, in the order of their users.
package struct AccountReviewPage: Codable, Sendable, Equatable {
    package static let reviewsMax = 500

    package struct Review: Codable, Sendable, Equatable {
        package var userID: String
        /// The time since which changes of identities and of the password are under review; Unix time in seconds, as the next.
        package var since: Int64
        package var openedAt: Int64

        package init(userID: String, since: Int64, openedAt: Int64) {
            (self.userID, self.since, self.openedAt) = (userID, since, openedAt)
        }
    }

    package var reviews: [Review]

    package init(reviews: [Review]) { self.reviews = reviews }
}

/// Ends the review of an account, whose changed identities sign in from now on.
package struct ClearReviewRequest: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}

/// The outcome of a `ClearReviewRequest`.
package struct ClearedReview: Codable, Sendable, Equatable {
    /// Whether there was a review.
    package var wasOpen: Bool

    package init(wasOpen: Bool) { self.wasOpen = wasOpen }
}
