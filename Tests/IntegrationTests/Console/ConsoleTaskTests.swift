import AuthAPI
import Glibc
import TestSupport
import Testing

/// howru with the API for administrators and the console.
enum ConsolePolicyFile {
    private static let isOn = ["  api: false": "  api: true", "  console: false": "  console: true"]
    static let path = KeyPolicy.write("console", changing: isOn)
    static let elsewhere = KeyPolicy.write(
        "console-elsewhere", changing: isOn.merging(["  # addresses: [10.0.0.0/8]": "  addresses: [192.0.2.1]"]) { $1 })
    static let environment = ["LATCHKEY_CONSOLE": "1", "LATCHKEY_POLICY": path]
}

extension Live {
    /// The tasks of the console, through all processes, by the forms of its pages.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(ConsolePolicyFile.environment))
    struct ConsoleTaskTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// A user with the role, and a browser in which they are signed in.
        private func administrator() async throws -> (id: String, phone: String, visitor: ConsoleVisitor) {
            let phone = LatchkeyStack.freshPhone()
            let id = try await stack.signIn(phone: phone).user.id
            try await stack.change(id, role: "admin")
            let visitor = ConsoleVisitor(stack.gateway)
            try await visitor.signIn(phone, stack)
            return (id, phone, visitor)
        }

        private func person(_ name: String = "Ann") async throws -> (id: String, phone: String, token: String) {
            let phone = LatchkeyStack.freshPhone()
            let signIn = try await stack.signIn(phone: phone, name: name)
            return (signIn.user.id, phone, signIn.tokens.accessToken)
        }

        private func isSignedIn(_ token: String) async throws -> Bool {
            try await stack.gateway.get("/users/me", bearer: token).status == 200
        }

        @Test func `only administrators sign in, and the cookie is for the browser alone`() async throws {
            let anna = try await person()
            let visitor = ConsoleVisitor(stack.gateway)
            let first = try await visitor.open("/console")
            #expect(first.status == 303 && first.headers["location"] == "/console/sign-in")
            try await visitor.submit("/console/sign-in", ["to": anna.phone])
            let wrong = try await visitor.submit("/console/sign-in/code", ["to": anna.phone, "code": "000000"])
            #expect(wrong.status == 401 && wrong.text.contains("role=\"alert\""))
            let code = try await stack.code(for: anna.phone)
            let refused = try await visitor.submit("/console/sign-in/code", ["to": anna.phone, "code": code])
            #expect(refused.status == 403 && visitor.cookie == nil)
            let admin = try await administrator()
            #expect(admin.visitor.cookie?.hasPrefix("latchkey-console=") == true)
            let out = try await admin.visitor.submit("/console/sign-out")
            #expect(out.status == 200 && admin.visitor.cookie == nil)
            #expect(try await admin.visitor.open("/console/money").status == 303)
        }

        @Test func `anybody is found by number, id or a part, and their page tells what happened`() async throws {
            let (anna, admin) = (try await person("<script>alert(1)</script>"), try await administrator())
            for search in [anna.phone, anna.id] {
                let found = try await admin.visitor.open("/console/find?q=\(search.replacing("+", with: "%2B"))")
                #expect(found.headers["location"] == "/console/person/\(anna.id)", "\(search): \(found.text)")
            }
            let page = try await admin.visitor.open("/console/person/\(anna.id)")
            #expect(page.status == 200 && page.body.count < 50_000 && !page.text.contains("<script"))
            #expect(page.text.contains("signed in") && page.text.contains(anna.phone))
            #expect(page.text.contains("by the administrator"), "the view itself is in the audit")
            for path in ["/console/person/usr_nonsense", "/console/person/%3Cb%3E"] {
                #expect(try await admin.visitor.open(path).status == 404)
            }
        }

        @Test func `sessions end one by one, or all`() async throws {
            let (anna, admin) = (try await person(), try await administrator())
            let second = try await stack.signIn(phone: anna.phone).tokens.accessToken
            let path = "/console/person/\(anna.id)"
            try await admin.visitor.open(path)
            let newest = try #require(admin.visitor.hidden("session"))
            let one = try await admin.visitor.submit("\(path)/end-session", ["session": newest])
            #expect(one.text.contains("role=\"status\"") && one.text.contains("end-session\""))
            try await eventually("the newer one has ended") { try await !isSignedIn(second) }
            #expect(try await isSignedIn(anna.token))
            let all = try await admin.visitor.submit("\(path)/end-sessions")
            #expect(all.status == 200 && !all.text.contains("end-session\""))
            try await eventually("the other one has ended") { try await !isSignedIn(anna.token) }
        }

        @Test func `a person is deactivated with a reason, and activated again`() async throws {
            let (anna, admin) = (try await person(), try await administrator())
            let path = "/console/person/\(anna.id)"
            try await admin.visitor.open(path)
            let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
            let done = try await admin.visitor.submit("\(path)/deactivate", ["reason": reason])
            #expect(done.text.contains("deactivated") && done.text.contains("role=\"status\""))
            let records = try await stack.sql(
                "users", "SELECT event FROM audit WHERE detail LIKE '%reason: \(reason)' ORDER BY at, number")
            #expect(records == ["user.rights_changed"])
            try await eventually("the person is signed out") { try await !isSignedIn(anna.token) }
            let again = try await admin.visitor.submit("\(path)/activate", ["reason": reason])
            #expect(again.text.contains(">active<"))
        }

        @Test func `a lost number is replaced, which can be taken back`() async throws {
            let (anna, admin) = (try await person(), try await administrator())
            let (path, number) = ("/console/person/\(anna.id)", LatchkeyStack.freshPhone())
            try await admin.visitor.open(path)
            let begun = try await admin.visitor.submit("\(path)/replace-number", ["number": number, "reason": "lost"])
            #expect(begun.text.contains("waits: \(number)") && begun.text.contains("keep-number"))
            let ended = try await admin.visitor.submit("\(path)/keep-number", ["reason": "found"])
            #expect(!ended.text.contains("waits:"))
            let wrong = try await admin.visitor.submit("\(path)/replace-number", ["number": "5", "reason": "lost"])
            #expect(wrong.status == 400 && wrong.text.contains("role=\"alert\"") && wrong.text.contains(anna.phone))
        }

        @Test func `an account is deleted, restored and exported`() async throws {
            let (anna, admin) = (try await person(), try await administrator())
            let path = "/console/person/\(anna.id)"
            try await admin.visitor.open(path)
            let deleted = try await admin.visitor.submit("\(path)/delete", ["reason": "asked for it"])
            #expect(deleted.text.contains("The data are removed at"))
            let restored = try await admin.visitor.submit("\(path)/restore", ["reason": "by mistake"])
            #expect(!restored.text.contains("The data are removed at"))
            let export = try await admin.visitor.open("\(path)/export")
            #expect(export.status == 200 && export.text.contains(anna.phone))
            #expect(export.headers["content-disposition"]?.hasPrefix("attachment") == true)
        }

        @Test func `the page of a number says why a code did not arrive`() async throws {
            let (anna, admin) = (try await person(), try await administrator())
            // Traces are written behind the response.
            try await eventually("the page has the code's way") {
                let page = try await admin.visitor.open("/console/number?to=\(anna.phone.replacing("+", with: "%2B"))")
                return page.status == 200 && page.text.contains("code entered") && page.text.contains("inbox")
            }
            for nonsense in ["%F0%9F%98%80", "abc"] {
                let answer = try await admin.visitor.open("/console/number?to=\(nonsense)")
                #expect(answer.status == 400 && answer.text.contains("role=\"alert\""), "\(nonsense)")
            }
        }

        @Test func `what is remembered of a number is cleared, so that it gets a code again`() async throws {
            let admin = try await administrator()
            let body = OTPRequestBody(phoneNumber: LatchkeyStack.freshPhone(), countryCode: "US")
            func request() async throws -> Int {
                try await stack.gateway.post("/auth/otp/request", encoding: body).status
            }
            var statuses: [Int] = []
            while statuses.count < 20, statuses.last != 429 { statuses.append(try await request()) }
            #expect(statuses.first == 200 && statuses.last == 429)
            try await admin.visitor.open("/console/number?to=\(body.phoneNumber.replacing("+", with: "%2B"))")
            let cleared = try await admin.visitor.submit(
                "/console/number/unlock", ["to": body.phoneNumber, "reason": "ticket 3"])
            #expect(cleared.status == 200 && cleared.text.contains("role=\"status\""), "\(cleared.text)")
            #expect(try await request() == 200)
        }

        @Test func `reviewers get a code by the page of a number, and lose it there`() async throws {
            let (admin, phone) = (try await administrator(), LatchkeyStack.freshPhone())
            let page = "/console/number?to=\(phone.replacing("+", with: "%2B"))"
            let empty = try await admin.visitor.open(page).text
            let day = try #require(empty.split(separator: "type=\"date\" required value=\"").last?.prefix(10))
            let given = try await admin.visitor.submit(
                "/console/number/give-review-access", ["to": phone, "until": String(day), "reason": "ticket 4"])
            #expect(given.status == 200 && given.text.contains("role=\"status\""), "\(given.text)")
            let code = try #require(given.text.split(separator: "(native): <strong>").last?.prefix { $0 != "<" })
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: String(code))
            let signedIn = try await stack.gateway.post("/auth/otp/verify", encoding: body)
            #expect(signedIn.status == 200, "\(signedIn.text)")
            let reply: SignInReply = try signedIn.decoded()
            let ended = try await admin.visitor.submit(
                "/console/number/end-review-access", ["to": phone, "reason": "ticket 5"])
            #expect(ended.status == 200 && !ended.text.contains(code) && ended.text.contains("give-review-access"))
            try await eventually("the reviewers are signed out") {
                try await !isSignedIn(reply.tokens.accessToken)
            }
            let person = try await self.person()
            try await admin.visitor.open("/console/number?to=\(person.phone.replacing("+", with: "%2B"))")
            let taken = try await admin.visitor.submit(
                "/console/number/give-review-access", ["to": person.phone, "until": String(day), "reason": "t"])
            #expect(taken.status == 409 && taken.text.contains("role=\"alert\""), "\(taken.text)")
            #expect(try await isSignedIn(person.token))
        }

        @Test func `money, today and the audit have a page each`() async throws {
            let admin = try await administrator()
            for path in ["/console", "/console/money", "/console/audit", "/console/number"] {
                let page = try await admin.visitor.open(path)
                #expect(page.status == 200 && page.body.count < 50_000, "\(path)")
                #expect(!page.text.contains("not available"), "\(path): \(page.text)")
            }
            let first = try await admin.visitor.open("/console/audit")
            #expect(first.text.contains("user.looked_up"))
            if let link = first.text.firstRange(of: "/console/audit?from=")?.lowerBound {
                let next = String(first.text[link...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
                #expect(try await admin.visitor.open(next).status == 200)
            }
            let export = try await admin.visitor.open("/console/audit/export?from=2026-01-01&to=2099-01-01")
            #expect(export.status == 200 && export.text.contains("user.looked_up"))
            for query in ["from=x&to=y", "from=2&to=1", "from=1&to=2&cursor=zzz"] {
                #expect(try await admin.visitor.open("/console/audit?\(query)").status == 400, "\(query)")
            }
        }

        // MARK: - Bad input and failures

        @Test func `of two administrators who change one user, the second is told`() async throws {
            let anna = try await person()
            let (one, other) = (try await administrator(), try await administrator())
            let path = "/console/person/\(anna.id)"
            try await one.visitor.open(path)
            try await other.visitor.open(path)
            #expect(try await one.visitor.submit("\(path)/deactivate", ["reason": "a"]).status == 200)
            let late = try await other.visitor.submit("\(path)/delete", ["reason": "b"])
            #expect(late.status == 412 && late.text.contains("Somebody else") && late.text.contains("deactivated"))
            // The page shows the person as they are now, so that the form works if it is still right.
            #expect(try await other.visitor.submit("\(path)/activate", ["reason": "c"]).status == 200)
        }

        @Test func `who loses the role while a page is open does nothing more`() async throws {
            let anna = try await person()
            let (admin, keeper) = (try await administrator(), try await administrator())
            let path = "/console/person/\(anna.id)"
            try await admin.visitor.open(path)
            try await stack.change(admin.id, role: "user")
            let answer = try await admin.visitor.submit("\(path)/delete", ["reason": "late"])
            #expect(answer.text.contains("role=\"status\"") && admin.visitor.cookie == nil, "\(answer.text)")
            #expect(try await isSignedIn(anna.token))
            #expect(try await keeper.visitor.open(path).status == 200)
        }

        @Test func `a page of another site, and a form of another session, change nothing`() async throws {
            let (anna, admin, other) = (try await person(), try await administrator(), try await administrator())
            let path = "/console/person/\(anna.id)"
            try await other.visitor.open(path)
            try await admin.visitor.open(path)
            let foreign = try await admin.visitor.submit(
                "\(path)/delete", ["reason": "x", "guard": other.visitor.hidden("guard") ?? ""])
            #expect(foreign.status == 403)
            try await admin.visitor.open(path)
            admin.visitor.headers = [("Origin", "https://evil.example")]
            #expect(try await admin.visitor.submit("\(path)/delete", ["reason": "x"]).status == 403)
            #expect(try await isSignedIn(anna.token))
        }

        /// geoffhumphrey/brewcompetitiononlineentry#1673: the form of one tab made those of all others useless.
        @Test func `forms of several tabs work, in any order`() async throws {
            let (anna, betty, admin) = (try await person(), try await person("Betty"), try await administrator())
            let (first, second) = ("/console/person/\(anna.id)", "/console/person/\(betty.id)")
            try await admin.visitor.open(first)
            let form = try [
                "reason": "a", "guard": #require(admin.visitor.hidden("guard")),
                "version": #require(admin.visitor.hidden("version")),
            ]
            try await admin.visitor.open(second)
            for (path, fields) in [(second, ["reason": "b"]), (first, form)] {
                let done = try await admin.visitor.submit("\(path)/deactivate", fields)
                #expect(done.status == 200 && done.text.contains("role=\"status\""), "\(done.text)")
            }
        }

        @Test(arguments: [("token", "Sessions"), ("otp", "Number")])
        func `a service that is down leaves the rest of the page`(_ service: String, _ part: String) async throws {
            let (anna, admin) = (try await person(), try await administrator())
            let path =
                service == "otp"
                ? "/console/number?to=\(anna.phone.replacing("+", with: "%2B"))" : "/console/person/\(anna.id)"
            try await stack.without([service]) {
                try await eventually("the page says what is missing") {
                    let page = try await admin.visitor.open(path)
                    return page.status == 200 && page.text.contains("\(part): this part is not available now")
                }
            }
            try await eventually("all is back") {
                let page = try await admin.visitor.open(path)
                return page.status == 200 && !page.text.contains("not available now")
            }
        }

        @Test func `the end of the console changes nothing for users, and signs administrators out`() async throws {
            let (anna, admin) = (try await person(), try await administrator())
            try stack.signal("console", SIGKILL)
            for _ in 1...20 { #expect(try await isSignedIn(anna.token)) }
            try await eventually("the console is back, without sessions") {
                let answer = try await admin.visitor.open("/console/money")
                return answer.status == 303 && answer.headers["location"]?.hasPrefix("/console/sign-in") == true
            }
        }

        @Test func `past the gateway there is no console`() async throws {
            let console = try stack.service("console")
            #expect(try await console.get("/console/sign-in").status == 400)
            #expect(try await stack.gateway.get("/console/nothing").status == 303)
        }
    }

    /// The console at addresses that are not an administrator's.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_CONSOLE": "1", "LATCHKEY_POLICY": ConsolePolicyFile.elsewhere]))
    struct ConsoleAddressTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test(arguments: ["/console", "/console/sign-in", "/console/style.css", "/admin/keys"])
        func `nothing is there, whatever the request states`(_ path: String) async throws {
            let token = try await stack.signIn().tokens.accessToken
            for headers in [
                [], [("Latchkey-Console", "192.0.2.1;99999999999;k1;AAAA")], [("X-Forwarded-For", "192.0.2.1")],
            ] as [[(String, String)]] {
                let answer = try await stack.gateway.send(
                    "GET", path, headers: headers + [("Authorization", "Bearer \(token)")])
                #expect(answer.status == 404, "\(path) \(headers): \(answer.status)")
            }
        }
    }
}
