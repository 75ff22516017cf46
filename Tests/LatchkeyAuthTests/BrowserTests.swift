import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sign-ins at a provider's own page, whose flow the scenarios of browser.json show.
@Suite struct BrowserTests {
    private let transport = ScriptedTransport()

    private func makeAuth(
        _ browser: ScriptedBrowser? = nil, _ redirects: [String] = ["com.example.app:/in"]
    ) throws -> LatchkeyAuth {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = MemoryStore()
        configuration.surroundings = FixedSurroundings()
        configuration.transport = transport
        configuration.browser = browser
        configuration.webRedirects = try redirects.map { try #require(URL(string: $0)) }
        return LatchkeyAuth(configuration)
    }

    @Test func `the page has the challenge of RFC 7636 and the redirect in one parameter`() throws {
        let redirect = try #require(URL(string: "https://app.example.com/in?from=a&b=ü#c"))
        let pending = PendingBrowser(
            path: "/auth/oidc/google", redirect: redirect, verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        let query = URLComponents(url: try makeAuth().urlOf(pending), resolvingAgainstBaseURL: false)?.queryItems
        #expect(query?.map(\.name) == ["challenge", "redirect"])
        #expect(query?.first?.value == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(query?.last?.value == redirect.absoluteString)
    }

    @Test(arguments: [
        ("com.example.app:/in", "com.example.app:/in?code=a"),
        ("com.example.app:/in", "COM.example.App:/in?code=a#top"),
        ("com.example.app:/in", "com.example.app:/in?state=1&code=a&code=b"),
        ("com.example.app://", "com.example.app://?code=a"), ("com.example.app://in", "com.example.app://in?code=a"),
        ("com.example.app://in", "com.example.app://in/?code=a"),
        ("https://app.example.com", "https://app.example.com/?code=a"),
        ("https://App.example.com/in", "https://app.example.com/in?code=a"),
        ("https://app.example.com/in?from=b", "https://app.example.com/in?from=b&code=a"),
        ("https://app.example.com/in", "https://app.example.com/in?code=a&error=access_denied#_=_"),
    ])
    func `the code of a link is found, as browsers write it`(_ redirect: String, _ link: String) throws {
        let pending = PendingBrowser(path: "/auth/apple", redirect: try #require(URL(string: redirect)))
        #expect(pending.code(of: try #require(URL(string: link))) == .success("a"))
    }

    @Test(arguments: [
        "com.example.app:/in", "com.example.app:/in?state=1", "com.example.app:/in#code=a",
        "com.example.app:/in/x?code=a",
        "com.example.app:/IN?code=a", "com.example.app://in?code=a", "com.example.app.evil:/in?code=a",
        "https://api.example.com/in?code=a",
    ])
    func `another link is none of the sign-in`(_ link: String) throws {
        let pending = PendingBrowser(path: "/auth/apple", redirect: try #require(URL(string: "com.example.app:/in")))
        #expect(pending.code(of: try #require(URL(string: link))) == nil)
    }

    @Test(arguments: [
        ("code=", AuthError.noCode), ("error", .noCode), ("error=a%0Ab", .noCode), ("error=access_denied", .cancelled),
        ("code=&error=server_error", .refused(status: 0, code: "server_error", requestID: nil)),
    ])
    func `what comes back in place of a code is an error`(_ query: String, _ error: AuthError) throws {
        let redirect = try #require(URL(string: "com.example.app:/in"))
        let link = try #require(URL(string: "com.example.app:/in?\(query)"))
        #expect(PendingBrowser(path: "/auth/apple", redirect: redirect).code(of: link) == .failure(error))
    }

    @Test func `the first redirect is used that the browser can return by`() async throws {
        transport.on("POST", "/auth/oidc/google/verify", .signIn())
        let redirects = ["https://app.example.com/in", "com.example.app:/in"]
        for (schemes, used) in [(nil, "https"), (["com.example.app"] as Set, "com.example.app")] {
            let browser = ScriptedBrowser(bringing: "code=a", schemes: schemes)
            try await makeAuth(browser, redirects).signInWithBrowser("google")
            #expect(browser.pages.first?.query()?.contains("redirect=\(used.replacing(".", with: "%2E"))%3A") == true)
        }
        let none = try makeAuth(ScriptedBrowser(bringing: "code=a", schemes: []), redirects)
        await #expect(throws: AuthError.refused(status: 0, code: "no_redirect", requestID: nil)) {
            try await none.signInWithBrowser("google")
        }
        #expect(none.associatedDomains.contains("webcredentials:app.example.com"))
    }

    #if !canImport(AuthenticationServices)
    @Test func `a system without a browser says so`() async throws {
        let auth = try makeAuth()
        await #expect(throws: AuthError.refused(status: 0, code: "no_browser", requestID: nil)) {
            try await auth.signInWithBrowser("google")
        }
    }
    #endif

    @Test func `a lost connection after the page is tried once more, with the same key`() async throws {
        transport.on("POST", "/auth/apple/verify", .failure(.offline), .signIn())
        #expect(try await makeAuth(ScriptedBrowser(bringing: "code=a")).signInWithBrowser("apple").user.id == "usr_1")
        #expect(Set(transport.requests.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
        #expect(transport.requests.count == 2)
        transport.on("POST", "/auth/apple/verify", .failure(.offline))
        let offline = try makeAuth(ScriptedBrowser(bringing: "code=b"))
        await #expect(throws: AuthError.offline) { try await offline.signInWithBrowser("apple") }
        #expect(transport.requests.count == 4)
    }

    @Test func `a pending sign-in survives as JSON and is not printed`() throws {
        let redirect = try #require(URL(string: "com.example.app:/in"))
        let pending = try makeAuth().prepareBrowser("google", redirect: redirect)
        let restored = try JSONDecoder().decode(PendingBrowser.self, from: JSONEncoder().encode(pending))
        #expect(restored == pending)
        #expect("\(pending) \(String(reflecting: pending))" == "PendingBrowser(‹redacted›) PendingBrowser(‹redacted›)")
        for name in ["", "../x", "Google", "a b"] {
            #expect(throws: AuthError.invalid(field: "provider", code: "invalid_provider")) {
                try makeAuth().prepareBrowser(name, redirect: redirect)
            }
        }
    }
}
