import StrictJSON

/// A parsed payload whose signature is verified; its claims are judged separately.
struct AccessTokenPayload {
    let claims: AccessTokenClaims
    /// `nbf`
    let notBefore: Int64?
    private let object: JSONObject

    /// - Throws: `.missingClaim`, `.invalidClaim`, or `.malformed` for anything other than one strict JSON object.
    init(json: [UInt8]) throws(TokenRejection) {
        let reader = try ClaimReader(json: json)
        claims = AccessTokenClaims(
            issuer: try reader.string("iss"), audience: try reader.strings("aud"),
            subject: try reader.identifier("sub"), issuedAt: try reader.integer("iat"),
            expiresAt: try reader.integer("exp"), tokenID: try reader.identifier("jti"),
            sessionID: try reader.identifier("sid"), version: try reader.optionalInteger("ver") ?? 0,
            actor: try reader.actor(), additional: reader.additional)
        notBefore = try reader.optionalInteger("nbf")
        object = reader.object
    }

    /// Whether the token is of this issuer for this audience.
    func isFor(_ issuer: String, _ audience: String) -> Bool {
        Self.isSame(claims.issuer, issuer) && claims.audience.contains { Self.isSame($0, audience) }
    }

    /// Returns the claims in our own form.
    ///
    /// - Parameter form: The form of the token; `nil` for our own.
    func claims(in form: TokenForm?) throws(TokenRejection) -> AccessTokenClaims {
        guard let prefix = form?.supabasePrefix else { return claims }
        return try claims.ownForm(of: object, userIDPrefix: prefix)
    }

    /// The Unix time in seconds at which the token is first refused: `exp` plus the leeway.
    func acceptedUntil(leewaySeconds: Int64) -> Int64 { min(claims.expiresAt, .max - leewaySeconds) + leewaySeconds }

    /// Throws the first rule that the claims break at `now`.
    func judge(issuer: String, audience: String, leewaySeconds: Int64, now: Int64) throws(TokenRejection) {
        guard Self.isSame(claims.issuer, issuer) else { throw .wrongIssuer }
        guard claims.audience.contains(where: { Self.isSame($0, audience) }) else { throw .wrongAudience }
        guard now < acceptedUntil(leewaySeconds: leewaySeconds) else { throw .expired }
        let latest = now + TokenLimits.futureSecondsMax
        guard claims.issuedAt <= latest, notBefore ?? now <= latest else { throw .notYetValid }
    }

    /// Whether the bytes are equal: `==` on strings treats U+212A KELVIN SIGN as `K`.
    private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
