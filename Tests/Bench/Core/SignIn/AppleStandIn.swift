import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import StrictJSON

/// A stand-in for Apple, which publishes one RSA key and signs identity tokens with it.
enum AppleStandIn {
    /// The path of Apple's keys below `APPLE_URL`.
    static let keysPath = "/auth/keys"
    /// The audience in the policy `howru`.
    private static let audience = "com.howru"
    private static let issuer = "https://appleid.apple.com"
    private static let lifetimeSeconds = 600
    private static let key = Result { try SigningKey.generate(keyID: "apple", algorithm: .RS256) }

    /// Answers a request for the keys.
    static func answerKeys() -> ServedAnswer {
        do {
            let keys = try [key.get()].compactMap(\.verificationKey.jwk)
            return ServedAnswer(status: 200, body: try StrictJSON.encode(["keys": keys]))
        } catch { return ServedAnswer(status: 500) }
    }

    /// Returns a new token for the user of this name.
    ///
    /// - Throws: `KeyError` if libcrypto cannot make the key or sign.
    static func token(of subject: String) throws -> String {
        let key = try key.get()
        let issuedAt = Int(Date().timeIntervalSince1970)
        let header = #"{"alg":"RS256","kid":"\#(key.keyID)"}"#
        let claims = """
            {"iss":"\(issuer)","aud":"\(audience)","sub":"\(subject)","iat":\(issuedAt),\
            "exp":\(issuedAt + lifetimeSeconds),"jti":"\(UUIDText.random())"}
            """
        let signed = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }
}
