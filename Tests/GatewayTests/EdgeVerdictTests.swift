import AccessTokens
import InternalAPI
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

// Cited by Tests/Compat/statements.md for H69.

@Suite struct EdgeVerdictTests {
    private func token(role: String? = "user", expiresAt: Int64 = 1000, version: Int64 = 0) -> TokenIdentity {
        TokenIdentity(
            userID: "usr_1", sessionID: "s1", keyID: "k1", version: version, role: role, acceptedUntil: expiresAt)
    }

    @Test func `a live token passes, and one at its expiry does not`() {
        #expect(EdgeVerdict.judge(token(), revocation: .live, roles: nil, now: 999) == .allow(token()))
        #expect(EdgeVerdict.judge(token(), revocation: .live, roles: nil, now: 1000) == .unauthorized(.expired))
    }

    @Test func `the policy's leeway holds at the edge too`() throws {
        let key = try SigningKey.generate(keyID: "k1", algorithm: .ES256)
        let claims = AccessTokenClaims(
            issuer: "i", audience: ["a"], subject: "usr_1", issuedAt: 900, expiresAt: 1000, tokenID: "t1",
            sessionID: "s1", version: 0)
        let token = Array(try AccessTokenSigner().sign(claims, with: key).utf8)
        for leeway in [Int64(0), 30] {
            let verifier = AccessTokenVerifier(
                issuer: "i", audience: "a", leewaySeconds: leeway, keys: try VerificationKeySet([key.verificationKey]))
            let identity = TokenIdentity(try verifier.verified(token, now: 999 + leeway))
            func verdict(now: Int64) -> EdgeVerdict {
                EdgeVerdict.judge(identity, revocation: .live, roles: nil, now: now)
            }
            #expect(verdict(now: 999 + leeway) == .allow(identity))
            #expect(verdict(now: 1000 + leeway) == .unauthorized(.expired))
        }
    }

    @Test(arguments: RevocationReason.allCases)
    func `a revoked token is 401, one of a deactivated user 403`(reason: RevocationReason) {
        let verdict = EdgeVerdict.judge(token(), revocation: .revoked(reason), roles: nil, now: 1)
        #expect(verdict == (reason == .inactive ? .forbidden(.revoked(.inactive)) : .unauthorized(.revoked(reason))))
    }

    @Test func `a token whose revocation cannot be told is 503, never let through and never 401`() {
        #expect(
            EdgeVerdict.judge(token(), revocation: .unknown, roles: nil, now: 1) == .unavailable(.revocationUnknown))
    }

    @Test func `a route with roles needs one of them`() {
        let admin = token(role: "admin")
        #expect(EdgeVerdict.judge(admin, revocation: .live, roles: ["admin"], now: 1) == .allow(admin))
        #expect(EdgeVerdict.judge(token(), revocation: .live, roles: ["admin"], now: 1) == .forbidden(.role))
        #expect(EdgeVerdict.judge(token(role: nil), revocation: .live, roles: ["admin"], now: 1) == .forbidden(.role))
        #expect(EdgeVerdict.judge(token(), revocation: .live, roles: [], now: 1) == .forbidden(.role))
    }

    @Test func `a user is authenticated within the age of a route to the second, and never without the claim`() {
        let identity = TokenIdentity(
            userID: "usr_1", sessionID: "s1", keyID: "k1", version: 0, role: nil, acceptedUntil: 9_000,
            authenticatedAt: 1_000)
        #expect(identity.isAuthenticated(within: 300, now: 1_300))
        #expect(!identity.isAuthenticated(within: 300, now: 1_301))
        #expect(!token().isAuthenticated(within: 31_536_000, now: 0))
    }

    @Test func `identity reaches headers only in characters that a header may hold`() {
        let lines = token().headerLines.map { String(decoding: $0, as: UTF8.self) }
        #expect(lines == "X-User-Id: usr_1\r\nX-Session-Id: s1\r\nX-User-Role: user\r\n")
        for evil in ["a\r\nX-User-Id: 2", "a\nb", "a\u{0}", "", "ä", "a b", String(repeating: "a", count: 257)] {
            let forged = TokenIdentity(
                userID: evil, sessionID: "s", keyID: "k", version: 0, role: nil, acceptedUntil: 1)
            #expect(forged.headerLines == nil, "\(evil.debugDescription)")
        }
    }

    @Test func `a client has one header, and none of a user's`() {
        func lines(_ id: String) -> String? {
            TokenIdentity(
                userID: id, sessionID: "s1", keyID: "k", version: 0, role: "admin", acceptedUntil: 1, legacyID: "x",
                holder: .client
            ).headerLines.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines("billing") == "X-Latchkey-Client: billing\r\n")
        for evil in ["a\r\nX-User-Id: 2", "", "a b", "\u{0}"] { #expect(lines(evil) == nil) }
    }

    @Test func `a person who acts as a user has the user's headers and their own`() {
        func lines(_ actorID: String) -> String? {
            TokenIdentity(
                userID: "usr_1", sessionID: "s1", keyID: "k", version: 0, role: "user", acceptedUntil: 1,
                holder: .acting(by: actorID)
            ).headerLines.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(
            lines("usr_9") == "X-User-Id: usr_1\r\nX-Session-Id: s1\r\nX-User-Role: user\r\nX-Acting-Admin: usr_9\r\n")
        for evil in ["a\r\nX-User-Id: 2", "", "a b", "\u{0}"] { #expect(lines(evil) == nil) }
    }

    @Test(arguments: [
        ("fb-1", "fb-1"), ("a b", "a%20b"), ("50%", "50%25"), ("ö", "%C3%B6"),
        ("a\r\nX-User-Id: 2", "a%0D%0AX-User-Id:%202"), ("\u{0}", "%00"),
        (String(repeating: "x", count: 128), String(repeating: "x", count: 128)),
    ])
    func `an old id reaches its header with escapes, whatever it is`(old: String, escaped: String) {
        let identity = TokenIdentity(
            userID: "usr_1", sessionID: "s1", keyID: "k", version: 0, role: nil, acceptedUntil: 1, legacyID: old)
        let lines = identity.headerLines.map { String(decoding: $0, as: UTF8.self) }
        #expect(lines == "X-User-Id: usr_1\r\nX-Session-Id: s1\r\nX-User-Legacy-Id: \(escaped)\r\n")
    }
}

@Suite struct BearerCredentialTests {
    @Test func `the scheme's case does not count`() {
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            #expect(BearerCredential(parsing: Array("\(scheme) abc.def".utf8)) == .token(Array("abc.def".utf8)))
        }
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Basic abc", "Bearerabc", "Bearer a b", "Bearer a,b", "Bearer a\tb", "Bearer \"a\"",
        "Token abc", "\u{42}earer\tabc",
    ])
    func `anything else is malformed`(value: String) {
        #expect(BearerCredential(parsing: Array(value.utf8)) == .malformed)
    }
}
