import CryptoPrimitives
import Testing

@testable import AccessTokens

/// Public keys in the files that operators have.
@Suite struct PublicKeyTextTests {
    private static let ed25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA9nAHUxEd18P2GWJcXZ9+hUGv5NPiFbX3EGf5oCtDUrE=
        -----END PUBLIC KEY-----
        """
    private static let p256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEKSORLDF8sx+dqZhkG3vohZ7L/S2Q
        snmC0VLOWgyF1tpXZhntoVx3sFCuPxPt2PuoHK34zDuO+4twU1jKCsSItw==
        -----END PUBLIC KEY-----
        """
    private static let rsa = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2EBe7RfQh2u+KZijTnam
        F6jLyD4XtGnTm1ghyCwkzOzHbKGRjj5BV+ksDb3ooYxvp63jRs5sRttUOQV8bF8V
        mnvulUlX5dixuetRvWZNu1tE4iJoNTvjsFvnmSnekW7/H0ENpnFfaqZua7b/mBUT
        8ZkbKnEyRn3Or1BvBI+2R4kGfGkRG6sMRSbaulryYeVgcWgHZ1a+M1W2J8fLHUo8
        MiOhsNvIEhRzW9n1NEc2PXdgbkjxBVbJdt0hY+U6/zD3hzPfiAZXz9+qZw5eJnQZ
        jd5tAAlmmxH4v0XwHOwUjy7SgkPdlpjRFFT5u1amh8BF4uPFTNIwSw1E1IQUH7eY
        4QIDAQAB
        -----END PUBLIC KEY-----
        """
    private static let weak = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDGoxX4IEhvlw7WtQZDHrITP7bE
        bGvTN5FYmaFYYix8hw+W+xCmlie+yEQf/lw9jkhCFYeVt8b7lv49XGg94IC5elMA
        RqhXWSB6b+L5a1p7hbhRUY3YeN+llgeKk/AXIMoIIAuCUlj3J3J/gsjTS5W2hZu6
        7FAr+hBHqLVsyKui8wIDAQAB
        -----END PUBLIC KEY-----
        """

    @Test(arguments: [(ed25519, SignatureAlgorithm.EdDSA), (p256, .ES256), (rsa, .RS256)])
    func `a key in PEM is read, whatever its lines end with, and is the same as a JWK`(
        text: String, algorithm: SignatureAlgorithm
    ) throws {
        let key = try VerificationKey(publicText: text)
        #expect(key.algorithm == algorithm && key.jwk?.kty.isEmpty == false)
        for spelling in [
            text + "\n", "\n" + text, text.replacing("\n", with: "\r\n"), text.replacing("\n", with: " \n "),
        ] {
            #expect(try VerificationKey(publicText: spelling).jwk == key.jwk)
        }
        let jwk = try #require(key.jwk)
        let members = [("kty", jwk.kty), ("n", jwk.n), ("e", jwk.e), ("crv", jwk.crv), ("x", jwk.x), ("y", jwk.y)]
        let json = members.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }.joined(separator: ",")
        #expect(try VerificationKey(publicText: "{\(json)}").jwk == jwk)
    }

    @Test func `what is no public key is refused`() {
        let lines = Self.p256.split(separator: "\n")
        for text in [
            "", "\n", "{}", "-----BEGIN PUBLIC KEY-----", "\(lines[0])\n\(lines[lines.count - 1])",
            Self.p256.replacing("PUBLIC", with: "PRIVATE"), Self.p256.replacing("M", with: "-"),
            lines.dropLast().joined(separator: "\n"), Self.p256 + "\nx", Self.p256 + "\n" + Self.p256, Self.weak,
            "\(lines[0])\nAAAA\n\(lines[lines.count - 1])",
            #"{"kty":"oct","k":"\#(Base64URL.encode([UInt8](repeating: 7, count: 32)))"}"#,
        ] { #expect(throws: KeyError.self, "\(text)") { try VerificationKey(publicText: text) } }
    }
}
