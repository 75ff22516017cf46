import EdgeHTTP
import Release

/// The keys and settings that clients, data APIs and back ends read about this deployment.
extension SupabaseDialect {
    private static let ageSecondsMax = 300

    private struct Health: Encodable {
        let version = Release.version
        /// Tools recognise the server by it.
        let name = "GoTrue"
        let description = "Latchkey"
    }

    private struct Settings: Encodable {
        let external: [String: Bool]
        let disable_signup = false
        let mailer_autoconfirm = false
        let phone_autoconfirm = false
        let sms_provider = ""
        let saml_enabled = false
    }

    /// The document of OpenID Connect Discovery, by which data APIs find the keys.
    private struct Configuration: Encodable {
        let issuer, jwks_uri, authorization_endpoint, token_endpoint, userinfo_endpoint: String
        let response_types_supported = ["code"]
        let subject_types_supported = ["public"]
        let id_token_signing_alg_values_supported: [String]
        let code_challenge_methods_supported = ["S256"]
    }

    var keyRows: [DialectRow] {
        let settings = Settings(
            external: facts.providers.reduce(
                into: [
                    "email": facts.sendsMail || facts.hasPasswords, "phone": facts.sendsCodes, "anonymous_users": false,
                ]
            ) { $0[$1] = true })
        let issuer = facts.issuer
        let configuration = Configuration(
            issuer: issuer, jwks_uri: issuer + "/.well-known/jwks.json", authorization_endpoint: issuer + "/authorize",
            token_endpoint: issuer + "/token", userinfo_endpoint: issuer + "/user",
            id_token_signing_alg_values_supported: [facts.algorithm])
        // The bare path is often the one of the deployment's own health check.
        let health = Self.keyRow("/health", "Returns the name of the server") { _ in .json(Health()) }
        return Array(health.prefix(1))
            + Self.keyRow("/settings", "Returns the ways to sign in") { _ in .json(settings) }
            + Self.keyRow("/.well-known/openid-configuration", "Returns issuer and keys (OpenID Connect Discovery)") {
                _ in
                .json(configuration, cacheControl: "public, max-age=\(Self.ageSecondsMax)")
            }
            + Self.keyRow("/.well-known/jwks.json", "Returns the public keys of access tokens (RFC 7517)") { request in
                let copy = try request.useCases.keys.accessTokens()
                return .json(copy.keys, cacheControl: "public, max-age=\(copy.ageSecondsMax)")
            }
    }

    private static func keyRow(
        _ path: String, _ summary: String, answer: @escaping @Sendable (SupabaseRequest) async throws -> Reply
    ) -> [DialectRow] {
        DialectRow.supabase(.get, path, .open, counting: .nothing, answer: answer).map {
            $0.documented(.deployment, summary, .json(.any))
        }
    }
}
