/// Why a call of the API did not do what it was for.
enum APIFailure: Error, Equatable {
    /// The session of the administrator is over.
    case signedOut
    /// The user is not, or no longer, an administrator.
    case notAdministrator
    /// The sign-in needs a second factor, for which the API has given a token.
    case needsFactor(mfaToken: String)
    /// The administrator showed too long ago who they are.
    case needsProof
    /// The user was changed since the page was made.
    case changedMeanwhile
    /// The call is refused for a reason that the API names.
    case refused(status: Int, code: String, detail: String?)
    /// The gateway, or a service behind it, does not respond.
    case unavailable
}
