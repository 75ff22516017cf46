internal import EdgeHTTP

/// Finds whoever asks for a code, or presents one, while signed in.
///
/// To otp-service the number in their token is no stranger, and their calls are not another's.
struct SignedInUser: Sendable {
    let edge: EdgeGuard

    /// Who the access token that came with `request` speaks for; nil without one, and for any that is not known to be good
    /// at once: the endpoint is open, so nobody is sent away for it.
    func callAsFunction(_ request: EndpointRequest) -> TokenIdentity? {
        guard case .decided(.allow(let token)) = edge.check(BearerCredential(request.head), roles: nil) else {
            return nil
        }
        return token
    }
}
