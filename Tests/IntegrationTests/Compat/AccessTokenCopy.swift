import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// An HS256 access token that is written anew, with the stack's own secret: other claims under a good signature.
struct AccessTokenCopy {
    private let header: String
    private var claims: String

    init(_ token: String) throws {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        header = String(parts[0])
        claims = String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
    }

    /// Moves the whole life of the token into the past, so that it ended a minute ago.
    mutating func expire(_ token: String) throws {
        let parts = try TokenParts(token)
        let shift = try #require(parts.claims["exp"]?.integerValue) - Int64(Date().timeIntervalSince1970) + 60
        for name in ["iat", "exp"] {
            let time = try #require(parts.claims[name]?.integerValue)
            claims = claims.replacing("\"\(name)\":\(time)", with: "\"\(name)\":\(time - shift)")
        }
    }

    /// The token with the signature that the gateway expects.
    func resigned(in stack: LatchkeyStack) throws -> String {
        let signed = header + "." + Base64URL.encode(Array(claims.utf8))
        let key = try stack.keyRing("jwt_hs256").signing
        return signed + "." + Base64URL.encode(HMACSHA256(key: key.secret).authenticate(Array(signed.utf8)))
    }
}
