/// Finds whoever asks for a code, or presents one, while signed in.
///
/// To otp-service the number in their token is no stranger, and their calls are not another's.
struct SignedInUser: Sendable {
    let access: EdgeGuard

    /// Who the access token speaks for; nil without one, and for any that is not known to be good at once: asking for a
    /// code is open to all, so nobody is sent away for it.
    func callAsFunction(_ credential: BearerCredential) -> TokenIdentity? {
        guard case .decided(.allow(let token)) = access.check(credential, roles: nil) else { return nil }
        return token
    }
}
