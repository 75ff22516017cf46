import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for T54.

/// Sign-in in a browser, on the stack of `PageDoorTests`.
enum WebSignInPolicy {
    static let redirect = "https://app.example.com/signed-in"

    /// howru's policy with Apple in a browser, and two OpenID Connect providers: Google, and one of the fakes' own.
    static let changes = [
        "  # servicesID: com.howru.web": "  servicesID: com.howru.web",
        "\npasswordChange:\n": """

        webRedirects: [\(redirect), "com.example.app:/signed-in"]
        oidc:
          google:
            issuers: [https://accounts.google.com, accounts.google.com]
            jwksURL: https://www.googleapis.com/oauth2/v3/certs
            audiences: [web-1.apps.googleusercontent.com]
            clientID: web-1.apps.googleusercontent.com
            authorizeURL: https://accounts.google.com/o/oauth2/v2/auth
            tokenURL: https://oauth2.googleapis.com/token
          acme:
            issuers: [https://issuer.example]
            jwksURL: https://acme.example/oidc/keys
            audiences: [client-1]
            clientID: client-1
            authorizeURL: https://acme.example/oidc/authorize
            tokenURL: https://acme.example/oidc/token

        passwordChange:

        """,
    ]
}

extension Live.PageDoorTests {
    static let verifier = String(repeating: "v", count: 43)
    private static let paths = ["/auth/apple", "/auth/oidc/google", "/auth/oidc/acme"]

    private func authorize(
        _ path: String, verifier: String = verifier, redirect: String = WebSignInPolicy.redirect,
        method: String = "GET",
        headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
        return try await stack.gateway.send(
            method, "\(path)/authorize?challenge=\(challenge)&redirect=\(redirect.replacing("/", with: "%2F"))",
            headers: headers)
    }

    /// Begins a sign-in, and returns the provider's page.
    private func begin(_ path: String) async throws -> ProviderPage {
        let answer = try await authorize(path)
        try #require(answer.status == 303, "\(answer.text)")
        #expect(answer.headers["cache-control"] == "no-store" && answer.headers["referrer-policy"] == "no-referrer")
        return try await ProviderPage(try #require(answer.headers["location"]), at: try stack.service("fakes"))
    }

    /// Brings an answer of a provider to its callback, with the page's cookies.
    func bring(
        _ answer: ProviderPage.Answer, from page: PageClient? = nil, method: String? = nil
    ) async throws -> HTTPAnswer {
        try await bring(
            answer.form, to: String(answer.url.dropFirst(stack.gateway.base.count)), isForm: answer.isForm, from: page,
            method: method)
    }

    /// Brings fields to a callback, as the provider's page causes the browser to do.
    private func bring(
        _ form: String, to path: String, isForm: Bool = false, from page: PageClient? = nil, method: String? = nil
    ) async throws -> HTTPAnswer {
        let cookies = page?.cookieField(for: path).map { [("Cookie", $0)] } ?? []
        guard isForm else { return try await stack.gateway.send(method ?? "GET", "\(path)?\(form)", headers: cookies) }
        return try await stack.gateway.send(
            method ?? "POST", path,
            headers: cookies + [
                ("Origin", "https://appleid.apple.com"), ("Sec-Fetch-Site", "cross-site"),
                ("Content-Type", "application/x-www-form-urlencoded"),
            ], body: Array(form.utf8))
    }

    func members(_ answer: HTTPAnswer) throws -> [String: String] {
        let location = try #require(answer.headers["location"], "\(answer.status) \(answer.text)")
        #expect(answer.status == 303 && location.hasPrefix(WebSignInPolicy.redirect + "?"), "\(location)")
        #expect(answer.headers["cache-control"] == "no-store" && answer.headers["referrer-policy"] == "no-referrer")
        return ProviderPage.fields(String(location.dropFirst(WebSignInPolicy.redirect.count + 1)))
    }

    func body(_ code: String, verifier: String = verifier) -> String {
        #"{"code":"\#(code)","verifier":"\#(verifier)"}"#
    }

    @Test(arguments: paths) func `a person signs in in a browser once, and the page gets its cookies`(
        _ path: String
    )
        async throws
    {
        let subject = "000123.\(UUID().uuidString.lowercased().prefix(13))"
        let page = PageClient(stack.gateway)
        try await page.signedIn(on: stack)
        let answer = try await begin(path).press("continue", subject: subject, name: "Betty%20Smith")
        let returned = try await bring(answer, from: page)
        let code = try #require(try members(returned)["code"])
        // The answer was used, and without the verifier the code is of no use.
        let again = try await bring(answer)
        #expect(again.status == 400 && again.code == "invalid_sign_in", "\(again.text)")
        #expect(again.headers["referrer-policy"] == "no-referrer")
        for other in [String(repeating: "w", count: 43), ""] {
            #expect(try await page.post("\(path)/verify", body(code, verifier: other)).status == 401)
        }
        let elsewhere = path == "/auth/apple" ? "/auth/oidc/google" : "/auth/apple"
        #expect(try await page.post("\(elsewhere)/verify", body(code)).status == 401)
        let signedIn = try await page.post("\(path)/verify", body(code), headers: [("Idempotency-Key", "k-1")])
        #expect(signedIn.status == 200 && signedIn.cookies.count == 2, "\(signedIn.text)")
        let user = try signedIn.decoded(SignInReply.self).user
        #expect(user.name == (path == "/auth/apple" ? "Betty Smith" : nil) && user.phoneNumber == nil)
        let repeated = try await page.post("\(path)/verify", body(code), headers: [("Idempotency-Key", "k-1")])
        #expect(try repeated.decoded(SignInReply.self).user == user)
        #expect(try await page.refresh().status == 200)
        #expect(try await stack.gateway.post("\(path)/verify", body(code)).status == 401)
        // A sign-in by an app's token and one in a browser lead to the same user.
        let second = try await begin(path).press("continue", subject: subject)
        let next = try #require(try members(try await bring(second))["code"])
        let reply: SignInReply = try await stack.gateway.post("\(path)/verify", body(next)).decoded()
        #expect(reply.user == user && !reply.isNewUser)
        try await expectNotLogged(answer.fields.values.filter { $0.count > 20 } + [code, next])
    }

    /// Codes, states and tokens are in no log.
    private func expectNotLogged(_ secrets: [String]) async throws {
        for secret in secrets {
            let found = try await Shell.run("grep -rlF -e '\(secret)' '\(stack.dataDirectory)/log' || true", in: "/")
            #expect(found.output.isEmpty, "\(found.output)")
        }
    }

    @Test(arguments: paths) func `who declines comes back with an error`(_ path: String) async throws {
        let answer = try await begin(path).press("cancel")
        #expect(try members(try await bring(answer)) == ["error": "access_denied"])
    }

    @Test func `an answer that is swapped, forged or without a code signs no one in`() async throws {
        let google = try await begin("/auth/oidc/google").press("continue")
        let acme = try await begin("/auth/oidc/acme").press("continue")
        let swapped = try await bring(google.form, to: "/auth/oidc/acme/callback")
        #expect(swapped.status == 400 && swapped.code == "invalid_sign_in", "\(swapped.text)")
        let atApple = try await bring(google.form + "&id_token=a.b.c", to: "/auth/apple/callback", isForm: true)
        #expect(atApple.status == 400, "\(atApple.text)")
        let (state, code) = (try #require(acme.fields["state"]), try #require(google.fields["code"]))
        for form in [
            "state=\(state.dropLast(3))AAA&code=c", "code=c", "state=&error=access_denied", "",
            "state=\(state)&code=c&state=\(state)", "state=\(state)&code=c&code=d", "state=\(state)&code=%00",
            "state=\(state)&code=c&=", "state=\(String(repeating: "A", count: 6_000))&code=c",
        ] {
            let forged = try await bring(form, to: "/auth/oidc/acme/callback")
            #expect(forged.status == 400, "\(form): \(forged.text)")
        }
        // The code of one provider with the state of the other.
        let mixed = try await bring("state=\(state)&code=\(code)", to: "/auth/oidc/acme/callback")
        #expect(try members(mixed) == ["error": "provider_error"])
        let bare = try await begin("/auth/oidc/acme").press("cancel")
        let empty = try await bring("state=\(bare.fields["state"] ?? "")", to: "/auth/oidc/acme/callback")
        #expect(try members(empty) == ["error": "provider_error"])
    }

    @Test func `an answer that comes several times at once brings one code`() async throws {
        let answer = try await begin("/auth/apple").press("continue")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await bring(answer).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [303] + Array(repeating: 400, count: 7))
    }

    @Test func `other hosts and addresses are refused, and a program that only looks changes nothing`() async throws {
        let strange = try await authorize("/auth/apple", headers: [("Host", "evil.example")])
        #expect(strange.status == 400 && strange.headers["location"] == nil, "\(strange.text)")
        for redirect in ["https://evil.example/", WebSignInPolicy.redirect + "/", "javascript:alert(1)"] {
            let answer = try await authorize("/auth/apple", redirect: redirect)
            #expect(answer.status == 400 && answer.text.contains("redirect"), "\(redirect): \(answer.text)")
        }
        for method in ["GET", "HEAD"] { #expect(try await authorize("/auth/oidc/acme", method: method).status == 303) }
        let answer = try await begin("/auth/oidc/acme").press("continue")
        #expect(try await bring(answer, method: "HEAD").status == 405)
        #expect(try members(try await bring(answer))["code"] != nil)
    }

    @Test func `an app with a private scheme gets its code from a page on which the user taps`() async throws {
        let scheme = "com.example.app:/signed-in"
        func returned(_ path: String, _ button: String) async throws -> HTTPAnswer {
            let began = try await authorize(path, redirect: scheme)
            let page = try await ProviderPage(
                try #require(began.headers["location"]), at: try stack.service("fakes"))
            return try await bring(try await page.press(button))
        }
        for (path, button) in [("/auth/oidc/acme", "continue"), ("/auth/oidc/google", "cancel")] {
            let answer = try await returned(path, button)
            #expect(answer.status == 200 && answer.headers["location"] == nil, "\(answer.text)")
            #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none';") == true)
            let link = try #require(
                answer.text.firstMatch(of: /<a href="com.example.app:\/signed-in\?([^"]+)" class="button"/))
            let fields = ProviderPage.fields(String(link.output.1).replacing("&amp;", with: "&"))
            guard button == "continue" else {
                #expect(fields == ["error": "access_denied"])
                continue
            }
            let code = try #require(fields["code"])
            #expect(try await stack.gateway.post("\(path)/verify", body(code)).status == 200)
        }
        let apple = try await returned("/auth/apple", "continue")
        #expect(apple.status == 303 && apple.headers["location"]?.hasPrefix(scheme + "?code=") == true)
    }

    @Test
    func `a token response of 80 KB is the provider's error, and junk callbacks at a hanging provider end at once`()
        async throws
    {
        let fakes = try FakeProviders(of: stack)
        let large = String(repeating: "x", count: 80_000)
        try await fakes.script(#"[{"provider":"oidc","at":"token","status":200,"body":"\#(large)"}]"#)
        let answer = try await begin("/auth/oidc/acme").press("continue")
        #expect(try members(try await bring(answer)) == ["error": "provider_error"])
        let steps = (0..<8).map { _ in #"{"provider":"oidc","at":"token","hang":8}"# }.joined(separator: ",")
        try await fakes.script("[\(steps)]")
        var states: [String] = []
        for _ in 0..<8 {
            let page = try await begin("/auth/oidc/acme").press("cancel")
            states.append(try #require(page.fields["state"]))
        }
        let start = ContinuousClock.now
        let times = try await withThrowingTaskGroup(of: Duration.self) { group in
            for state in states {
                group.addTask {
                    let ended = try await bring("state=\(state)&code=junk", to: "/auth/oidc/acme/callback")
                    #expect(try members(ended) == ["error": "temporarily_unavailable"])
                    return ContinuousClock.now - start
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(times.count { $0 >= .milliseconds(1_900) } == 4, "\(times)")
        try await fakes.clearScript()
    }

    @Test func `without Redis an answer is 503 and to be tried again`() async throws {
        let answer = try await begin("/auth/apple").press("continue")
        try await stack.frozen("redis") {
            let returned = try await bring(answer)
            #expect(returned.status == 503 && returned.headers["location"] == nil, "\(returned.text)")
        }
    }
}
