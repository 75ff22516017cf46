import AccessTokens

extension TokenMint {
    static let fpnvIssuer = "https://fpnv.googleapis.com/projects/123456789012"
    static let fpnvAudiences = [fpnvIssuer, "https://fpnv.googleapis.com/projects/example-app"]
    static let fpnvPhone = "+15551234567"

    /// Mints tokens of Firebase Phone Number Verification: ES256, `typ` JWT, the project's number and id in `aud`, the phone number
    /// in `sub`, and a nonce of the SDK if the app passes none
    /// (https://firebase.google.com/docs/phone-number-verification/verify-tokens,
    /// https://firebase.google.com/docs/reference/kotlin/com/google/firebase/pnv/VerifiedPhoneNumberTokenResult).
    ///
    /// - Parameter rsa: the key of tokens with the wrong algorithm; `nil` for a new one.
    static func fpnv(rsa: SigningKey? = nil) throws -> TokenMint {
        let audiences = fpnvAudiences.map { "\"\($0)\"" }.joined(separator: ",")
        return try TokenMint(
            issuer: fpnvIssuer, audience: fpnvIssuer, keyName: "fpnv",
            defaults: TokenWish(
                algorithm: SignatureAlgorithm.ES256.rawValue, subject: fpnvPhone,
                claims: ["aud": "[\(audiences)]", "nonce": "\"4be0643f-1d98-473b-97cd-ca98a65347dd\""], type: "JWT"),
            rsa: rsa)
    }
}
