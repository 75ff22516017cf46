internal import InternalAPI

/// One row of our own API.
struct NativeRoute: Sendable {
    enum Access: Sendable {
        /// No token needed.
        case open
        /// A valid, unrevoked access token.
        case bearer
    }

    let method: String
    let path: String
    let access: Access
    let endpoint: any NativeEndpoint
}

/// The native API on a page (design section 7).
enum NativeRoutes {
    static func all(_ services: BackendServices, keys: KeySetRefresher, maxAgeSeconds: Int) -> [NativeRoute] {
        [
            route("POST", "/auth/otp/request", .open, RequestCodeEndpoint(services: services)),
            route("POST", "/auth/otp/verify", .open, VerifyCodeEndpoint(services: services)),
            route("POST", "/auth/refresh", .open, RefreshEndpoint(services: services)),
            // Open, since it must work with a token that has expired or is revoked.
            route("POST", "/auth/logout", .open, LogoutEndpoint(services: services)),
            route("GET", "/users/me", .bearer, ProfileEndpoint(services: services, method: .get)),
            route("PATCH", "/users/me", .bearer, ProfileEndpoint(services: services, method: .patch)),
            route("DELETE", "/users/me", .bearer, ProfileEndpoint(services: services, method: .delete)),
            route(
                "GET", "/.well-known/jwks.json", .open, KeySetEndpoint(keys: keys, maxAgeSeconds: maxAgeSeconds)),
        ]
    }

    private static func route(
        _ method: String, _ path: String, _ access: NativeRoute.Access, _ endpoint: any NativeEndpoint
    ) -> NativeRoute {
        NativeRoute(method: method, path: path, access: access, endpoint: endpoint)
    }
}
