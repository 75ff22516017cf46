import AccessTokens
import CryptoPrimitives
import StrictJSON
import Synchronization

/// Makes the identity proofs that upstreams get. They are short-lived tokens of the gateways themselves, one for each session and
/// audience at a time.
///
/// The edge never accepts them: they have another `typ`, and their key is none of those that sign access tokens.
final class IdentitySigner: Sendable {
    /// The `typ` that keeps them apart from every other token (RFC 8725 section 3.11).
    static let type = "identity+jwt"
    /// How long a proof is valid, and how long before its expiry another one is made.
    static let lifetimeSeconds: Int64 = 60
    static let renewalSeconds: Int64 = 20
    /// The number of proofs that are remembered. Beyond it each proof is made again.
    static let remembered = 50_000

    private struct Key: Hashable, Sendable {
        let sessionID: String
        let version: Int64
        let audience: String
    }

    private struct Proof: Sendable {
        let text: String
        let expiresAt: Int64
    }

    private let issuer: String
    private let signing: SigningKey
    /// The public keys, as `/.well-known/latchkey-identity.json` shows them to upstreams.
    let published: JSONWebKeySet
    private let proofs = Mutex<[Key: Proof]>([:])

    /// - Parameter keys: the secret `identity_ed25519`: the first key signs, all are published.
    convenience init(issuer: String, keys: KeyRing) throws(KeyError) {
        var made: [SigningKey] = []
        for key in keys.all { made.append(try Self.key(key)) }
        self.init(issuer: issuer, signing: try Self.key(keys.signing), published: made)
    }

    // Swift 6.3 crashes on optimising an initialiser that throws after it has made a Mutex.
    private init(issuer: String, signing: SigningKey, published: [SigningKey]) {
        self.issuer = issuer
        self.signing = signing
        self.published = JSONWebKeySet(keys: published.compactMap(\.verificationKey.jwk))
    }

    /// Returns the proof for the upstream `audience` that `token`'s user or client sends the request.
    ///
    /// - Parameter now: Unix seconds.
    func proof(of token: TokenIdentity, for audience: String, now: Int64) throws(KeyError) -> String {
        let key = Key(sessionID: token.sessionID, version: token.version, audience: audience)
        if let known = proofs.withLock({ $0[key] }), now < known.expiresAt - Self.renewalSeconds { return known.text }
        let proof = try sign(token, audience, now: now)
        proofs.withLock { proofs in
            if proofs.count >= Self.remembered { proofs.removeAll() }
            proofs[key] = proof
        }
        return proof.text
    }

    private func sign(_ token: TokenIdentity, _ audience: String, now: Int64) throws(KeyError) -> Proof {
        let expiresAt = now + Self.lifetimeSeconds
        var claims = JSONWriter()
        claims.member("iss", issuer)
        claims.member("aud", audience)
        switch token.holder {
        case .user, .acting:
            claims.member("sub", token.userID)
            claims.member("sid", token.sessionID)
            if case .acting(let actorID) = token.holder { claims.member(ActingAudience.claim, sub: actorID) }
        // An upstream reads `sub` as a user.
        case .client: claims.member(ClientAudience.claim, token.userID)
        }
        if let role = token.role { claims.member("role", role) }
        if let legacyID = token.legacyID { claims.member("legacy_id", legacyID) }
        claims.member("iat", now)
        claims.member("exp", expiresAt)
        return Proof(text: try CompactJWS.sign(claims.finished(), type: Self.type, with: signing), expiresAt: expiresAt)
    }

    /// Derives the Ed25519 key from a line of the secret. All gateways with the same line have the same key.
    private static func key(_ secret: KeyRing.Key) throws(KeyError) -> SigningKey {
        let seed = HKDF.derive(from: secret.secret, info: "latchkey identity ed25519")
        return try SigningKey(keyID: secret.id, algorithm: .EdDSA, privateKeyDER: pkcs8Prefix + seed)
    }

    /// The bytes before the seed in PKCS#8 (RFC 8410 section 7).
    private static let pkcs8Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
}
