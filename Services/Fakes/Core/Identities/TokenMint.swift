import AccessTokens
import CryptoPrimitives
import StrictJSON

/// Mints identity tokens of one issuer: valid ones, and any invalid one that a wish describes.
struct TokenMint: Sendable {
    static let lifetimeSeconds: Int64 = 600
    static let appleIssuer = "https://appleid.apple.com"
    static let defaultSubject = "000123.fake"

    let issuer: String
    /// The `aud` of a token whose wish states none.
    let audience: String
    /// The values of a token whose wish has none, where they differ from an ID token's.
    private let defaults: TokenWish
    /// The published keys, RS256 and ES256.
    let rsa: SigningKey
    let p256: SigningKey
    /// A key of the same kind and `kid` as the one that signs by default, which is not published.
    private let foreign: SigningKey

    /// Makes new keys; an RSA key takes a good part of a second.
    ///
    /// - Parameter rsa: the RSA key; `nil` for a new one.
    init(
        issuer: String, audience: String, keyName: String, defaults: TokenWish = TokenWish(), rsa: SigningKey? = nil
    ) throws {
        self.issuer = issuer
        self.audience = audience
        self.defaults = defaults
        self.rsa = try rsa ?? SigningKey.generate(keyID: "\(keyName)-rs", algorithm: .RS256)
        p256 = try SigningKey.generate(keyID: "\(keyName)-es", algorithm: .ES256)
        foreign =
            defaults.algorithm == SignatureAlgorithm.ES256.rawValue
            ? try SigningKey.generate(keyID: "\(keyName)-es", algorithm: .ES256)
            : try SigningKey.generate(keyID: "\(keyName)-rs", algorithm: .RS256)
    }

    /// Returns the published set. Like real ones, it has keys of other kinds and additional members.
    func keySet() throws -> [UInt8] {
        var keys = try [rsa, p256].compactMap(\.verificationKey.jwk)
            .map { String(decoding: try StrictJSON.encode($0), as: UTF8.self) }
        keys.append(#"{"kty":"oct","kid":"secret","k":"AAECAw","alg":"HS256"}"#)
        keys.append(#"{"kty":"RSA","kid":"encryption","use":"enc","n":"AQAB","e":"AQAB"}"#)
        return Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8)
    }

    /// - Parameter now: Unix time in seconds.
    /// - Throws: `KeyError` if libcrypto cannot sign.
    func token(_ wish: TokenWish, now: Int64) throws -> MintedToken {
        let algorithm = wish.algorithm ?? defaults.algorithm
        let key = algorithm == SignatureAlgorithm.ES256.rawValue ? p256 : rsa
        let header = header(wish, key)
        let payload = payload(wish, now: now)
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let signature = try signature(of: signed, wish.fault, key)
        let twin = key.algorithm == .ES256 ? P256Twin.twin(of: signature) : nil
        let changed = wish.fault == .changedPayload ? self.changed(signed, wish, now: now) : signed
        let text = { (signature: [UInt8]) in changed + "." + Base64URL.encode(signature) }
        return MintedToken(
            identityToken: text(signature) + (wish.fault == .twoSignatures ? "." + Base64URL.encode(signature) : ""),
            twin: twin.map(text))
    }

    private func header(_ wish: TokenWish, _ key: SigningKey) -> String {
        let algorithm =
            switch wish.fault {
            case .algorithmNone: "none"
            case .publicKeyAsSecret: SignatureAlgorithm.HS256.rawValue
            default: key.algorithm.rawValue
            }
        var members = ["\"alg\":\"\(algorithm)\""]
        if wish.fault != .noKeyID { members.append("\"kid\":\"\(wish.fault == .unknownKey ? "other" : key.keyID)\"") }
        if let type = wish.type ?? defaults.type, !type.isEmpty { members.append("\"typ\":\"\(type)\"") }
        if wish.fault == .critical { members.append("\"crit\":[\"exp\"]") }
        return "{\(members.joined(separator: ","))}"
    }

    private func payload(_ wish: TokenWish, now: Int64) -> String {
        if wish.fault == .brokenPayload { return "{\"iss\":" }
        let issuedAt = now - (wish.ageSeconds ?? 0)
        var claims: [(name: String, value: String)] = [
            ("iss", "\"\(issuer)\""), ("aud", "\"\(wish.audience ?? audience)\""),
            ("sub", "\"\(subject(of: wish))\""), ("iat", "\(issuedAt)"),
            ("exp", "\(issuedAt + (wish.lifetimeSeconds ?? Self.lifetimeSeconds))"),
        ]
        let own = (defaults.claims ?? [:]).filter { name, _ in
            !(name == "aud" && wish.audience != nil) && !(name == "nonce" && wish.nonce != nil)
        }
        if let nonce = wish.nonce { claims.append(("nonce", "\"\(Hex.encode(SHA256.hash(Array(nonce.utf8))))\"")) }
        // Like real issuers, it makes each token different.
        claims.append(("auth_time", "\(issuedAt)"))
        claims.append(("jti", "\"\(UUIDText.random())\""))
        for (name, value) in own.merging(wish.claims ?? [:], uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) {
            claims.removeAll { $0.name == name }
            claims.append((name, value))
        }
        claims.removeAll { wish.without?.contains($0.name) == true }
        if wish.fault == .duplicateClaim { claims += claims.prefix(1) }
        if wish.fault == .huge { claims.append(("padding", "\"\(String(repeating: "x", count: 75_000))\"")) }
        return "{" + claims.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private func subject(of wish: TokenWish) -> String { wish.subject ?? defaults.subject ?? "000123.fake" }

    private func signature(of signed: String, _ fault: TokenWish.Fault?, _ key: SigningKey) throws -> [UInt8] {
        let message = Array(signed.utf8)
        switch fault {
        case .algorithmNone, .noSignature: return []
        case .publicKeyAsSecret: return try hmac(message, key)
        case .foreignKey: return try foreign.sign(message)
        case .spoiledSignature:
            var signature = try key.sign(message)
            signature[signature.count / 2] ^= 1
            return signature
        default: return try key.sign(message)
        }
    }

    /// Signs with the public key as an HMAC secret, which convinces a verifier that lets the token choose the algorithm.
    private func hmac(_ message: [UInt8], _ key: SigningKey) throws -> [UInt8] {
        let secret = try key.verificationKey.jwk.map { try StrictJSON.encode($0) } ?? []
        return HMACSHA256(key: secret).authenticate(message)
    }

    /// Returns the signed part with another subject.
    private func changed(_ signed: String, _ wish: TokenWish, now: Int64) -> String {
        var other = wish
        other.subject = subject(of: wish) + "1"
        return signed.prefix { $0 != "." } + "." + Base64URL.encode(Array(payload(other, now: now).utf8))
    }
}
