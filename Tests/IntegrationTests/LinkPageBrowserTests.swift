import Foundation
import TestSupport
import Testing

extension Live {
    /// The page behind a mail's link on a phone, in a browser that runs no scripts; `deploy/test` installs Chromium.
    @Suite(
        .serialized, .timeLimit(.minutes(5)), .stack(),
        .enabled(if: Browser.isInstalled, "SKIPPED: /usr/bin/chromium is missing (apt-get install chromium)"))
    struct LinkPageBrowserTests {
        /// With this variable a picture of the page in each language is written to the folder that it names.
        private static let picturesVariable = "LATCHKEY_PAGE_PICTURES"

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test(arguments: [("en", "ltr"), ("ar", "rtl")])
        func `it is read on a phone, in its language, and signs nobody in`(
            language: String, direction: String
        ) async throws {
            let mail = try await stack.askForMail(locale: language)
            let link = try #require(mail.message.link)
            let picture = try await Browser.run(width: 600, height: 900) { browser in
                try await browser.becomePhone(width: 390, height: 844, language: language)
                try await browser.open(link)
                try await eventually("the page is there") {
                    try await browser.evaluate("document.querySelector('h1') !== null") as? Bool == true
                }
                let page = "document.documentElement"
                #expect(
                    try await browser.evaluate("\(page).lang + ' ' + \(page).dir") as? String
                        == "\(language) \(direction)")
                #expect(try await browser.evaluate("getComputedStyle(document.body).direction") as? String == direction)
                // All of it is within the screen, in a size that can be read.
                #expect(try await browser.evaluate("\(page).scrollWidth <= 390 && innerWidth == 390") as? Bool == true)
                let readable = "parseFloat(getComputedStyle(document.querySelector('p')).fontSize) >= 16"
                #expect(try await browser.evaluate(readable) as? Bool == true)
                // Nothing to press but what opens the app, nothing from elsewhere.
                #expect(
                    try await browser.evaluate("document.querySelectorAll('form,button,script,img,a').length") as? Int
                        == 0)
                let loaded = "performance.getEntriesByType('resource').filter((r) => !r.name.endsWith('ico')).length"
                #expect(try await browser.evaluate(loaded) as? Int == 0)
                return try await browser.screenshot()
            }
            #expect(picture.count > 5_000)
            if let folder = ProcessInfo.processInfo.environment[Self.picturesVariable] {
                try picture.write(to: URL(filePath: "\(folder)/link-\(language).png"))
            }
            let answer = try await stack.gateway.post("/auth/magic-link/verify", encoding: mail.byLink)
            #expect(answer.status == 200, "what the page was shown is not used: \(answer.text)")
        }
    }
}
