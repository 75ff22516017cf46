import Foundation
import Hummingbird
import InternalAPI
import NIOCore
import ServiceCalls
import TestSupport
import Testing

@testable import InboxCore

/// The inbox' page as a browser shows it; `deploy/test` installs Chromium.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: Browser.isInstalled, "SKIPPED: /usr/bin/chromium is missing (apt-get install chromium)"))
struct InboxBrowserTests {
    /// With this variable the picture of the documents is taken anew, and written there.
    private static let pictureVariable = "LATCHKEY_INBOX_PICTURE"
    /// 2027-01-15 09:41 UTC.
    private static let now: Int64 = 1_800_006_060

    /// Runs `body` with the page of an inbox of its own.
    private func withPage(_ body: (MessageBox, Browser) async throws -> Void) async throws {
        let box = MessageBox()
        let routes = InboxRoutes(box: box, page: InboxPage()) { Self.now }
        let port = OneValue<Int>()
        let application = Application(
            router: routes.router(verifier: AssertionVerifier(service: "inbox", keys: [:])),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { await port.set($0.localAddress?.port ?? 0) })
        let server = Task { try await application.run() }
        defer { server.cancel() }
        let address = await port.value
        try await Browser.run(width: 560, height: 860) { browser in
            try await browser.open("http://127.0.0.1:\(address)/")
            try await isTrue(browser, "document.readyState == 'complete' && document.querySelector('.messages')")
            try await body(box, browser)
        }
    }

    private func receive(
        _ box: MessageBox, _ id: String, to: String = "+15551234567", code: String? = "472918",
        text: String = "Your HowRU code is 472918", channel: String = "sms", link: String? = nil, ago: Int64 = 0
    ) {
        box.receive(
            OutgoingMessage(channel: channel, to: to, text: text, code: code, link: link, id: id), at: Self.now - ago)
    }

    /// Waits until the page's expression is true.
    private func isTrue(_ browser: Browser, _ expression: String) async throws {
        try await eventually(expression) { try await browser.evaluate("!!(\(expression))") as? Bool == true }
    }

    private func ids(_ browser: Browser) async throws -> [String] {
        let script = "[...document.querySelectorAll('.message')].map((message) => message.dataset.id)"
        return try await browser.evaluate(script) as? [String] ?? []
    }

    @Test func `messages appear by themselves, the newest first, and text stays text`() async throws {
        try await withPage { box, browser async throws in
            try await isTrue(browser, "document.querySelector('.empty').textContent.startsWith('No messages yet')")
            receive(box, "1")
            try await isTrue(browser, "document.querySelectorAll('.message').length == 1")
            receive(box, "2", to: "betty@example.com", code: nil, text: "<img src=x onerror='document.title=1'>")
            try await isTrue(browser, "document.querySelectorAll('.message').length == 2")
            #expect(try await ids(browser) == ["2", "1"])
            #expect(try await browser.evaluate("document.images.length") as? Int == 0)
            #expect(try await browser.evaluate("document.title") as? String == "Latchkey inbox")
            let newest = "document.querySelector('.message')"
            #expect(try await browser.evaluate("\(newest).classList.contains('new')") as? Bool == true)
            let time = try await browser.evaluate("\(newest).querySelector('time').textContent") as? String
            #expect(time?.hasPrefix("09:41") == true)
            #expect(
                try await browser.evaluate("\(newest).querySelector('b').textContent") as? String == "betty@example.com"
            )
        }
    }

    @Test func `a click on a code copies it`() async throws {
        try await withPage { box, browser async throws in
            receive(box, "1")
            try await isTrue(browser, "document.querySelector('.code')")
            try await browser.click(".code")
            try await isTrue(browser, "document.getElementById('status').textContent == 'Copied 472918'")
            #expect(try await browser.evaluate("navigator.clipboard.readText()") as? String == "472918")
        }
    }

    @Test func `the search shows what holds its words, by number in any spelling, and what comes in meanwhile`()
        async throws
    {
        try await withPage { box, browser async throws in
            receive(box, "1")
            receive(box, "2", to: "betty@example.com", code: nil, text: "Verify your address")
            try await isTrue(browser, "document.querySelectorAll('.message').length == 2")
            for (words, found) in [("(555) 123", ["1"]), ("VERIFY", ["2"]), ("472918", ["1"]), ("", ["2", "1"])] {
                try await type(words, browser)
                try await eventually("\(words) is found") { try await ids(browser) == found }
            }
            try await type("nobody", browser)
            try await isTrue(browser, "document.querySelector('.empty')?.textContent == 'Nothing found.'")
            receive(box, "3", to: "nobody@example.com", code: nil)
            try await isTrue(browser, "document.querySelectorAll('.message').length == 1")
            #expect(try await ids(browser) == ["3"])
        }
    }

    private func type(_ words: String, _ browser: Browser) async throws {
        try await browser.evaluate(
            "(() => { const field = document.getElementById('search'); field.value = '\(words)';"
                + "field.dispatchEvent(new Event('input')); })()")
    }

    @Test func `a link in a mail opens in a new tab, and a mail without a code has no bubble`() async throws {
        try await withPage { box, browser async throws in
            let target = try await browser.evaluate("location.origin + '/api/messages'") as? String ?? ""
            let letter =
                #"<!doctype html><html><head></head><body><a href="\#(target)" style="display:block;height:900px">"#
                + "Sign in</a></body></html>"
            box.receive(
                OutgoingMessage(
                    channel: "email", to: "ada@example.com", text: "Sign in", html: letter, code: nil,
                    link: target, id: "1"),
                at: Self.now)
            try await isTrue(browser, "document.querySelector('iframe')")
            #expect(try await browser.evaluate("document.querySelectorAll('.bubble').length") as? Int == 0)
            // The frame loads by itself after it has come in, so the click is repeated until it meets the link.
            try await eventually("the mail's link opens a tab") {
                try await browser.click("iframe")
                return try await browser.tabs().contains(target)
            }
            let tabCount = try await browser.tabs().count
            try await browser.click(".link a")
            try await eventually("the link below the mail opens another") {
                try await browser.tabs().count == tabCount + 1
            }
        }
    }

    @Test func `clearing empties the list`() async throws {
        try await withPage { box, browser async throws in
            receive(box, "1")
            try await isTrue(browser, "document.querySelector('.message')")
            try await browser.click("#clear")
            try await isTrue(browser, "document.querySelector('.empty')")
            #expect(box.messages().isEmpty)
        }
    }

    @Test func `the page looks like a phone's messages`() async throws {
        try await withPage { box, browser async throws in
            receive(
                box, "1", to: "ada@example.com", code: nil, text: "Open this link to sign in to Latchkey.",
                channel: "email",
                link: "https://auth.example.com/auth/magic-link?t=sample", ago: 5_400)
            receive(
                box, "2", to: "+447911123456", code: "088431", text: "Your Latchkey code is 088431. Never share it.",
                ago: 960)
            receive(
                box, "3",
                text: "Your Latchkey code is 472918. Never share it.\n\n@auth.example.com #472918", ago: 60)
            try await isTrue(browser, "document.querySelectorAll('.message').length == 3")
            // Bubbles lie inside the phone, and nothing hangs over its edge.
            let script = """
                (() => { const phone = document.querySelector('.phone').getBoundingClientRect();
                return [...document.querySelectorAll('.bubble')].every((bubble) => {
                  const box = bubble.getBoundingClientRect();
                  return box.width > 80 && box.left >= phone.left && box.right <= phone.right; })
                  && document.documentElement.scrollWidth <= innerWidth; })()
                """
            #expect(try await browser.evaluate(script) as? Bool == true)
            try await browser.evaluate(
                "document.getElementById('clock').textContent = '09:42';"
                    + "Promise.all(document.getAnimations().map((animation) => animation.finished)).then(() => 1)")
            let picture = try await browser.screenshot()
            #expect(picture.count > 10_000)
            if let path = ProcessInfo.processInfo.environment[Self.pictureVariable] {
                try picture.write(to: URL(filePath: path))
            }
        }
    }
}

/// A value that is there later, once.
private actor OneValue<Value: Sendable> {
    private var stored: Value?
    private var waiting: [CheckedContinuation<Value, Never>] = []

    var value: Value {
        get async {
            if let stored { return stored }
            return await withCheckedContinuation { waiting.append($0) }
        }
    }

    func set(_ value: Value) {
        stored = value
        for continuation in waiting { continuation.resume(returning: value) }
        waiting = []
    }
}
