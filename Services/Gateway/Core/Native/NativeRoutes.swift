internal import EdgeHTTP
internal import InternalAPI
internal import Policies

/// One row of our own API.
struct NativeRoute: Sendable {
    enum Access: Sendable {
        /// No token needed.
        case open
        /// A valid, unrevoked access token.
        case bearer
    }

    let method: HTTPMethod
    let pattern: RoutePattern
    let access: Access
    let endpoint: any NativeEndpoint
    /// Whether the edge counts its requests by address; otp-service does so itself, and keys are for everybody.
    var isCounted = true
}

/// The native API on a page (design section 7).
enum NativeRoutes {
    static func all(
        _ services: BackendServices, edge: EdgeGuard, keys: KeySetRefresher, identity: IdentitySigner?,
        maxAgeSeconds: Int
    ) -> [NativeRoute] {
        let signedInUser = SignedInUser(edge: edge)
        return [
            route(
                .post, "/auth/otp/request", .open, isCounted: false,
                RequestCodeEndpoint(services: services, signedInUser: signedInUser)),
            route(
                .post, "/auth/otp/verify", .open, isCounted: false,
                VerifyCodeEndpoint(services: services, signedInUser: signedInUser)),
            route(.post, "/auth/refresh", .open, RefreshEndpoint(services: services)),
            // Open, since it must work with a token that has expired or is revoked.
            route(.post, "/auth/logout", .open, LogoutEndpoint(services: services)),
            route(.get, "/users/me", .bearer, ProfileEndpoint(services: services, operation: .read)),
            route(.patch, "/users/me", .bearer, ProfileEndpoint(services: services, operation: .update)),
            route(.delete, "/users/me", .bearer, ProfileEndpoint(services: services, operation: .delete)),
            route(.get, "/sessions", .bearer, ListSessionsEndpoint(services: services)),
            route(.delete, "/sessions", .bearer, EndOtherSessionsEndpoint(services: services)),
            route(.delete, "/sessions/*", .bearer, EndSessionEndpoint(services: services)),
            // Open to the edge: the client authenticates itself to token-service.
            route(
                .post, "/oauth/introspect", .open, ClientTokenEndpoint(services: services, operation: .introspect)),
            route(.post, "/oauth/revoke", .open, ClientTokenEndpoint(services: services, operation: .revoke)),
            route(
                .get, "/.well-known/jwks.json", .open, isCounted: false,
                KeySetEndpoint(keys: keys, maxAgeSeconds: maxAgeSeconds)),
            route(
                .get, "/.well-known/latchkey-identity.json", .open, isCounted: false,
                IdentityKeysEndpoint(signer: identity)),
        ]
    }

    private static func route(
        _ method: HTTPMethod, _ path: StaticString, _ access: NativeRoute.Access, isCounted: Bool = true,
        _ endpoint: any NativeEndpoint
    ) -> NativeRoute {
        NativeRoute(
            method: method, pattern: RoutePattern(literal: path), access: access, endpoint: endpoint,
            isCounted: isCounted)
    }
}
