import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore
@testable import Policies

/// The page that deletes an account without the app.
@Suite struct DeletionPageTests {
    private static let page = DeletionPage(appName: "A&B <i>", catalog: .english)

    private static func text(_ reply: Reply) -> String { String(decoding: reply.body, as: UTF8.self) }

    @Test func `the first form asks for the recipient, the second for the code`() {
        for reply in [Self.page.start(locales: []), Self.page.sent(to: "\"><script>", locales: [])] {
            let policy = reply.headers.first { $0.0 == "Content-Security-Policy" }?.1 ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && policy.contains("form-action 'self'"))
            #expect(Self.text(reply).contains("<form method=\"post\" action=\"delete\">"))
            #expect(!Self.text(reply).contains("<script") && Self.text(reply).contains("A&amp;B &lt;i&gt;"))
        }
        #expect(Self.text(Self.page.start(locales: [])).contains("name=\"recipient\""))
        let second = Self.text(Self.page.sent(to: "ann@example.com", locales: []))
        #expect(second.contains("type=\"hidden\" name=\"recipient\" value=\"ann@example.com\""))
        #expect(
            second.contains("name=\"code\" required autofocus inputmode=\"numeric\" autocomplete=\"one-time-code\""))
    }

    @Test func `a form is read to the letter`() throws {
        func form(_ body: String) throws -> DeletionPage.Form { try Self.page.form(Array(body.utf8)) }
        #expect(try form("recipient=%2B15551234567") == .init(recipient: "+15551234567", code: nil))
        #expect(try form("recipient=a%40x.io&code=123456") == .init(recipient: "a@x.io", code: "123456"))
        for body in ["", "recipient=", "code=1", "recipient=a&code=", "recipient=a&x=1", "recipient=a&recipient=b"] {
            #expect(throws: Refusal.invalidBody(.unfit)) { try form(body) }
        }
        #expect(throws: Refusal.violation(.bodyTooLarge)) {
            try form("recipient=" + String(repeating: "a", count: 3_000))
        }
    }

    @Test func `each refusal has its status, its words and a form`() {
        let cases: [(Refusal, String)] = [
            (.wrongCode, "wrong or has expired"), (.invalidPhone, "Enter a phone number with its country code"),
            (.accountInactive, "deactivated"),
            (.numberOptedOut, "send a code there"), (.tooMany(retryAfterSeconds: 9), "Too many attempts"),
            (.invalid(member: "code"), "wrong or has expired"),
            (.invalid(member: "phone"), "Enter a phone number with its country code"),
            (.invalid(member: "email"), "Enter a phone number with its country code"),
            (.invalid(member: "name"), "start again"),
            (.unavailable, "working right now"), (.invalidBody(.unfit), "start again"),
        ]
        for (refusal, words) in cases {
            let reply = Self.page.reply(to: refusal, form: .init(recipient: "a@x.io", code: "1"), locales: [])
            #expect(reply.status == RefusalWords(refusal).status && Self.text(reply).contains(words))
            #expect(Self.text(reply).contains("<form") && Self.text(reply).contains("value=\"a@x.io\""))
            #expect(!reply.headers.contains { $0.0 == "WWW-Authenticate" })
        }
    }

    @Test func `the date of the deletion is on the last page`() {
        #expect(Self.text(Self.page.done(1_800_000_000, locales: [])).contains("2027-01-15"))
        #expect(Self.text(Self.page.done(nil, locales: [])).contains("No account uses"))
    }

    @Test func `the page is off unless the policy says otherwise`() {
        #expect(!NativeDialect().rows.contains { $0.pattern.text == "\(DeletionPage.path)" })
        let rows = NativeDialect(deletionPage: Self.page).rows.filter { $0.pattern.text == "\(DeletionPage.path)" }
        #expect(rows.map(\.method.rawValue) == ["GET", "POST"])
    }
}
