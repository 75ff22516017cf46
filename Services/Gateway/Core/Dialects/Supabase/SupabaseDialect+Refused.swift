import EdgeHTTP
import Policies

/// The calls that are not offered. They are refused as Supabase Auth refuses what is switched off, never with 501.
extension SupabaseDialect {
    private static let disabled: [(path: String, error: SupabaseError)] = [
        ("/sso/**", SupabaseError(404, "saml_provider_disabled", "SAML 2.0 is disabled")),
        ("/passkeys/**", SupabaseError(404, "passkey_disabled", "Passkeys are disabled")),
        ("/factors/**", SupabaseError(422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP")),
        ("/user/identities/**", .manualLinkingDisabled),
        ("/**", SupabaseError(.notFound)),
    ]

    /// The rows of whole subtrees, and of every other path below `/auth/v1`.
    var refusedRows: [DialectRow] {
        Self.disabled.flatMap { path, error in
            [HTTPMethod.get, .post, .put, .patch, .delete].flatMap { method in
                DialectRow.supabase(method, path, .open) { _ in throw error }
                    // A `/**` of the bare paths would hide what other dialects and routes have at that host.
                    .prefix(path == "/**" ? 1 : 2)
                    .map { $0.documented(.deployment, "Is not offered", .json(.any), status: error.status) }
            }
        }
    }
}
