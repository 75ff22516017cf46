import AccessTokens
import CryptoPrimitives
import Testing

/// RFC 7515 A.1 to A.3 and RFC 8037 A.4 through the layer that guards the edge.
@Suite struct JWSVectorTests {
    static let joe = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static let vectors: [(token: String, key: Result<VerificationKey, any Error>)] = [
        (
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(joe).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            Result {
                let secret = Base64URL.decode(
                    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")
                return try VerificationKey(keyID: "a1", secret: try #require(secret))
            }
        ),
        (
            "eyJhbGciOiJSUzI1NiJ9.\(joe)."
                + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9"
                + "uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB"
                + "_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq"
                + "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
            Result {
                let modulus =
                    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR"
                    + "T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB"
                    + "dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia"
                    + "GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
                return try VerificationKey(jwk: JSONWebKey(kty: "RSA", kid: nil, n: modulus, e: "AQAB"))
            }
        ),
        (
            "eyJhbGciOiJFUzI1NiJ9.\(joe)."
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
            Result {
                try VerificationKey(
                    jwk: JSONWebKey(
                        kty: "EC", kid: nil, crv: "P-256", x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                        y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
            }
        ),
        (
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
            Result {
                try VerificationKey(
                    jwk: JSONWebKey(
                        kty: "OKP", kid: nil, crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
            }
        ),
    ]

    @Test(arguments: vectors.indices)
    func `the vector's signature holds`(index: Int) throws {
        let (token, key) = Self.vectors[index]
        let payload = try CompactJWS(Array(token.utf8)).payload(verifiedWith: try key.get())
        let encoded = token.split(separator: ".")[1]
        #expect(Base64URL.encode(payload) == encoded)
    }

    @Test(arguments: vectors.indices)
    func `one altered bit of the signature, header or payload is refused`(index: Int) throws {
        let (token, result) = Self.vectors[index]
        let key = try result.get()
        let parts = try token.split(separator: ".").map { try #require(Base64URL.decode(String($0))) }
        for part in 1...2 {
            for position in parts[part].indices {
                var altered = parts
                altered[part][position] ^= 1
                let text = altered.map { Base64URL.encode($0) }.joined(separator: ".")
                #expect(throws: TokenRejection.badSignature) {
                    _ = try CompactJWS(Array(text.utf8)).payload(verifiedWith: key)
                }
            }
        }
    }

    @Test func `no vector holds under another vector's key`() throws {
        for (index, vector) in Self.vectors.enumerated() {
            for (other, stranger) in Self.vectors.enumerated() where other != index {
                #expect(throws: TokenRejection.algorithmMismatch) {
                    _ = try CompactJWS(Array(vector.token.utf8)).payload(verifiedWith: try stranger.key.get())
                }
            }
        }
    }
}
