/// Finds the user who is signed in while they request or present a code.
///
/// otp-service then treats the phone number in their token as recognised, and keeps their calls apart from those of others.
struct SignedInUser: Sendable {
    let access: EdgeGuard

    /// Returns the identity of the access token, or `nil` if there is none or it cannot be verified at once. Requesting a code is
    /// open to all, so a request with a bad token is not refused.
    func callAsFunction(_ credential: BearerCredential) -> TokenIdentity? {
        guard case .decided(.allow(let token)) = access.check(credential, roles: nil) else { return nil }
        return token
    }

    /// Whether the access token is ours, even if it has expired or its session has ended.
    func isOurs(_ credential: BearerCredential) -> Bool {
        switch access.check(credential, roles: nil) {
        case .decided(.unauthorized(.missing)), .decided(.unauthorized(.malformed)), .decided(.unauthorized(.invalid)):
            false
        default: true
        }
    }

    /// Returns the user of a call that the edge has admitted by its access token, without asking once more for revocations.
    func admitted(_ call: ClientCall) throws(Refusal) -> String {
        switch access.check(call.credential, roles: nil) {
        case .decided(.allow(let token?)), .ask(let token): token.userID
        default: throw .unavailable
        }
    }
}
