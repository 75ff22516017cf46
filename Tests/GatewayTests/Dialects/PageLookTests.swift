import EdgeHTTP
import Foundation
import TestSupport
import Testing

@testable import GatewayCore
@testable import Policies

/// The pages for people on a phone's screen, light and dark, from left to right and from right to left.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: Browser.isInstalled, "SKIPPED: /usr/bin/chromium is missing (apt-get install chromium)"))
struct PageLookTests {
    /// With this variable the pictures of the documents are taken again, and written to the folder that it names.
    private static let picturesVariable = "LATCHKEY_PAGE_PICTURES"
    private static let token = String(repeating: "aB3-_xyz", count: 5) + "aBE"

    /// Each page by the name of its picture, in one language.
    private static func pages(_ catalog: MessageCatalog, _ language: String) -> [(name: String, reply: Reply)] {
        let reset = AccountPage(act: .reset, appName: "Acme", catalog: catalog)
        let confirm = AccountPage(act: .confirm, appName: "Acme", catalog: catalog)
        let deletion = DeletionPage(appName: "Acme", catalog: catalog)
        let link = LinkPage(appName: "Acme", catalog: catalog)
        let mailToken = String(repeating: "aB3-_xyz", count: 8)
        return [
            ("link", link.reply(query: "token=\(mailToken)", locales: [language])),
            ("reset", reset.reply(query: "token=\(token)", locales: [language])),
            ("reset-refused", reset.reply(to: .weakPassword, token: token, locales: [language])),
            ("confirm", confirm.reply(query: "token=\(token)", locales: [language])),
            ("reset-done", reset.done(locales: [language])),
            ("link-expired", reset.reply(to: .invalidLink, token: nil, locales: [language])),
            ("deletion", deletion.start(locales: [language])),
        ]
    }

    private static func catalog() throws -> MessageCatalog {
        let policies = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/policies").path
        let howru = try String(contentsOf: URL(filePath: "\(policies)/howru.yaml"), encoding: .utf8)
        return try .load(.parse(howru + "\napps: { scheme: acme }\n", file: "howru.yaml"), directory: policies)
    }

    @Test(arguments: ["en", "ar"], [false, true])
    func `each page fits a phone, and its button can be seen and hit`(language: String, isDark: Bool) async throws {
        let pages = Self.pages(try Self.catalog(), language)
        try await Browser.run(width: 600, height: 900) { browser in
            try await browser.becomePhone(width: 390, height: 700, isDark: isDark)
            for (name, reply) in pages {
                try await browser.open("data:text/html;base64,\(Data(reply.body).base64EncodedString())")
                try await eventually("\(name) is there") {
                    try await browser.evaluate("document.readyState == 'complete' && !!document.querySelector('main')")
                        as? Bool == true
                }
                #expect(try await browser.evaluate("document.documentElement.scrollWidth <= 390") as? Bool == true)
                // 44 px is the smallest that a finger hits well (WCAG 2.2, 2.5.5); a color with an alpha of 0 is no color.
                let button = """
                    [...document.querySelectorAll('button,.button')].every((button) => {
                      const style = getComputedStyle(button);
                      return button.getBoundingClientRect().height >= 44 && style.backgroundColor == 'rgb(26, 86, 219)'
                        && style.color == 'rgb(255, 255, 255)'; })
                    """
                #expect(try await browser.evaluate(button) as? Bool == true, "\(name)")
                let back = try await browser.evaluate("getComputedStyle(document.body).backgroundColor") as? String
                #expect(back == (isDark ? "rgb(17, 24, 39)" : "rgb(243, 244, 246)"), "\(name)")
                if let folder = ProcessInfo.processInfo.environment[Self.picturesVariable] {
                    let file = "\(folder)/\(name)-\(language)-\(isDark ? "dark" : "light").png"
                    try await browser.screenshot().write(to: URL(filePath: file))
                }
            }
        }
    }

    @Test func `a refusal stands at its field, and screen readers read it with the field`() {
        let reset = AccountPage(act: .reset, appName: "Acme", catalog: .english)
        let html = String(decoding: reset.reply(to: .weakPassword, token: Self.token, locales: []).body, as: UTF8.self)
        #expect(html.contains(#"aria-invalid="true" aria-describedby="rules problem">"#))
        #expect(html.contains(#"<p id="problem" role="alert">This password is too short or too common."#))
        let asked = String(decoding: reset.reply(query: "token=\(Self.token)", locales: []).body, as: UTF8.self)
        #expect(!asked.contains("aria-invalid=") && !asked.contains("role=\"alert\""))
    }

    @Test func `the app's color and logo are on the page, and its policy allows the logo alone`() {
        let logo = LogoImage(url: "data:image/svg+xml;base64,AAAA")
        let catalog = MessageCatalog(
            fallback: "en", byLocale: ["en": MessageTexts.english],
            accent: AccentColor(red: 0xFF, green: 0xD7, blue: 0),
            logo: logo)
        let reply = DeletionPage(appName: "A<b>", catalog: catalog).start(locales: [])
        let html = String(decoding: reply.body, as: UTF8.self)
        #expect(html.contains("--accent:#ffd700;--on-accent:#000000"))
        #expect(html.contains(#"<img src="data:image/svg+xml;base64,AAAA" alt="">A&lt;b&gt;</p>"#))
        let policy = reply.headers.first { $0.0 == "Content-Security-Policy" }?.1 ?? ""
        #expect(policy.contains("img-src data:;"))
        let plain = DeletionPage(appName: "A", catalog: .english).start(locales: [])
        #expect(plain.headers.allSatisfy { !$0.1.contains("img-src") })
    }
}
