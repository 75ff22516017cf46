/// The time between a user's request to be deleted and the removal of the data.
package struct DeletionPolicy: Sendable, Equatable {
    /// The effect of a sign-in within the grace period.
    package enum SignIn: String, Sendable, CaseIterable {
        case restore, ask, newAccount
    }

    package var graceDays = 30
    package var onSignIn = SignIn.restore
    package var page = false

    package init() {}
}

extension DeletionPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "graceDays", \.graceDays, .integer(0...365),
            "The days between a user's request and the removal of the data."),
        Key("onSignIn", \.onSignIn, .choice, "The effect of a sign-in within that time."),
        Key("page", \.page, .flag, "Whether people can delete their account without the app, at GET /account/delete."),
    ]
}
