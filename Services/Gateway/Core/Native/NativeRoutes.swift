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
}

/// The native API on a page (design section 7).
enum NativeRoutes {
    static func all(
        _ services: BackendServices, edge: EdgeGuard, keys: KeySetRefresher, maxAgeSeconds: Int
    ) -> [NativeRoute] {
        let signedInPhone = SignedInPhone(edge: edge)
        return [
            route(
                .post, "/auth/otp/request", .open,
                RequestCodeEndpoint(services: services, signedInPhone: signedInPhone)),
            route(
                .post, "/auth/otp/verify", .open, VerifyCodeEndpoint(services: services, signedInPhone: signedInPhone)
            ),
            route(.post, "/auth/refresh", .open, RefreshEndpoint(services: services)),
            // Open, since it must work with a token that has expired or is revoked.
            route(.post, "/auth/logout", .open, LogoutEndpoint(services: services)),
            route(.get, "/users/me", .bearer, ProfileEndpoint(services: services, method: .get)),
            route(.patch, "/users/me", .bearer, ProfileEndpoint(services: services, method: .patch)),
            route(.delete, "/users/me", .bearer, ProfileEndpoint(services: services, method: .delete)),
            route(.get, "/sessions", .bearer, ListSessionsEndpoint(services: services)),
            route(.delete, "/sessions", .bearer, EndOtherSessionsEndpoint(services: services)),
            route(.delete, "/sessions/*", .bearer, EndSessionEndpoint(services: services)),
            // Open to the edge: the client authenticates itself to token-service.
            route(
                .post, "/oauth/introspect", .open, ClientTokenEndpoint(services: services, operation: .introspect)),
            route(.post, "/oauth/revoke", .open, ClientTokenEndpoint(services: services, operation: .revoke)),
            route(
                .get, "/.well-known/jwks.json", .open, KeySetEndpoint(keys: keys, maxAgeSeconds: maxAgeSeconds)),
        ]
    }

    private static func route(
        _ method: HTTPMethod, _ path: StaticString, _ access: NativeRoute.Access, _ endpoint: any NativeEndpoint
    ) -> NativeRoute {
        NativeRoute(method: method, pattern: RoutePattern(literal: path), access: access, endpoint: endpoint)
    }
}
