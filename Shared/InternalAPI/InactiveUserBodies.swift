/// Requests a page of the users who were away for long; answered with `InactiveUserPage`.
package struct InactiveUsersRequest: Codable, Sendable, Equatable {
    /// The `next` of the page before; `nil` for the first page.
    package var cursor: String?

    package init(cursor: String? = nil) { self.cursor = cursor }
}

/// A page of the users who were away for long, in the order of their ids. A page may be empty although others follow.
package struct InactiveUserPage: Codable, Sendable, Equatable {
    package struct Person: Codable, Sendable, Equatable {
        package var userID: String
        /// When the account is removed, in Unix seconds; `nil` if the user is not told yet.
        package var removesAt: Int64?
        /// Whether a mail or a text message reaches the user.
        package var isReached: Bool

        package init(userID: String, removesAt: Int64?, isReached: Bool) {
            (self.userID, self.removesAt, self.isReached) = (userID, removesAt, isReached)
        }
    }

    package var users: [Person]
    /// `nil` after the last page.
    package var next: String?
    /// The value of `confirmed` that the policy needs before any user is told.
    package var confirmation: String
    /// Whether the policy has this value.
    package var isConfirmed: Bool
    /// Whether users are also removed if no notice reaches them.
    package var withoutNotice: Bool

    package init(users: [Person], next: String?, confirmation: String, isConfirmed: Bool, withoutNotice: Bool) {
        (self.users, self.next, self.confirmation) = (users, next, confirmation)
        (self.isConfirmed, self.withoutNotice) = (isConfirmed, withoutNotice)
    }
}
