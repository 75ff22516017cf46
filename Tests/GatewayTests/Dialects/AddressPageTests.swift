import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore
@testable import Policies

/// The page that verifies an email address from the operator.
@Suite struct AddressPageTests {
    private static let page = AddressPage(appName: "A&B <i>", catalog: .english)
    private static let token = "t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_g"

    private static func text(_ reply: Reply) -> String { String(decoding: reply.body, as: UTF8.self) }

    @Test func `a link has one button with its token`() {
        let reply = Self.page.reply(query: "token=\(Self.token)&utm_source=mail", locales: ["de"])
        let policy = reply.headers.first { $0.0 == "Content-Security-Policy" }?.1 ?? ""
        #expect(reply.status == 200 && policy.hasPrefix("default-src 'none'") && policy.contains("form-action 'self'"))
        let html = Self.text(reply)
        #expect(
            html.contains("<form method=\"post\" action=\"confirm-address\">") && html.contains("A&amp;B &lt;i&gt;"))
        #expect(html.contains("name=\"token\" value=\"\(Self.token)\"") && !html.contains("<script"))
    }

    @Test(arguments: [nil, "", "token=", "token=short", "token=%22%3E%3Cscript%3E1234567890123456", "x=\(token)"])
    func `what is no link has no button`(_ query: String?) {
        let reply = Self.page.reply(query: query, locales: [])
        #expect(reply.status == RefusalWords(.invalidLink).status && !Self.text(reply).contains("<form"))
        #expect(Self.text(reply).contains("expired or was already used"))
    }

    @Test func `a form is read to the letter`() throws {
        #expect(try Self.page.values(Array("token=\(Self.token)".utf8)) == [Self.token])
        for body in ["", "token=", "token=a&x=1", "token=a&token=b", "password=a"] {
            #expect(throws: Refusal.invalidBody(.unfit)) { try Self.page.values(Array(body.utf8)) }
        }
        #expect(throws: Refusal.violation(.bodyTooLarge)) {
            try Self.page.values(Array(("token=" + String(repeating: "a", count: 3_000)).utf8))
        }
    }

    @Test(arguments: [
        (Refusal.invalidLink, "expired or was already used"), (.unavailable, "working right now"),
        (.tooMany(retryAfterSeconds: 9), "working right now"), (.invalidBody(.unfit), "expired or was already used"),
    ])
    func `each refusal has its status and its words`(_ refusal: Refusal, _ words: String) {
        let reply = Self.page.reply(to: refusal, locales: [])
        #expect(reply.status == RefusalWords(refusal).status && Self.text(reply).contains(words))
    }

    @Test func `the page is there where the policy sends mail`() throws {
        func rows(_ more: String) throws -> [String] {
            let policy = try Policy.parse(
                """
                issuer: a
                audience: b
                profiles: { p: { algorithm: EdDSA } }
                dialects: [{ name: native, profile: p }]
                countries: { allowed: all }
                publicURL: https://auth.example.com
                \(more)
                """, file: "test.yaml")
            return SpokenDialect.all(of: policy).flatMap(\.rows)
                .filter { $0.pattern.text == "\(AccountLinks.addressPath)" }.map(\.method.rawValue)
        }
        #expect(try rows("") == [])
        #expect(try rows("email: {}") == ["GET", "POST"])
        #expect(try rows("passwords: {}") == ["GET", "POST"])
    }
}
