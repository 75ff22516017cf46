import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// `POST /oauth/token` through all processes, as back ends and attackers speak to it (RFC 6749, RFC 7523).
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_POLICY": ClientPolicyFile.path]))
    struct ClientTokenEndpointTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func refused(_ answer: HTTPAnswer, _ status: Int, _ code: String) {
            #expect(answer.status == status && answer.text.contains(#""error":"\#(code)""#), "\(answer.text)")
            #expect(answer.headers["cache-control"] == "no-store", "\(answer.headers)")
            #expect(!answer.text.contains("access_token"))
            guard code == "invalid_client" else { return }
            #expect(answer.headers["www-authenticate"] == #"Basic realm="oauth""#)
        }

        @Test func `a secret in either place gets a token that identifies the client and no user`() async throws {
            let client = try await ClientUnderTest(stack)
            let inBody =
                "grant_type=client_credentials&client_id=\(client.name)&client_secret=\(client.secret)"
            for answer in [try await client.ask(), try await client.ask(inBody, headers: [])] {
                #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store", "\(answer.text)")
                #expect(answer.headers["pragma"] == "no-cache")
                #expect(try answer.json.memberNames == ["access_token", "expires_in", "token_type"])
                let reply: ClientTokenReply = try answer.decoded()
                let parts = try TokenParts(reply.accessToken)
                #expect(reply.tokenType == "Bearer" && parts.lifetime == reply.expiresIn && reply.expiresIn <= 600)
                #expect(parts.header["typ"]?.stringValue == "at+jwt")
                #expect(parts.claims["aud"]?.stringValue == "howru-api/client")
                #expect(parts.claims["client_id"]?.stringValue == client.name)
                #expect(parts.claims["sub"]?.stringValue == client.name)
                #expect(parts.claims["role"]?.stringValue == "reports")
            }
            let issued = try await stack.sql(
                "users",
                "SELECT method FROM audit WHERE event = 'client.token_issued' AND detail = 'client \(client.name)'")
            #expect(issued == ["client_secret", "client_secret"])
        }

        // panva/node-oidc-provider#267, DuendeArchive/IdentityServer4#2086, spring-attic/spring-authorization-server#1895
        @Test func `Basic credentials are form-encoded, and odd ones are refused without a fault`() async throws {
            let client = try await ClientUnderTest(stack)
            let escaped = client.secret.utf8.map { "%" + Hex.encode([$0]).uppercased() }.joined()
            let name = client.name.replacing("-", with: "%2D")
            #expect(try await client.ask(headers: [ClientUnderTest.basic(name, escaped)]).status == 200)
            for secret in ["%", "%4", "%zz", "a b", "a+b", "é", "%00", "\u{0}", client.secret + "%00", "", "%"] {
                refused(
                    try await client.ask(headers: [ClientUnderTest.basic(client.name, secret)]), 401, "invalid_client")
            }
        }

        @Test func `what is wrong with a request has the error that RFC 6749 gives it`() async throws {
            let client = try await ClientUnderTest(stack)
            let body = "grant_type=client_credentials"
            let secret = "&client_id=\(client.name)&client_secret=\(client.secret)"
            refused(try await client.ask(""), 400, "invalid_request")
            refused(try await client.ask("grant_type="), 400, "invalid_request")
            for type in [
                "password", "authorization_code", "refresh_token", "CLIENT_CREDENTIALS", "client_credentials%20",
            ] {
                refused(try await client.ask("grant_type=\(type)"), 400, "unsupported_grant_type")
            }
            for twice in [body + "&" + body, body + "&x=1&x=1", body + secret + "&client_id=\(client.name)"] {
                refused(try await client.ask(twice, headers: []), 400, "invalid_request")
            }
            // Both ways, also when both are right.
            refused(try await client.ask(body + secret), 400, "invalid_request")
            refused(try await client.ask(body + "&client_id=somebody"), 400, "invalid_request")
            #expect(try await client.ask(body + "&client_id=\(client.name)").status == 200)
            let basic = ClientUnderTest.basic(client.name, client.secret)
            refused(try await client.ask(headers: [basic, basic]), 400, "invalid_request")
            refused(try await client.ask(body + "&scope=admin"), 400, "invalid_scope")
            refused(try await client.ask(body + "&x=%00"), 400, "invalid_request")
            refused(try await client.ask(body, contentType: "application/json"), 400, "invalid_request")
            #expect(try await client.ask(body + "&unknown=1").status == 200)
        }

        @Test func `a client that is unknown, or proves nothing, is 401`() async throws {
            let client = try await ClientUnderTest(stack)
            let token = try await client.token()
            let long = String(repeating: "x", count: 2_000)
            let headers: [[(String, String)]] = [
                [], [ClientUnderTest.basic(client.name, "wrong")], [ClientUnderTest.basic("unknown", client.secret)],
                [ClientUnderTest.basic(client.name.uppercased(), client.secret)],
                [("Authorization", "Bearer \(token)")],
                [ClientUnderTest.basic(client.name, long)], [ClientUnderTest.basic(long, "x")],
                [("Authorization", "Basic ***")],
            ]
            for header in headers { refused(try await client.ask(headers: header), 401, "invalid_client") }
            let only = "grant_type=client_credentials&client_id=\(client.name)"
            refused(try await client.ask(only, headers: []), 401, "invalid_client")
            // The secrets of introspection are others.
            let introspection = try await stack.gateway.send(
                "POST", "/oauth/introspect",
                headers: [
                    ClientUnderTest.basic(client.name, client.secret),
                    ("Content-Type", "application/x-www-form-urlencoded"),
                ], body: Array("token=x".utf8))
            #expect(introspection.status == 401)
            #expect(try await client.ask("", method: "GET").status == 405)
            #expect(try await client.ask("", method: "PUT").status == 405)
        }

        // MARK: - private_key_jwt

        @Test(arguments: [SignatureAlgorithm.ES256, .RS256, .EdDSA])
        func `an assertion of a client's key gets one token`(_ algorithm: SignatureAlgorithm) async throws {
            let client = try await ClientUnderTest(stack)
            let key = try await client.newKey(algorithm)
            for type in ["JWT", "client-authentication+jwt", nil] {
                let assertion = try client.assertion(key, type: type)
                #expect(try await client.ask(assertion: assertion).status == 200)
                // mosip/esignet#2418
                refused(try await client.ask(assertion: assertion), 401, "invalid_client")
            }
            let named = try client.assertion(key)
            #expect(try await client.ask(assertion: named, "&client_id=\(client.name)").status == 200)
            // The secret goes on to work.
            #expect(try await client.ask().status == 200)
        }

        @Test func `an assertion with a wrong claim is refused`() async throws {
            let client = try await ClientUnderTest(stack)
            let (key, other) = (try await client.newKey(), try await ClientUnderTest(stack))
            _ = try await other.newKey()
            let changes: [[String: String]] = [
                ["aud": "https://elsewhere.example"], ["aud": "howru-api"], ["aud": ""], ["iss": other.name],
                ["sub": other.name], ["iss": other.name, "sub": other.name], ["iss": ""], ["sub": ""], ["jti": ""],
                ["aud": "howru.app/"],
            ]
            for change in changes {
                refused(try await client.ask(assertion: client.assertion(key, change)), 401, "invalid_client")
            }
            for lifetime in [-1, 0, 700, 86_400] as [Int64] {
                let assertion = try client.assertion(key, lifetime: lifetime)
                refused(try await client.ask(assertion: assertion), 401, "invalid_client")
            }
            refused(try await client.ask(assertion: client.assertion(key, type: "at+jwt")), 401, "invalid_client")
            refused(try await client.ask(assertion: try await client.token()), 401, "invalid_client")
            refused(
                try await client.ask(assertion: client.assertion(key), "&client_id=\(other.name)"), 401,
                "invalid_client")
            refused(
                try await client.ask(assertion: client.assertion(key), "&client_secret=\(client.secret)"), 400,
                "invalid_request")
            let untyped = "grant_type=client_credentials&client_assertion=\(try client.assertion(key))"
            refused(try await client.ask(untyped, headers: []), 400, "invalid_request")
        }

        @Test func `neither no algorithm nor a secret made of the public key signs an assertion`() async throws {
            let client = try await ClientUnderTest(stack)
            let key = try await client.newKey(.RS256)
            let parts = try client.assertion(key).split(separator: ".").map(String.init)
            func forged(_ algorithm: String, by secret: [UInt8]?) -> String {
                let header = Base64URL.encode(Array(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8))
                let signed = "\(header).\(parts[1])"
                return signed + "."
                    + (secret.map { Base64URL.encode(HMACSHA256(key: $0).authenticate(Array(signed.utf8))) } ?? "")
            }
            let jwk = try StrictJSON.encode(try #require(key.verificationKey.jwk))
            for assertion in [
                forged("none", by: nil), forged("HS256", by: jwk),
                forged("HS256", by: [UInt8](repeating: 0, count: 32)),
                "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1]).\(parts[2].reversed().map(String.init).joined())",
                "a.b.c", "..", String(repeating: "A", count: 9_000),
            ] { refused(try await client.ask(assertion: assertion), 401, "invalid_client") }
            let unknown = try SigningKey.generate(keyID: "k", algorithm: .RS256)
            refused(try await client.ask(assertion: client.assertion(unknown)), 401, "invalid_client")
        }

        @Test func `without Redis no assertion is accepted`() async throws {
            let client = try await ClientUnderTest(stack)
            let key = try await client.newKey()
            try await stack.without(["redis"]) {
                try await eventually("the assertion is refused for now") {
                    let answer = try await client.ask(assertion: client.assertion(key))
                    return answer.status == 503 && answer.text.contains("temporarily_unavailable")
                }
            }
            try await eventually("an assertion is accepted again") {
                try await client.ask(assertion: client.assertion(key)).status == 200
            }
        }
    }
}
