import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// The console in a browser on a phone, which runs no scripts of pages: sign in, find, deactivate.
    @Suite(
        .serialized, .timeLimit(.minutes(5)), .stack(ConsolePolicyFile.environment),
        .enabled(if: Browser.isInstalled, "SKIPPED: /usr/bin/chromium is missing (apt-get install chromium)"))
    struct ConsoleBrowserTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test(arguments: [("en", "Deactivate"), ("de", "Deaktivieren")])
        func `an administrator signs in, finds a person and deactivates them`(
            language: String, task: String
        ) async throws {
            let (adminPhone, phone) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
            let adminID = try await stack.signIn(phone: adminPhone).user.id
            try await stack.change(adminID, role: "admin")
            let person = try await stack.signIn(phone: phone, name: "Ann")
            try await Browser.run(width: 600, height: 900) { browser in
                try await browser.becomePhone(width: 360, height: 740, language: language)
                try await browser.open("\(stack.gateway.base)/console")
                try await isTrue(browser, "document.querySelector('#to') !== null")
                #expect(try await browser.evaluate("document.documentElement.lang") as? String == language)
                try await fill(browser, "#to", adminPhone)
                try await browser.click("main button")
                try await isTrue(browser, "document.querySelector('#code') !== null")
                try await fill(browser, "#code", try await stack.code(for: adminPhone))
                try await browser.click("main button")
                try await isTrue(browser, "document.querySelector('nav') !== null")
                try await fitsAndLoadsItsStyle(browser)
                try await fill(browser, "[name=q]", phone)
                try await browser.click(".find button")
                try await isTrue(browser, "location.pathname.endsWith('\(person.user.id)')")
                try await fitsAndLoadsItsStyle(browser)
                // The line opens the form without a script.
                _ = try await browser.evaluate("document.querySelector('details').scrollIntoView()")
                try await browser.click("details summary")
                try await isTrue(browser, "document.querySelector('details').open")
                #expect(
                    try await browser.evaluate("document.querySelector('details summary').textContent") as? String
                        == task)
                try await fill(browser, "#reason-deactivate", "ticket 4711")
                _ = try await browser.evaluate("document.querySelector('details button').scrollIntoView()")
                try await browser.click("details button")
                try await isTrue(browser, "document.querySelector('[role=status]') !== null")
                #expect(try await browser.evaluate("document.querySelector('.bad') !== null") as? Bool == true)
                // No script of the page reads the cookie.
                #expect(try await browser.evaluate("document.cookie") as? String == "")
                if let folder = ProcessInfo.processInfo.environment["LATCHKEY_PAGE_PICTURES"] {
                    try await browser.screenshot().write(to: URL(filePath: "\(folder)/console-\(language).png"))
                }
            }
            try await eventually("the person is signed out") {
                try await stack.gateway.get("/users/me", bearer: person.tokens.accessToken).status == 403
            }
        }

        private func fill(_ browser: Browser, _ selector: String, _ value: String) async throws {
            _ = try await browser.evaluate("document.querySelector('\(selector)').value = '\(value)'")
        }

        private func fitsAndLoadsItsStyle(_ browser: Browser) async throws {
            #expect(try await browser.evaluate("document.documentElement.scrollWidth <= 360") as? Bool == true)
            let sheets = "document.styleSheets.length == 1 && document.styleSheets[0].cssRules.length > 10"
            try await isTrue(browser, sheets)
        }

        private func isTrue(_ browser: Browser, _ expression: String) async throws {
            try await eventually(expression) {
                try await browser.evaluate("Boolean(\(expression))") as? Bool == true
            }
        }
    }
}
