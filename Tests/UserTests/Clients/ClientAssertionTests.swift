import AccessTokens
import CryptoPrimitives
import InternalAPI
import StrictJSON
import Testing

@testable import UserCore

/// The rules of `private_key_jwt` (RFC 7523 section 3).
@Suite struct ClientAssertionTests {
    private static let now: Int64 = 1_000_000
    private let key: SigningKey

    init() throws { key = try SigningKey.generate(keyID: "k", algorithm: .EdDSA) }

    private func assertion(_ claims: String, type: String? = "JWT", key: SigningKey? = nil) throws -> [UInt8] {
        Array(try CompactJWS.sign(Array("{\(claims)}".utf8), type: type, with: key ?? self.key).utf8)
    }

    private func read(_ bytes: [UInt8], keys: [SigningKey]? = nil) throws(TokenRejection) -> ClientAssertion {
        try ClientAssertion(
            bytes, of: "billing", keys: (keys ?? [key]).map(\.verificationKey),
            audiences: ["issuer", "https://auth.example/oauth/token"], now: Self.now)
    }

    private static let right = #""iss":"billing","sub":"billing","aud":"issuer","jti":"1","exp":1000060"#

    private func rejection(_ claims: String, type: String? = "JWT") throws -> TokenRejection? {
        let bytes = try assertion(claims, type: type)
        do throws(TokenRejection) { _ = try read(bytes) } catch { return error }
        return nil
    }

    @Test func `a right assertion is read, whichever of the two keys signed it`() throws {
        let other = try SigningKey.generate(keyID: "k", algorithm: .EdDSA)
        for keys in [[key, other], [other, key]] {
            let read = try read(try assertion(Self.right), keys: keys)
            #expect(read.tokenID == "1" && read.expiresAt == 1_000_060)
        }
        #expect(try ClientAssertion.statedClient(try assertion(Self.right)) == "billing")
        let right = try assertion(Self.right)
        #expect(throws: TokenRejection.badSignature) { try read(right, keys: [other]) }
        #expect(throws: TokenRejection.unknownKey) { try read(right, keys: []) }
        let elliptic = try SigningKey.generate(keyID: "k", algorithm: .ES256)
        #expect(throws: TokenRejection.algorithmMismatch) { try read(right, keys: [elliptic]) }
    }

    // keycloak/terraform-provider-keycloak#1250
    @Test(arguments: [
        (#""issuer""#, nil), (#"["issuer"]"#, nil), (#""https://auth.example/oauth/token""#, nil),
        (#"["issuer","https://auth.example/oauth/token"]"#, TokenRejection.wrongAudience),
        (#"["issuer","https://elsewhere.example"]"#, .wrongAudience), ("[]", .wrongAudience),
        (#""ISSUER""#, .wrongAudience), (#""issuer/""#, .wrongAudience), ("1", .invalidClaim), ("null", .missingClaim),
    ])
    func `the audience is this server and no other`(audience: String, expected: TokenRejection?) throws {
        let claims = #""iss":"billing","sub":"billing","aud":\#(audience),"jti":"1","exp":1000060"#
        #expect(try rejection(claims) == expected)
    }

    @Test(arguments: [
        ("1000060", nil), ("1000000", TokenRejection.expired), ("999999", .expired), ("1000660", nil),
        ("1000661", .invalidClaim), ("9223372036854775807", .invalidClaim), ("1e300", .invalidClaim),
        ("-1", .expired), (#""1000060""#, .invalidClaim), ("1000060.5", nil),
    ])
    func `it lives for ten minutes at most`(expiry: String, expected: TokenRejection?) throws {
        let claims = #""iss":"billing","sub":"billing","aud":"issuer","jti":"1","exp":\#(expiry)"#
        #expect(try rejection(claims) == expected)
    }

    @Test func `issuer and subject are the client, and every claim is there`() throws {
        let wrong: [(String, TokenRejection)] = [
            (#""iss":"other","sub":"billing","aud":"issuer","jti":"1","exp":1000060"#, .wrongIssuer),
            (#""iss":"billing","sub":"other","aud":"issuer","jti":"1","exp":1000060"#, .wrongIssuer),
            (#""sub":"billing","aud":"issuer","jti":"1","exp":1000060"#, .missingClaim),
            (#""iss":"billing","aud":"issuer","jti":"1","exp":1000060"#, .missingClaim),
            (#""iss":"billing","sub":"billing","jti":"1","exp":1000060"#, .missingClaim),
            (#""iss":"billing","sub":"billing","aud":"issuer","exp":1000060"#, .missingClaim),
            (#""iss":"billing","sub":"billing","aud":"issuer","jti":"","exp":1000060"#, .invalidClaim),
            (#""iss":"billing","sub":"billing","aud":"issuer","jti":1,"exp":1000060"#, .invalidClaim),
            (#""iss":"billing","sub":"billing","aud":"issuer","jti":"1""#, .missingClaim),
            (Self.right + #","nbf":1000061"#, .notYetValid), (Self.right + #","iat":1000061"#, .notYetValid),
            (Self.right + #","sub":"billing""#, .malformed),
        ]
        for (claims, expected) in wrong { #expect(try rejection(claims) == expected, "\(claims)") }
        #expect(try rejection(Self.right + #","nbf":1000060,"iat":999000"#) == nil)
    }

    @Test func `it is no other kind of token`() throws {
        for type in ["JWT", "jwt", "client-authentication+jwt", nil] {
            #expect(try rejection(Self.right, type: type) == nil)
        }
        for type in ["at+jwt", "identity+jwt", "", "secevent+jwt"] {
            #expect(try rejection(Self.right, type: type) == .wrongType)
        }
    }
}
