#if canImport(StubDarwin)
import AuthenticationServices
import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

extension StubDeviceTests {
    /// The system's sheet, over a stand-in.
    @Suite @MainActor struct SystemBrowserTests {
        private let window = StubWindows.make()
        private let answers = DispatchQueue(label: "answers")

        init() {
            ASWebAuthenticationSession.opened = []
            ASWebAuthenticationSession.canStart = true
        }

        /// Opens a page, and returns its sheet and the task that waits for it.
        private func open(
            _ redirect: String, isPrivate: Bool = false, _ page: String = "https://api.example.com/page"
        ) async throws -> (ASWebAuthenticationSession, Task<URL, any Error>) {
            let (page, redirect) = (try #require(URL(string: page)), try #require(URL(string: redirect)))
            let (count, window) = (ASWebAuthenticationSession.opened.count, window)
            var browser = SystemBrowser(over: { window })
            browser.isPrivate = isPrivate
            let waiting = Task { [browser] in try await browser.open(page, returningTo: redirect) }
            while ASWebAuthenticationSession.opened.count == count { await Task.yield() }
            return (try #require(ASWebAuthenticationSession.opened.last), waiting)
        }

        /// Answers on another queue, as the system does.
        private func answer(_ sheet: ASWebAuthenticationSession, _ link: String?, _ error: (any Error)? = nil) {
            nonisolated(unsafe) let handler = sheet.completionHandler
            let link = link.flatMap { URL(string: $0) }
            answers.async { unsafe handler(link, error) }
        }

        private func failure(_ waiting: Task<URL, any Error>) async -> AuthError? {
            do { _ = try await waiting.value } catch { return AuthError(transport: error) }
            return nil
        }

        @Test(arguments: [
            (
                "https://app.example.com/in",
                ASWebAuthenticationSession.Callback.https(host: "app.example.com", path: "/in")
            ),
            ("https://app.example.com", .https(host: "app.example.com", path: "/")),
            ("https://app.example.com/a%20b?c=d", .https(host: "app.example.com", path: "/a%20b")),
            ("com.example.app:/in", .customScheme("com.example.app")),
        ])
        func `a sheet returns by an https link or a scheme`(
            _ redirect: String, _ callback: ASWebAuthenticationSession.Callback
        ) async throws {
            let (sheet, waiting) = try await open(redirect)
            #expect(sheet.callback == callback)
            #expect(sheet.anchor === window)
            #expect(sheet.url.absoluteString == "https://api.example.com/page")
            #expect(!sheet.prefersEphemeralWebBrowserSession)
            answer(sheet, "\(redirect)?code=a")
            #expect(try await waiting.value.absoluteString == "\(redirect)?code=a")
        }

        @Test func `a private sheet shares no cookies`() async throws {
            let (sheet, waiting) = try await open("com.example.app:/in", isPrivate: true)
            #expect(sheet.prefersEphemeralWebBrowserSession)
            answer(sheet, "com.example.app:/in?code=a")
            _ = try await waiting.value
        }

        @Test func `only the user's own closing is a cancelled sign-in`() async throws {
            let text = "Application with identifier a is not associated with domain app.example.com."
            let refused = { AuthError.refused(status: 0, code: $0, requestID: nil) }
            let cases: [((any Error)?, AuthError)] = [
                (ASWebAuthenticationSessionError(.canceledLogin), .cancelled),
                (ASWebAuthenticationSessionError(.canceledLogin, text: text), refused("domain_not_associated")),
                (ASWebAuthenticationSessionError(.presentationContextNotProvided), refused("no_window")),
                (ASWebAuthenticationSessionError(.presentationContextInvalid), refused("no_window")),
                (CancellationError(), refused("no_browser")), (nil, refused("no_browser")),
            ]
            for (error, expected) in cases {
                let (sheet, waiting) = try await open("https://app.example.com/in")
                answer(sheet, nil, error)
                #expect(await failure(waiting) == expected)
            }
        }

        @Test func `a sheet closes with its task, and before another one opens`() async throws {
            let (first, firstWaiting) = try await open("com.example.app:/in")
            let (second, secondWaiting) = try await open("com.example.app:/in")
            #expect(first.isCancelled && !second.isCancelled)
            #expect(await failure(firstWaiting) == .cancelled)
            // The end of the first does not close the second, and a late answer changes nothing.
            answer(first, "com.example.app:/in?code=late")
            #expect(!second.isCancelled)
            secondWaiting.cancel()
            #expect(await failure(secondWaiting) == .cancelled)
            #expect(second.isCancelled)
            let (third, thirdWaiting) = try await open("com.example.app:/in")
            answer(third, "com.example.app:/in?code=a")
            answer(third, nil, ASWebAuthenticationSessionError(.canceledLogin))
            #expect(try await thirdWaiting.value.query() == "code=a")
        }

        @Test func `a sheet that does not start, or has no window, is an error`() async throws {
            let (page, redirect) = (try #require(URL(string: "https://a.example")), try #require(URL(string: "a.b:/c")))
            ASWebAuthenticationSession.canStart = false
            let window = window
            let waiting = Task { try await SystemBrowser(over: { window }).open(page, returningTo: redirect) }
            #expect(await failure(waiting) == .refused(status: 0, code: "no_browser", requestID: nil))
            let windowless = Task { try await SystemBrowser(over: { nil }).open(page, returningTo: redirect) }
            #expect(await failure(windowless) == .refused(status: 0, code: "no_window", requestID: nil))
        }

        @Test func `the front window is that of the active scene`() async throws {
            StubWindows.show(window)
            defer { StubWindows.clear() }
            let (page, redirect) = (try #require(URL(string: "https://a.example")), try #require(URL(string: "a.b:/c")))
            let waiting = Task { try await SystemBrowser().open(page, returningTo: redirect) }
            while ASWebAuthenticationSession.opened.isEmpty { await Task.yield() }
            #expect(ASWebAuthenticationSession.opened.last?.anchor === window)
            waiting.cancel()
            #expect(await failure(waiting) == .cancelled)
        }

        @Test(arguments: [
            ("https://app.example.com/in", true), ("com.example.app:/in", true), ("http://localhost/in", false),
            ("https://app.example.com:8443/in", false), ("/in", false),
        ])
        func `the system returns by https without a port and by schemes`(_ redirect: String, _ can: Bool) throws {
            #expect(SystemBrowser(over: { nil }).canReturn(to: try #require(URL(string: redirect))) == can)
        }
    }
}
#endif
