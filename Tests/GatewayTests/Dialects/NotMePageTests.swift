import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore
@testable import Policies

/// The page by which users report a change that was not theirs.
@Suite struct NotMePageTests {
    private static let page = NotMePage(appName: "A&B <i>", catalog: .english)
    private static let token = "t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_g"

    private static func text(_ reply: Reply) -> String { String(decoding: reply.body, as: UTF8.self) }

    @Test func `it has one button, with the token and its own secret`() {
        let reply = Self.page.button([Self.token, "\"><script>"], locales: ["de"])
        let policy = reply.headers.first { $0.0 == "Content-Security-Policy" }?.1 ?? ""
        #expect(reply.status == 200 && policy.hasPrefix("default-src 'none'") && policy.contains("form-action 'self'"))
        let html = Self.text(reply)
        #expect(html.contains("<form method=\"post\" action=\"not-me\">") && html.contains("A&amp;B &lt;i&gt;"))
        #expect(html.contains("name=\"token\" value=\"\(Self.token)\"") && !html.contains("<script"))
        #expect(html.contains("name=\"secret\" value=\"&quot;&gt;&lt;script&gt;\""))
    }

    @Test func `a form is read to the letter`() throws {
        let form = try Self.page.values(Array("token=\(Self.token)&secret=s".utf8))
        #expect(form == [Self.token, "s"])
        for body in ["", "token=a", "secret=s", "token=a&secret=", "token=a&secret=s&x=1", "token=a&secret=s&secret=t"]
        {
            #expect(throws: Refusal.invalidBody(.unfit)) { try Self.page.values(Array(body.utf8)) }
        }
        #expect(throws: Refusal.violation(.bodyTooLarge)) {
            try Self.page.values(Array(("token=a&secret=" + String(repeating: "a", count: 3_000)).utf8))
        }
    }

    @Test(arguments: [
        (Refusal.invalidLink, "already used"), (.invalidBody(.unfit), "already used"),
        (.unavailable, "working right now"), (.changePending(retryAfterSeconds: 5), "working right now"),
    ])
    func `each refusal has its status and its words, and no form`(_ refusal: Refusal, _ words: String) {
        let reply = Self.page.reply(to: refusal, locales: [])
        #expect(reply.status == RefusalWords(refusal).status && Self.text(reply).contains(words))
        #expect(!Self.text(reply).contains("<form"))
    }
}
