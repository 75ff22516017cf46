import Logging
import NIOCore
import Policies
import Testing

@testable import AccessTokens
@testable import EdgeHTTP
@testable import GatewayCore

/// Headers that have mapped claims: what we write, and that no client writes them.
@Suite struct ClaimHeaderTests {
    private static let endpoint = UpstreamEndpoint(host: "10.0.0.1", port: 8090)

    private func lines(_ value: ClaimValue?) -> String {
        let lines = IdentityHeaders.lines(
            [ClaimHeader(name: "X-Plan", claim: "plan")], of: value.map { ["plan": $0] } ?? [:])
        return String(decoding: lines, as: UTF8.self)
    }

    /// louketo/louketo-proxy#664, istio/community#1357 and vouch/vouch-proxy#401: claims beyond ASCII broke the header, or the upstream.
    @Test(
        arguments: [
            (.string("pro"), "pro"), (.string(""), ""), (.string("a b"), "a%20b"), (.string("Zoë"), "Zo%C3%AB"),
            (.string("中🦊"), "%E4%B8%AD%F0%9F%A6%8A"), (.string("100%"), "100%25"), (.string("%41"), "%2541"),
            (.string("a\r\nX-User-Role: admin"), "a%0D%0AX-User-Role:%20admin"), (.string("\u{0}\u{7F}"), "%00%7F"),
            (.string("a,b"), "a%2Cb"), (.strings(["a,b", "c d", ""]), "a%2Cb,c%20d,"), (.strings([]), ""),
            (.integer(-7), "-7"), (.bool(false), "false"),
        ] as [(ClaimValue, String)])
    func `a value is one line of visible ASCII`(value: ClaimValue, text: String) {
        #expect(lines(value) == "X-Plan: \(text)\r\n")
    }

    @Test func `a claim that the token lacks has no header`() { #expect(lines(nil) == "") }

    private func sent(_ fields: String, own: OwnFieldNames, connection: String = "close") throws -> String {
        let head = try HeadParsing.head("GET / HTTP/1.1\r\nHost: a\r\nConnection: \(connection)\r\n\(fields)\r\n\r\n")
        let plan = ProxyPlan(
            upstream: UpstreamGroup(name: "app", endpoints: [Self.endpoint], logger: Logger(label: "test")),
            target: Array(head.target), clientAddress: "192.0.2.1", identityLines: Array("X-Plan: ours\r\n".utf8),
            ownFieldNames: own, keepsAuthorization: false, bodyBytesMax: nil, timeoutSeconds: 5)
        var seed = SeededGenerator(seed: 1)
        var ids = IdentifierSource(seededFrom: &seed)
        let id = RequestID(from: &ids)
        return String(buffer: ProxyMessages.request(head, plan: plan, to: Self.endpoint, id: id, ids: &ids))
    }

    @Test func `no client spelling of such a header reaches the upstream, and names like it do`() throws {
        let own = OwnFieldNames(["x-plan", "x-org-seats"])
        for name in ["X-Plan", "X-Org-Seats"] {
            for spelling in FieldKindTests.spellings(name) {
                let message = try sent("\(spelling): forged\r\nX-Kept: k\r\n\(spelling):forged", own: own)
                #expect(!message.contains("forged") && message.contains("X-Plan: ours\r\n"), "\(spelling)")
                #expect(message.contains("X-Kept: k\r\n"))
            }
        }
        for name in ["X-Plans", "X-Pla", "XX-Plan", "Plan", "X-Org", "X-Org-Seat5"] {
            #expect(try sent("\(name): kept", own: own).contains("\(name): kept\r\n"), "\(name)")
        }
        #expect(try sent("X-Plan: theirs", own: .none).contains("X-Plan: theirs\r\n"))
    }

    @Test func `a client cannot remove what we state by naming it in Connection`() throws {
        let message = try sent("X-Plan: forged", own: OwnFieldNames(["X-Plan"]), connection: "X-Plan, close")
        #expect(message.contains("X-Plan: ours\r\n") && !message.contains("forged"))
    }

    /// The policy allows no name to which the edge gives a meaning already.
    @Test(
        arguments: [
            "X-User-Id", "X-User-Role", "X-Session-Id", "X-Latchkey-Identity", "X-Forwarded-For", "X-Original-Url",
            "X-HTTP-Method-Override", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Rewrite-Url",
            "X-Method-Override", "X-Request-Id", "X-Acting-Admin", "X-Plan",
        ])
    func `the policy and the edge agree on reserved names`(name: String) {
        let text = """
            issuer: a
            audience: a
            profiles: { mobile: { algorithm: ES256, mappedClaims: { plan: app.plan } } }
            dialects: [{ name: native, profile: mobile }]
            countries: { allowed: all }
            upstreams: { app: $LATCHKEY_UPSTREAM }
            routes: [{ path: /a, upstream: app, access: bearer, claimHeaders: { \(name): plan } }]
            """
        let isAllowed: Bool
        do throws(PolicyError) {
            _ = try Policy.parse(text, file: "test.yaml")
            isAllowed = true
        } catch { isAllowed = false }
        let kind = FieldKind(nameIn: Array(name.utf8).span, 0..<name.utf8.count)
        #expect(isAllowed == (kind == .ordinary))
    }

    @Test func `the claims of a token that no route's rule knows are the mapped ones`() {
        let claims = AccessTokenClaims(
            issuer: "a", audience: ["a"], subject: "usr_1", issuedAt: 0, expiresAt: 60, tokenID: "t", sessionID: "s",
            version: 1, additional: ["role": .string("user"), "phone": .string("+1"), "plan": .string("pro")])
        let token = TokenIdentity(VerifiedAccessToken(claims: claims, keyID: "k", acceptedUntil: 60))
        #expect(token.mapped == ["plan": .string("pro")] && token.role == "user")
    }
}
