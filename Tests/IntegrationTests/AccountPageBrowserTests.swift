import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// The page that confirms a registration, as a browser fills it in; its headers let the form go to its own host alone.
    @Suite(
        .serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": PasswordPolicyFile.open]),
        .enabled(if: Browser.isInstalled, "SKIPPED: /usr/bin/chromium is missing (apt-get install chromium)"))
    struct AccountPageBrowserTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test(arguments: [("en", "ltr"), ("ar", "rtl")])
        func `it is filled in on a phone, and says what came of it`(language: String, direction: String) async throws {
            let address = LatchkeyStack.freshAddress()
            _ = try await stack.register(address)
            let link = try await stack.mailedLink(to: address, at: "/auth/verify-email")
            try await Browser.run(width: 600, height: 900) { browser in
                try await browser.becomePhone(width: 390, height: 844, language: language)
                try await browser.open("\(stack.gateway.base)\(link.path)?token=\(link.token)")
                try await isTrue(browser, "document.querySelector('form') !== null")
                let page = "document.documentElement"
                #expect(
                    try await browser.evaluate("\(page).lang + ' ' + \(page).dir") as? String
                        == "\(language) \(direction)")
                #expect(try await browser.evaluate("\(page).scrollWidth <= 390 && innerWidth == 390") as? Bool == true)
                let loaded = "performance.getEntriesByType('resource').filter((r) => !r.name.endsWith('ico')).length"
                #expect(try await browser.evaluate(loaded) as? Int == 0)
                try await send("another long password", browser)
                try await isTrue(browser, "document.querySelector('[role=alert]') !== null")
                try await send(LatchkeyStack.freshPassword, browser)
                try await isTrue(browser, "document.querySelector('h1') && !document.querySelector('form')")
                // The address bar keeps nothing of the link.
                #expect(try await browser.evaluate("location.search") as? String == "")
            }
            #expect(try await stack.logIn(address).status == 200)
        }

        private func send(_ password: String, _ browser: Browser) async throws {
            _ = try await browser.evaluate("document.querySelector('[type=password]').value = '\(password)'")
            try await browser.click("button")
        }

        private func isTrue(_ browser: Browser, _ expression: String) async throws {
            try await eventually(expression) {
                try await browser.evaluate("Boolean(\(expression))") as? Bool == true
            }
        }
    }
}
