/// A token that a test or a developer asks for. What is left out is as a good token of the issuer has it.
struct TokenWish: Codable, Sendable {
    /// A fault of the token besides its claims.
    enum Fault: String, Codable, Sendable, CaseIterable {
        /// `alg: none`, and no signature.
        case algorithmNone
        /// Signed with HMAC under the public key's own bytes.
        case publicKeyAsSecret
        /// Signed by a key that is not published, under the `kid` of one that is.
        case foreignKey
        /// A `kid` that is not published.
        case unknownKey
        case noKeyID
        /// One bit of the signature is wrong.
        case spoiledSignature
        case noSignature
        /// A claim is changed after the token was signed.
        case changedPayload
        /// `crit` names an extension.
        case critical
        /// A second signature after the first.
        case twoSignatures
        /// A claim is written twice.
        case duplicateClaim
        /// Not JSON.
        case brokenPayload
        /// Padded to 100 KB.
        case huge
    }

    /// `apple` or `oidc`.
    var issuer: String?
    /// RS256, or ES256 by a second published key.
    var algorithm: String?
    var subject: String?
    var audience: String?
    /// The raw nonce; the token contains its hash as apps pass it to the SDKs.
    var nonce: String?
    /// Seconds since the token was issued.
    var ageSeconds: Int64?
    /// Seconds that the token lives from its `iat`.
    var lifetimeSeconds: Int64?
    /// Claims as JSON texts that are added or take the place of others.
    var claims: [String: String]?
    /// Claims that are left out.
    var without: [String]?
    /// The header's `typ`.
    var type: String?
    var fault: Fault?
}

/// A minted token, and for ES256 the same token with its signature's twin.
struct MintedToken: Codable, Sendable {
    let identityToken: String
    let twin: String?
}
