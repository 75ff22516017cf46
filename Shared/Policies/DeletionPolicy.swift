/// The time between a user's request to be deleted and the removal of the data.
package struct DeletionPolicy: Sendable, Equatable {
    /// The effect of a sign-in within the grace period.
    package enum SignIn: String, Sendable, CaseIterable {
        case restore, ask, newAccount
    }

    package var graceDays = 30
    package var onSignIn = SignIn.restore
    /// Whether people can delete their account on a page, without the app: `GET /account/delete`.
    package var page = false

    package init() {}
}

extension DeletionPolicy {
    /// Section `deletion`:
    /// - `graceDays` integer, 0...365, default 30
    /// - `onSignIn` restore, ask or newAccount, default restore
    /// - `page` true or false, default false
    init(reading section: PolicySection) {
        section.integer("graceDays", in: 0...365, into: &graceDays)
        section.choice("onSignIn", into: &onSignIn)
        section.flag("page", into: &page)
    }
}
