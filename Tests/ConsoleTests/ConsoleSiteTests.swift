import HTTPTypes
import ServiceCalls
import Synchronization
import Testing

@testable import ConsoleCore

/// Requests of browsers, and refusals of the API.
@Suite struct ConsoleSiteTests {
    @Test func `past the gateway there is nothing, and without a session only the sign-in`() async throws {
        let browser = ConsoleBrowser(FakeGateway { FakeGateway.usual($0) })
        #expect(try await browser.get("", headers: ["Latchkey-Console": ""]).status == 400)
        for path in ["", "/person/usr_1", "/audit", "/prove", "/nothing"] {
            let answer = try await browser.get(path)
            #expect(answer.status == 303 && answer.location == "/console/sign-in", "\(path)")
        }
        #expect(try await browser.post("/person/usr_1/delete").location == "/console/sign-in")
        for path in ["/sign-in", "/style.css"] { #expect(try await browser.get(path).status == 200) }
        #expect(try await browser.get("/sign-in", headers: ["X-Forwarded-Proto": "http"]).status == 403)
        let developer = ConsoleBrowser(FakeGateway { FakeGateway.usual($0) }, allowsPlain: true)
        #expect(try await developer.get("/sign-in", headers: ["X-Forwarded-Proto": "http"]).status == 200)
    }

    @Test(arguments: ["+15551234567", "ann@example.com"])
    func `a number or an address signs in by its code, with a cookie for this browser alone`(to: String) async throws {
        let gateway = FakeGateway { request in
            let isVerification = request.url.hasSuffix("/verify")
            return isVerification
                ? FakeGateway.json(
                    #"{"success":true,"isNewUser":false,"user":{"id":"usr_9","phoneNumber":"+1","role":"admin","#
                        + #""createdAt":1},"tokens":\#(FakeGateway.tokens)}"#)
                : request.url.hasSuffix("/request") ? FakeGateway.json("{}") : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        let asked = try await browser.post("/sign-in", ["to": to])
        #expect(asked.status == 200 && asked.text.contains("one-time-code"))
        let entered = try await browser.post("/sign-in/code", ["to": to, "code": "123456"])
        #expect(entered.status == 303 && entered.location == "/console", "\(entered.text)")
        let cookie = entered.headers[.setCookie] ?? ""
        #expect(
            cookie.hasPrefix("__Host-latchkey-console=")
                && cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Strict"))
        #expect(gateway.requests.allSatisfy { $0.headers["Latchkey-Console"] == "ticket" })
        browser.cookie = String(cookie.prefix { $0 != ";" })
        #expect(try await browser.get("/money").status == 200)
        // A second cookie makes it unclear which one counts.
        let twice = "\(browser.cookie ?? ""); __Host-latchkey-console=x"
        #expect(try await browser.get("/money", headers: ["Cookie": twice]).status == 303)
    }

    @Test func `an account with a second factor signs in by it, and a wrong one can be tried again`() async throws {
        let gateway = FakeGateway { request in
            if request.url.hasSuffix("/otp/verify") {
                let body = #"{"code":"second_factor_required","title":"","methods":["totp"],"mfaToken":"a\"b"}"#
                return ProviderAnswer(status: 403, body: Array(body.utf8))
            }
            guard request.url.hasSuffix("/mfa/verify") else { return FakeGateway.usual(request) }
            let sent = String(decoding: request.body, as: UTF8.self)
            guard sent.contains(#""mfaToken":"a\"b""#), sent.contains(#""code":"123456""#) else {
                return FakeGateway.problem(401, "second_factor_refused")
            }
            return FakeGateway.json(
                #"{"success":true,"isNewUser":false,"user":{"id":"u","phoneNumber":"+1","role":"admin","createdAt":1},"#
                    + #""tokens":\#(FakeGateway.tokens)}"#)
        }
        let browser = ConsoleBrowser(gateway)
        let asked = try await browser.post("/sign-in/code", ["to": "+15551234567", "code": "000000"])
        #expect(asked.status == 200 && asked.headers[.setCookie] == nil)
        #expect(asked.text.contains("/sign-in/factor") && asked.text.contains("value=\"a&quot;b\""), "\(asked.text)")
        let wrong = try await browser.post("/sign-in/factor", ["mfa": "a\"b", "code": "abcd-efgh"])
        #expect(wrong.status == 401 && wrong.text.contains("/sign-in/factor") && browser.site.sessions.count == 0)
        let right = try await browser.post("/sign-in/factor", ["mfa": "a\"b", "code": "123 456"])
        #expect(right.status == 303 && right.location == "/console" && browser.site.sessions.count == 1)
    }

    @Test(arguments: [
        (403, "forbidden", 403), (401, "insufficient_user_authentication", 401), (401, "unauthorized", 403),
        (429, "rate_limited", 429),
    ])
    func `who is not known to be an administrator gets no session`(
        _ status: Int, _ code: String, _ answered: Int
    ) async throws {
        let gateway = FakeGateway { request in
            if request.url.hasSuffix("/verify") {
                return FakeGateway.json(
                    #"{"success":true,"isNewUser":false,"user":{"id":"u","phoneNumber":"+1","role":"user","createdAt":1},"#
                        + #""tokens":\#(FakeGateway.tokens)}"#)
            }
            return request.url.hasSuffix("/keys") ? FakeGateway.problem(status, code) : FakeGateway.usual(request)
        }
        let browser = ConsoleBrowser(gateway)
        let answer = try await browser.post("/sign-in/code", ["to": "+15551234567", "code": "123456"])
        #expect(answer.status == answered && answer.headers[.setCookie] == nil && browser.site.sessions.count == 0)
        #expect(gateway.requests.contains { $0.url.hasSuffix("/auth/logout") })
    }

    /// agegr/pi-web#806, av1155/houndarr#317 and pimcore/platform-version#371: a link from elsewhere led to the sign-in, or signed out.
    @Test func `a link of another site leads on once, since the cookie did not come with it`() async throws {
        var browser = ConsoleBrowser(FakeGateway { FakeGateway.usual($0) })
        let foreign = ["Sec-Fetch-Site": "cross-site"]
        let answer = try await browser.get("/audit?from=1&to=2", headers: foreign)
        #expect(answer.status == 200 && answer.headers[.setCookie] == nil)
        let refresh = answer.headers[.init("Refresh") ?? .accept]
        #expect(refresh == "0; url=/console/audit?from=1&to=2&own=1")
        #expect(try await browser.get("/audit?own=1", headers: foreign).location == "/console/sign-in")
        try browser.signIn()
        #expect(try await browser.get("/audit?from=1&to=2&own=1", headers: foreign).status == 200)
    }

    @Test func `a form without the session's text does nothing`() async throws {
        let gateway = FakeGateway { FakeGateway.usual($0) }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        for text in ["", "other"] {
            #expect(try await browser.post("/person/usr_1/delete", ["guard": text]).status == 403)
        }
        #expect(
            try await browser.send(.post, "/person/usr_1/delete", headers: ["Content-Type": "text/plain"]).status == 400
        )
        #expect(gateway.requests.isEmpty)
    }

    /// The task waits while the administrator shows who they are, and is done then, once.
    @Test func `an old sign-in leads to a code, and then to the task`() async throws {
        let isProved = Mutex(false)
        let gateway = FakeGateway { request in
            if request.url.hasSuffix("/auth/reauthenticate") {
                guard request.body.elementsEqual(#"{"code":"123456"}"#.utf8) else {
                    return FakeGateway.problem(401, "invalid_code")
                }
                isProved.withLock { $0 = true }
            }
            guard request.method == .patch else { return FakeGateway.usual(request) }
            return isProved.withLock { $0 }
                ? FakeGateway.json(FakeGateway.person()) : FakeGateway.problem(403, "reauthentication_required")
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let asked = try await browser.post("/person/usr_1/deactivate", ["version": "v1", "reason": "ticket 1"])
        #expect(asked.status == 303 && asked.location == "/console/prove")
        let page = try await browser.get("/prove")
        #expect(page.text.contains("Deactivate (usr_1)"))
        let wrong = try await browser.prove(page, code: "000000")
        #expect(wrong.status == 401 && wrong.text.contains("role=\"alert\"") && wrong.text.contains("one-time-code"))
        let done = try await browser.prove(wrong, code: "123456")
        #expect(done.status == 303 && done.location == "/console/person/usr_1?done=deactivate")
        let changes = gateway.requests.filter { $0.method == .patch }
        #expect(changes.count == 2 && changes.allSatisfy { $0.headers["If-Match"] == "\"v1\"" })
        #expect(changes.last?.headers["Latchkey-Reason"] == "ticket 1")
        #expect(try await browser.get("/prove").location == "/console")
        // A wrong code is guessed once, and costs no refresh.
        #expect(gateway.requests.count { $0.url.hasSuffix("/auth/reauthenticate") } == 2)
    }

    /// Two tabs: the code of one page must not do what the other tab has asked for meanwhile.
    @Test func `a code is for the task that its page shows`() async throws {
        let gateway = FakeGateway { request in
            request.method == .patch
                ? FakeGateway.problem(403, "reauthentication_required") : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        _ = try await browser.post("/person/usr_1/activate", ["reason": "a"])
        let first = try await browser.get("/prove")
        _ = try await browser.post("/person/usr_1/deactivate", ["reason": "b"])
        let count = gateway.requests.count
        #expect(try await browser.prove(first, code: "123456").location == "/console/prove")
        #expect(try await browser.post("/prove", ["code": "123456"]).location == "/console/prove")
        #expect(gateway.requests.count == count, "no code is used up")
        #expect(try await browser.get("/prove").text.contains("Deactivate (usr_1)"))
    }

    @Test(arguments: [
        (412, "precondition_failed", "Somebody else"), (409, "last_admin", "last active administrator"),
        (400, "invalid_phone", "refused"), (429, "rate_limited", "Too many"),
    ])
    func `a refused task says why, on the page of the person`(
        _ status: Int, _ code: String, _ words: String
    ) async throws {
        let gateway = FakeGateway { request in
            request.method == .get ? FakeGateway.usual(request) : FakeGateway.problem(status, code)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        for act in AdminAct.allCases where act != .clearReview && !act.isOfNumber {
            let answer = try await browser.post("/person/usr_1/\(act.rawValue)", ["version": "v0", "session": "s1"])
            #expect(answer.status == status && answer.text.contains(words), "\(act)")
            #expect(answer.text.contains("value=\"v1\""), "the form has what the person is now")
        }
    }

    @Test func `a change whose sessions are still being ended is made`() async throws {
        let gateway = FakeGateway { request in
            request.method == .patch ? FakeGateway.problem(503, "change_pending") : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let answer = try await browser.post("/person/usr_1/deactivate", ["version": "v1", "reason": "a"])
        #expect(answer.location == "/console/person/usr_1?done=deactivate")
    }

    @Test func `what is remembered of a number is cleared, with a reason`() async throws {
        let gateway = FakeGateway { FakeGateway.usual($0) }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let to = "+15551234567"
        let done = try await browser.post("/number/unlock", ["to": to, "reason": "ticket 2"])
        #expect(done.location == "/console/number?to=%2B15551234567&done=unlock")
        let call = try #require(gateway.requests.first { $0.url.hasSuffix("/admin/unlock") })
        #expect(
            call.body.elementsEqual(#"{"phoneNumber":"\#(to)"}"#.utf8) && call.headers["Latchkey-Reason"] == "ticket 2")
        let page = try await browser.get("/number?to=%2B15551234567&done=unlock")
        #expect(page.text.contains("role=\"status\"") && page.text.contains("/console/number/unlock"))
        #expect(try await browser.post("/person/usr_1/unlock").status == 404)
    }

    /// The code comes with the answer to the form, which a redirect follows: only the session that gave it shows it, and only while
    /// it is the access's.
    @Test func `a number is given review access, whose code is shown on its page alone, and it ends there`()
        async throws
    {
        let until = Mutex<Int64?>(nil)
        let gateway = FakeGateway { request in
            let open = until.withLock { $0.map { #""until":\#($0),"# } ?? "" }
            switch (request.method, request.url.dropFirst("http://gateway/admin/".count).prefix { $0 != "?" }) {
            case (.get, "review-access"): return FakeGateway.json("{\(open)\"open\":[]}")
            case (.post, "review-access"):
                // The end of 2023-11-20, in UTC.
                until.withLock { $0 = 1_700_524_800 }
                return FakeGateway.json(
                    #"{"until":1700524800,"codes":[{"dialect":"native","code":"246810"}]}"#)
            case (.post, "review-access/end"):
                until.withLock { $0 = nil }
                return FakeGateway.json(#"{"wasOpen":true,"endedCount":1}"#)
            default: return FakeGateway.usual(request)
            }
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let (page, to) = ("/number?to=%2B15551234567", "+15551234567")
        let empty = try await browser.get(page).text
        #expect(empty.contains(#"value="2023-11-27" min="2023-11-14" max="2023-12-13""#), "\(empty)")
        #expect(empty.contains("/number/give-review-access") && !empty.contains("/number/end-review-access"))
        let given = try await browser.post(
            "/number/give-review-access", ["to": to, "until": "2023-11-20", "reason": "ticket 5"])
        #expect(given.location == "/console/number?to=%2B15551234567&done=give-review-access")
        let call = try #require(gateway.requests.last)
        #expect(call.body.elementsEqual(#"{"phoneNumber":"\#(to)","until":1700524800}"#.utf8))
        #expect(call.headers["Latchkey-Reason"] == "ticket 5" && call.headers["If-Match"] == nil)
        let shown = try await browser.get(page).text
        #expect(shown.contains("246810") && shown.contains("2023-11-21 00:00 UTC"), "\(shown)")
        #expect(!shown.contains("/number/give-review-access") && shown.contains("/number/end-review-access"))
        #expect(try await !browser.get("/number?to=%2B15557654321").text.contains("246810"))
        var other = browser
        try other.signIn()
        #expect(try await !other.get(page).text.contains("246810"))
        until.withLock { $0 = 1_700_524_801 }
        #expect(try await !browser.get(page).text.contains("246810"), "another access has another code")
        _ = try await browser.post("/number/end-review-access", ["to": to, "reason": "ticket 6"])
        #expect(gateway.requests.last?.body.elementsEqual(#"{"phoneNumber":"\#(to)"}"#.utf8) == true)
        #expect(try await browser.get(page).text.contains("/number/give-review-access"))
        for day in ["", "2023-02-30", "1700524800"] {
            _ = try await browser.post("/number/give-review-access", ["to": to, "until": day, "reason": "a"])
            #expect(gateway.requests.last?.body.elementsEqual(#"{"phoneNumber":"\#(to)","until":0}"#.utf8) == true)
        }
        for path in ["/number/delete", "/person/usr_1/give-review-access"] {
            #expect(try await browser.post(path).status == 404)
        }
        #expect(try await !browser.get("/number?to=ann%40example.com").text.contains("/number/give-review-access"))
    }

    @Test func `who loses the role while a page is open is signed out`() async throws {
        let hasRole = Mutex(true)
        let gateway = FakeGateway { request in
            hasRole.withLock { $0 } || request.url.hasSuffix("/logout")
                ? FakeGateway.usual(request) : FakeGateway.problem(403, "forbidden")
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        #expect(try await browser.get("/person/usr_1").status == 200)
        hasRole.withLock { $0 = false }
        let answer = try await browser.post("/person/usr_1/delete", ["version": "v1"])
        #expect(answer.location == "/console/sign-in?note=notAdministrator" && browser.site.sessions.count == 0)
        #expect(answer.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(gateway.requests.last?.url.hasSuffix("/auth/logout") == true)
    }

    @Test(arguments: [
        ("/person/usr_1", "/sessions", "Sessions"), ("/person/usr_1", "/story", "What happened"),
        ("/number?to=%2B15551234567", "/trace", "Number"), ("/number", "/reviews", "Accounts under review"),
        ("/number", "/review-access", "Review access"),
        ("/money", "/spend", "Money"), ("/audit", "/audit", "Audit"),
    ])
    func `a service that is down leaves the rest of the page`(
        _ page: String, _ down: String, _ part: String
    ) async throws {
        let gateway = FakeGateway { request in
            request.url.prefix { $0 != "?" }.hasSuffix(down)
                ? FakeGateway.problem(503, "unavailable") : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        let answer = try await browser.get(page)
        #expect(
            answer.status == 200 && answer.text.contains("\(part): this part is not available now"), "\(answer.text)")
    }

    @Test func `without the gateway pages say so, and the session stays`() async throws {
        var browser = ConsoleBrowser(FakeGateway { _ in nil })
        try browser.signIn()
        #expect(try await browser.get("/person/usr_1").status == 503)
        #expect(try await browser.get("").text.contains("not available") && browser.site.sessions.count == 1)
    }

    @Test func `nonsense is refused in words`() async throws {
        let gateway = FakeGateway { request in
            if request.url.contains("user=usr_2") { return FakeGateway.problem(404, "user_not_found") }
            return request.url.contains("cursor=zzz")
                ? FakeGateway.problem(400, "invalid_request") : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        for (path, status) in [
            ("/person/usr_2", 404), ("/person/%3Cb%3E", 404), ("/audit?from=x&to=y", 400),
            ("/audit?from=1&to=2&cursor=zzz", 400), ("/audit?user=usr_2", 400),
            ("/nothing", 404), ("/person/usr_1/nothing", 404), ("/find?q=", 400), ("/audit?from=1&from=2&to=3", 400),
            ("/person/%ff", 400),
        ] {
            let answer = try await browser.get(path)
            #expect(answer.status == status && !answer.text.contains("<b>"), "\(path): \(answer.status)")
        }
        #expect(try await browser.post("/person/usr_1/explode").status == 404)
        let count = gateway.requests.count { $0.method != .get }
        #expect(try await browser.post("/person/usr_1/deactivate", ["reason": "a\r\nX: y"]).status == 400)
        #expect(gateway.requests.count { $0.method != .get } == count, "a form adds no header")
        #expect(
            try await browser.post("/person/usr_1/delete", ["reason": String(repeating: "x", count: 20_000)]).status
                == 400)
    }

    @Test(arguments: [
        ("+1 (555) 123-4567", "+15551234567"), ("0555/123.45", "055512345"), (" usr_1 ", "usr_1"),
        ("a-b@c-d.example", "a-b@c-d.example"),
        ("0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-70867728950e"), ("  ", ""), ("😀", "😀"),
    ])
    func `numbers are found as people write them`(_ typed: String, _ search: String) {
        #expect(ConsoleSite.searched(typed) == search)
    }

    @Test func `exports are files with a line for each response`() async throws {
        let gateway = FakeGateway { request in
            request.url.contains("cursor=n1")
                ? FakeGateway.json(#"{"records":[],"story":[],"liveSessions":[]}"#) : FakeGateway.usual(request)
        }
        var browser = ConsoleBrowser(gateway)
        try browser.signIn()
        for (path, lines) in [("/person/usr_1/export", 4), ("/audit/export?from=1&to=2", 2)] {
            let answer = try await browser.get(path)
            #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            #expect(answer.text.split(separator: "\n").count == lines, "\(answer.text)")
        }
    }
}
