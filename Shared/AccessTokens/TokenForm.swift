import StrictJSON

/// An issuer and an audience beside a verifier's own, whose tokens it accepts for users too.
package struct TokenForm: Sendable, Equatable {
    package let issuer: String
    package let audience: String
    /// The text before the digits of user ids, if the tokens have the claims of Supabase Auth; `nil` if they have ours.
    package let supabasePrefix: String?

    package init(issuer: String, audience: String, supabasePrefix: String? = nil) {
        (self.issuer, self.audience, self.supabasePrefix) = (issuer, audience, supabasePrefix)
    }
}

extension AccessTokenClaims {
    /// Returns the claims that our own token of the same session would have, from those of Supabase Auth.
    ///
    /// The user's role is in `app_metadata`. The claim `role` is that of a database, the same for all users, and gives no right.
    ///
    /// - Parameter payload: all claims of the token.
    func ownForm(of payload: JSONObject, userIDPrefix: String) throws(TokenRejection) -> AccessTokenClaims {
        guard let userID = SupabaseID.userID(subject, prefix: userIDPrefix) else { throw .invalidClaim }
        var (own, additional) = (self, [String: ClaimValue]())
        additional["role"] = (payload["app_metadata"]?.objectValue?["role"]?.stringValue).map(ClaimValue.string)
        additional["phone"] = Self.text(payload["phone"]).map { .string("+" + $0) }
        additional["email"] = Self.text(payload["email"]).map(ClaimValue.string)
        additional["acr"] = Self.text(payload["aal"]).map(ClaimValue.string)
        additional["auth_time"] = payload["auth_time"]?.integerValue.map(ClaimValue.integer)
        let methods = payload["amr"]?.arrayValue ?? []
        if methods.contains(where: { $0.objectValue?["method"] == .string("passkey") }) {
            additional["amr"] = .strings(["pop"])
        }
        (own.subject, own.additional) = (userID, additional)
        return own
    }

    private static func text(_ value: JSONValue?) -> String? { value?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
}
