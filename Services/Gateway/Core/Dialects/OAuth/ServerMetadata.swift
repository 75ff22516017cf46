import EdgeHTTP
import Policies

/// The document of RFC 8414, by which libraries find the keys of an issuer.
///
/// It has no authorization endpoint, since users sign in by the native API. Only back ends and jobs get tokens at the token endpoint.
struct ServerMetadata: Encodable, Sendable {
    private static let ageSecondsMax = 300

    let issuer: String
    let jwks_uri: String
    let introspection_endpoint: String
    let revocation_endpoint: String
    let token_endpoint: String
    let introspection_endpoint_auth_methods_supported = ["client_secret_basic", "client_secret_post"]
    let revocation_endpoint_auth_methods_supported = ["client_secret_basic", "client_secret_post"]
    let token_endpoint_auth_methods_supported = ["client_secret_basic", "client_secret_post", "private_key_jwt"]
    let token_endpoint_auth_signing_alg_values_supported = ["RS256", "ES256", "EdDSA"]
    // It is required, so it is empty and not missing.
    let response_types_supported: [String] = []
    let grant_types_supported = ["client_credentials"]

    /// - Parameters:
    ///   - issuer: the `iss` claim of access tokens.
    ///   - address: the URL at which clients reach the gateway.
    init(issuer: String, address: PublicURL) {
        let base = address.text
        self.issuer = issuer
        jwks_uri = base + "/.well-known/jwks.json"
        introspection_endpoint = base + "/oauth/introspect"
        revocation_endpoint = base + "/oauth/revoke"
        token_endpoint = base + "/oauth/token"
    }

    var row: DialectRow {
        DialectRow(.get, "/.well-known/oauth-authorization-server", .open, counting: .nothing) {
            [self] _, _ throws(Refusal) in
            .json(self, cacheControl: "public, max-age=\(Self.ageSecondsMax)")
        }
        .documented(.deployment, "Returns issuer and addresses for services that verify tokens (RFC 8414)", .json(.any))
    }
}
