/// An open review of an account: until the operator clears it, no identity and no password signs in that was changed since an event
/// which the user has reported as not theirs.
package struct AccountReview: Sendable, Equatable {
    package let user: UserID
    /// Unix time in seconds of the event.
    package let since: Int64
    /// Unix time in seconds.
    package let openedAt: Int64

    package init(user: UserID, since: Int64, openedAt: Int64) {
        (self.user, self.since, self.openedAt) = (user, since, openedAt)
    }
}
