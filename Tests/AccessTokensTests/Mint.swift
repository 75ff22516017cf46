import AccessTokens
import CryptoPrimitives

/// Keys owned by the tests, so that they can sign any token (security guide, TK), and the verifier that knows them.
struct Mint: Sendable {
    static let now: Int64 = 1_700_000_000
    static let issuer = "https://auth.example.com/K"
    static let audience = "howru-app"
    /// Made once: an RSA key takes a good part of a second.
    static let shared = Result { try Mint() }

    let keys: [SignatureAlgorithm: SigningKey]
    let verifier: AccessTokenVerifier

    private init() throws {
        var keys: [SignatureAlgorithm: SigningKey] = [:]
        for algorithm in SignatureAlgorithm.allCases {
            keys[algorithm] = try SigningKey.generate(keyID: "key-\(algorithm.rawValue)", algorithm: algorithm)
        }
        self.keys = keys
        verifier = AccessTokenVerifier(
            issuer: Self.issuer, audience: Self.audience,
            keys: try VerificationKeySet(keys.values.map(\.verificationKey)))
    }

    func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        guard let key = keys[algorithm] else { throw KeyError.unsupportedKey }
        return key
    }

    /// Claims that pass, members as JSON text; a later one of the same name replaces an earlier one, nil removes it.
    static func payload(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
        var members: [(name: String, value: String)] = [
            ("iss", "\"\(issuer)\""), ("aud", "\"\(audience)\""), ("sub", "\"usr_1\""), ("iat", "\(now)"),
            ("exp", "\(now + 3600)"), ("jti", "\"t1\""), ("sid", "\"s1\""), ("ver", "2"),
        ]
        for (name, value) in changes {
            members.removeAll { $0.name == name }
            if let value { members.append((name, value)) }
        }
        return "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A header that passes, for the key of `algorithm`.
    static func header(_ algorithm: SignatureAlgorithm = .ES256, extra: String = "") -> String {
        "{\"alg\":\"\(algorithm.rawValue)\",\"kid\":\"key-\(algorithm.rawValue)\",\"typ\":\"at+jwt\"\(extra)}"
    }

    /// The token with this very header and payload, correctly signed by the key of `algorithm`.
    func token(
        header: String? = nil, payload: String = Mint.payload(), by algorithm: SignatureAlgorithm = .ES256
    ) throws -> String {
        let header = Base64URL.encode(Array((header ?? Mint.header(algorithm)).utf8))
        let signed = header + "." + Base64URL.encode(Array(payload.utf8))
        return signed + "." + Base64URL.encode(try key(algorithm).sign(Array(signed.utf8)))
    }

    /// The verifier's reason to refuse `token`; `nil` if it accepts the token.
    func rejection(_ token: String, now: Int64 = Mint.now) -> TokenRejection? {
        rejection(Array(token.utf8), now: now)
    }

    func rejection(_ token: [UInt8], now: Int64 = Mint.now) -> TokenRejection? {
        do {
            _ = try verifier.verify(token, now: now)
            return nil
        } catch { return error }
    }
}
