/// Finds the number of whoever asks for a code while signed in; to otp-service they are no stranger.
struct SignedInPhone: Sendable {
    let edge: EdgeGuard

    /// The number in the access token that came with `request`; nil without one, and for any that is not known to be
    /// good at once: the endpoint is open, so nobody is sent away for it.
    func callAsFunction(_ request: EndpointRequest) -> String? {
        guard case .decided(.allow(let token?)) = edge.check(BearerCredential(request.head), roles: nil) else {
            return nil
        }
        return token.phone
    }
}
