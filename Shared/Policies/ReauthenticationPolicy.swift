/// The time after which users have to show again who they are, before they change what signs them in.
package struct ReauthenticationPolicy: Sendable, Equatable {
    package var withinSeconds: Int64 = 300
    package var deletion = false

    package init() {}
}

extension ReauthenticationPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "withinSeconds", \.withinSeconds, .integer(60...86_400),
            "The seconds for which a sign-in, or a proof at POST /auth/reauthenticate, is recent."),
        Key(
            "deletion", \.deletion, .flag,
            "Whether DELETE /users/me needs a recent proof of every user; otherwise only of users with a password."),
    ]
}
