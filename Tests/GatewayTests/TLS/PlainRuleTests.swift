import EdgeHTTP
import Logging
import Policies
import TLSPairs
import Testing

@testable import GatewayCore

@Suite struct PlainRuleTests {
    private func rule(_ use: PlainRule.Use = .redirect, port: Int = 443, answersChallenges: Bool = false) -> PlainRule {
        PlainRule(
            use: use, port: port, covers: { ["api.example", "2001:db8::1", "192.0.2.1"].contains($0) },
            challenges: answersChallenges
                ? UpstreamGroup(
                    name: "acme", endpoints: ["http://127.0.0.1:1"].compactMap(UpstreamEndpoint.init(url:)),
                    logger: Logger(label: "test")) : nil)
    }

    private func verdict(_ request: String, _ rule: PlainRule) throws -> PlainRule.Verdict {
        rule.judge(try HeadParsing.head(request + "\r\n\r\n"))
    }

    @Test(arguments: ["GET", "HEAD"])
    func `reading goes to the same host and path over https`(method: String) throws {
        let request = "\(method) /a/b?c=d%20e HTTP/1.1\r\nHost: API.example:8080"
        #expect(try verdict(request, rule()) == .redirect(to: "https://api.example/a/b?c=d%20e"))
        #expect(try verdict(request, rule(port: 8443)) == .redirect(to: "https://api.example:8443/a/b?c=d%20e"))
    }

    @Test(arguments: ["[2001:db8::1]", "[2001:DB8:0:0::0001]"])
    func `an IPv6 address is asked for as certificates name it, and keeps its brackets`(host: String) throws {
        let request = "GET /a HTTP/1.1\r\nHost: \(host):8080"
        #expect(try verdict(request, rule()) == .redirect(to: "https://\(host.lowercased())/a"))
        #expect(try verdict(request, rule(port: 8443)) == .redirect(to: "https://\(host.lowercased()):8443/a"))
        let other = "GET /a HTTP/1.1\r\nHost: [2001:db8::2]:8080"
        #expect(try verdict(other, rule()) == .refuse)
        #expect(
            try verdict("GET / HTTP/1.1\r\nHost: 192.0.2.1:80", rule()) == .redirect(to: "https://192.0.2.1/"))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: other.example", "GET / HTTP/1.1\r\nHost: api.example\r\nAuthorization: Bearer x",
        "GET / HTTP/1.1\r\nHost: api.example\r\nCookie: a=b", "GET / HTTP/1.1\r\nHost: api.example\r\nCOOKIE: a=b",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 0", "DELETE /x HTTP/1.1\r\nHost: api.example",
        "OPTIONS / HTTP/1.1\r\nHost: api.example", "GET / HTTP/1.1\r\nHost: [::1]",
        "GET /.well-known/acme-challenge/x HTTP/1.1\r\nHost: other.example",
    ])
    func `all else is refused`(request: String) throws {
        #expect(try verdict(request, rule()) == .refuse)
    }

    @Test func `a challenge goes to who answers it, whatever its host, and nothing else does`() throws {
        let challenge = "GET /.well-known/acme-challenge/x HTTP/1.1\r\nHost: other.example"
        for use in PlainRule.Use.allCases {
            #expect(try verdict(challenge, rule(use, answersChallenges: true)) == .challenge)
        }
        let around = "GET /.well-known/acme-challenge HTTP/1.1\r\nHost: other.example"
        #expect(try verdict(around, rule(answersChallenges: true)) == .refuse)
        let posted = "POST /.well-known/acme-challenge/x HTTP/1.1\r\nHost: api.example\r\nContent-Length: 0"
        #expect(try verdict(posted, rule(answersChallenges: true)) == .refuse)
        #expect(try verdict(posted, rule(.serve, answersChallenges: true)) == .serve)
    }

    @Test func `a challenge of the gateway's own order is answered, and others go to who answers them`() throws {
        var own = rule()
        let board = ChallengeBoard()
        own.board = board
        let key = try ACMEAccountKey(pem: NewTLSKey.pem())
        let challenge = try #require(HostChallenge(host: "api.example", token: "to-ken", key: key))
        try board.use([challenge], try TLSCertificates([], minimum: .tls13))
        let request = "GET /.well-known/acme-challenge/to-ken HTTP/1.1\r\nHost: api.example"
        #expect(try verdict(request, own) == .answer(challenge.authorization))
        let other = "GET /.well-known/acme-challenge/to-ke HTTP/1.1\r\nHost: other.example"
        #expect(try verdict(other, own) == .refuse)
        var both = rule(answersChallenges: true)
        both.board = board
        #expect(try verdict(request, both) == .answer(challenge.authorization))
        #expect(try verdict(other, both) == .challenge)
        #expect(try verdict("POST" + request.dropFirst(3), both) == .refuse)
    }

    @Test(arguments: PlainRule.Use.allCases)
    func `without a certificate nothing but a challenge is answered`(use: PlainRule.Use) throws {
        var waiting = rule(use, answersChallenges: true)
        waiting.lacksCertificate = { true }
        #expect(try verdict("GET / HTTP/1.1\r\nHost: api.example", waiting) == .unavailable)
        #expect(try verdict("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0", waiting) == .unavailable)
        #expect(try verdict("GET /.well-known/acme-challenge/x HTTP/1.1\r\nHost: a", waiting) == .challenge)
    }

    @Test func `where plain HTTP is served, it is served`() throws {
        #expect(try verdict("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0", rule(.serve)) == .serve)
    }
}
