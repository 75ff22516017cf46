/// The options of a token that a test or a developer requests. A member that is absent has the value of a valid token.
struct TokenWish: Codable, Sendable {
    /// A fault of the token besides its claims.
    enum Fault: String, Codable, Sendable, CaseIterable {
        /// `alg: none`, and no signature.
        case algorithmNone
        /// The token is signed with HMAC under the public key's own bytes.
        case publicKeyAsSecret
        /// The token is signed by an unpublished key, under the `kid` of a published one.
        case foreignKey
        /// The `kid` is not published.
        case unknownKey
        case noKeyID
        /// One bit of the signature is wrong.
        case spoiledSignature
        case noSignature
        /// A claim is changed after the token was signed.
        case changedPayload
        /// `crit` lists an extension.
        case critical
        /// A second signature after the first.
        case twoSignatures
        /// A claim is written twice.
        case duplicateClaim
        /// The payload is not JSON.
        case brokenPayload
        /// The token is padded to 100 KB.
        case huge
    }

    /// `apple`, `oidc` or `fpnv`.
    var issuer: String?
    /// The algorithm: RS256, or ES256 with a second published key, which is the default of `fpnv`.
    var algorithm: String?
    var subject: String?
    var audience: String?
    /// The raw nonce; the token contains its hash as apps pass it to the SDKs.
    var nonce: String?
    /// The seconds since the token was issued.
    var ageSeconds: Int64?
    /// The lifetime of the token from its `iat`, in seconds.
    var lifetimeSeconds: Int64?
    /// Claims as JSON texts that are added or replace others.
    var claims: [String: String]?
    /// Claims that are left out.
    var without: [String]?
    /// The header's `typ`; an empty text leaves it out.
    var type: String?
    var fault: Fault?
}

/// A minted token, and for ES256 the same token with its signature's twin.
struct MintedToken: Codable, Sendable {
    let identityToken: String
    let twin: String?
    /// The authorization code that an app receives with a token of Apple's.
    var authorizationCode: String?
}
