import Delivery
import Policies
import Testing

@testable import OTPCore

@Suite struct SignInLetterTests {
    private let letter: SignInLetter

    init() throws {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let policies = folder + "/deploy/policies"
        letter = SignInLetter(
            appName: "A<b>&\"Co\"",
            catalog: try .load(Policy.load(named: "howru", directory: policies), directory: policies),
            linkURL: "https://auth.test/l", lifetimeSeconds: 600)
    }

    @Test func `text and page say the same, in the language that is asked for`() throws {
        let german = letter.written(code: "123456", token: "T0k-_", locales: ["fr", "de-AT"])
        #expect(german.subject == "123456 ist dein Code für A<b>&\"Co\"")
        #expect(german.link == "https://auth.test/l?token=T0k-_")
        let html = try #require(german.html)
        for words in ["123456", "https://auth.test/l?token=T0k-_", "10 Minuten"] {
            #expect(german.text.contains(words) && html.contains(words))
        }
        #expect(html.contains("<html lang=\"de\" dir=\"ltr\">"))
    }

    @Test func `Arabic is written from the right, its code from the left`() throws {
        let html = try #require(letter.written(code: "123456", token: nil, locales: ["ar"]).html)
        #expect(html.contains("<html lang=\"ar\" dir=\"rtl\">"))
        #expect(html.contains("<p dir=\"ltr\""))
        #expect(!html.contains("<a "))
    }

    @Test func `a name is no markup`() throws {
        let html = try #require(letter.written(code: "123456", token: nil, locales: []).html)
        #expect(html.contains("A&lt;b&gt;&amp;&quot;Co&quot;") && !html.contains("<b>"))
    }

    @Test func `who asks for a language that is not here reads the policy's`() {
        #expect(letter.written(code: "1", token: nil, locales: ["tlh", "x"]).text.contains("Enter this code"))
    }

    @Test func `a mail without a link does not speak of one`() {
        let token = "t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_g"
        let with = letter.written(code: "123456", token: token, locales: ["en"])
        let without = letter.written(code: "123456", token: nil, locales: ["en"])
        #expect(with.text.contains("This code and link expire in"))
        #expect(without.text.contains("This code expires in") && !without.text.contains("link"))
        #expect(without.html?.contains("link") == false)
    }
}
