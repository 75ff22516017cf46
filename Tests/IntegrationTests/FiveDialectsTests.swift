import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// All five documents' APIs in one deployment, over the same users.
    @Suite(.serialized, .timeLimit(.minutes(6)), .fiveDialects) struct FiveDialectsTests {
        let stack: LatchkeyStack
        let calls: FiveDialectsCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = FiveDialectsCalls(stack: stack)
        }

        @Test func `one user has a session in each, by two algorithms and four lifetimes`() async throws {
            let person = try await calls.movedIn()
            let tokens = try await calls.signInEverywhere(person).mapValues { try TokenParts($0.access) }
            #expect(Set(tokens.values.compactMap { $0.claims["sub"]?.stringValue }).count == 1)
            let expected: [String: (String, Int64)] = [
                "native": ("RS256", 3_600), "aarokya": ("HS256", 86_400), "voltyks": ("HS256", 1_800),
                "gremlin": ("RS256", 3_600), "uta": ("RS256", 1_800),
            ]
            for (dialect, rules) in expected {
                let parts = try #require(tokens[dialect], "\(dialect)")
                #expect(parts.header["alg"]?.stringValue == rules.0 && parts.lifetime == rules.1, "\(dialect)")
            }
            for dialect in ["voltyks", "gremlin", "uta"] {
                #expect(tokens[dialect]?.claims["email"]?.stringValue == person.address)
                #expect(tokens[dialect]?.claims["role"]?.stringValue == "user")
            }
        }

        @Test func `each session goes on in its own words, and the app's API takes the token of each`() async throws {
            let person = try await calls.movedIn()
            for (dialect, session) in try await calls.signInEverywhere(person) {
                #expect(try await stack.gateway.get("/api/hello", bearer: session.access).status == 200, "\(dialect)")
                let answer = try await calls.refresh(session.refresh, in: dialect)
                try calls.refreshed(dialect).check(answer)
            }
        }

        @Test func `a deactivation ends the sessions of all, each told in its own words`() async throws {
            let person = try await calls.movedIn()
            let sessions = try await calls.signInEverywhere(person)
            let native = try #require(sessions["native"])
            let id = try #require(try TokenParts(native.access).claims["sub"]?.stringValue)
            try await stack.change(id, isActive: false)
            try await Task.sleep(for: .milliseconds(500))
            for (dialect, session) in sessions {
                let answer = try await calls.refresh(session.refresh, in: dialect)
                try calls.inactive(dialect).check(answer)
            }
            try VoltyksCalls.invalidCredentials.check(try await calls.logIn(person, in: "voltyks"))
            for dialect in ["gremlin", "uta"] {
                try calls.inactive(dialect).check(try await calls.logIn(person, in: dialect))
            }
        }

        @Test func `voltyks' three refusals are those of its document, and a used token spares the session`()
            async throws
        {
            let person = try await calls.movedIn()
            let first = try #require(try await calls.signInEverywhere(person)["voltyks"])
            let second = try await calls.refresh(first.refresh, in: "voltyks").json["data"]
            let token = try #require(second?["refreshToken"]?.stringValue)
            let third = try await calls.refresh(token, in: "voltyks").json["data"]
            let last = try #require(third?["refreshToken"]?.stringValue)
            // Used once before, and used twice before.
            for used in [token, first.refresh] {
                try VoltyksCalls.mismatch.check(try await calls.refresh(used, in: "voltyks"))
            }
            let session = "SELECT sid FROM sessions WHERE \(try LatchkeyStack.row(of: last))"
            let audited = try await stack.sql(
                "tokens", "SELECT count(*) FROM audit WHERE event = 'session.reused' AND sid = (\(session))")
            #expect(audited == ["2"], "\(audited)")
            try calls.refreshed("voltyks").check(try await calls.refresh(last, in: "voltyks"))
        }

        @Test(
            arguments: [
                ([], "Refresh token not found"), (["Bearer "], "Invalid refresh token format"),
                (["Basic dTpw"], "Invalid refresh token format"), (["Bearer nonsense"], "Invalid refresh token format"),
                (
                    ["Bearer \(String(repeating: "0", count: 64))", "Bearer \(String(repeating: "0", count: 64))"],
                    "Invalid refresh token format"
                ),
                (["Bearer 555dce3b-198f-426d-b0be-92d234747cc3"], "RefreshTokenMismatch"),
                (["Bearer \(String(repeating: "0", count: 64))"], "RefreshTokenMismatch"),
            ] as [([String], String)])
        func `what is no token of voltyks is refused by its kind, in every spelling of the path`(
            bearers: [String], message: String
        ) async throws {
            for path in [VoltyksCalls.refreshPath, "/api/auth/refreshtoken", "/API/AUTH/REFRESHTOKEN"] {
                try VoltyksCalls.refusal(message).check(try await calls.refresh(bearers: bearers, path: path))
            }
        }

        @Test func `administrators of gremlin page through all users; a token of before is not enough`() async throws {
            let person = try await calls.movedIn()
            let before = try await calls.session(of: person, in: "gremlin")
            let id = try #require(try TokenParts(before.access).claims["sub"]?.stringValue)
            let gremlin = GremlinCalls(gateway: stack.gateway)
            let forbidden = GremlinCalls.forbidden("FORBIDDEN", isActive: true)
            try forbidden.check(try await gremlin.users(before.access))
            try await stack.change(id, role: "admin")
            let admin = try await calls.session(of: person, in: "gremlin")
            let pages = try await pages(gremlin, admin.access)
            let seen = pages.flatMap(\.self)
            #expect(seen.contains(id) && Set(seen).count == seen.count && seen == seen.sorted(by: >))
            for query in ["?cursor=x", "?cursor=\(id)0", "?cursor=\(id)&cursor=\(id)", "?limit=101", "?limit=0"] {
                try GremlinCalls.refusal(400, "INVALID_REQUEST").check(
                    try await gremlin.users(admin.access, query: query))
            }
            try await stack.change(id, role: "user")
            try await Task.sleep(for: .milliseconds(500))
            try GremlinCalls.refusal(401, "INVALID_TOKEN").check(try await gremlin.users(admin.access))
            try forbidden.check(try await gremlin.users(try await gremlin.refreshed(admin.refresh).token))
            // One a page, and of two refusals of the hour the first.
            let looks = try pages.map { "user.looked_up list: \($0.count) \(try Self.session(admin))" }
            #expect(try await audit(of: id) == ["user.look_refused list \(try Self.session(before))"] + looks)
        }

        private static func session(_ session: FiveDialectsCalls.Session) throws -> String {
            try #require(try TokenParts(session.access).claims["sid"]?.stringValue)
        }

        /// The ids of all users, two a page.
        private func pages(_ gremlin: GremlinCalls, _ token: String) async throws -> [[String]] {
            var (pages, cursor): ([[String]], String) = ([], "")
            repeat {
                let page = try await gremlin.users(token, query: "?limit=2&cursor=\(cursor)").json
                pages.append(try #require(page["users"]?.arrayValue).compactMap { $0["id"]?.stringValue })
                cursor = page["nextCursor"]?.stringValue ?? ""
            } while !cursor.isEmpty && pages.count < 500
            return pages
        }

        /// Returns the audited views of a user, refused ones too.
        private func audit(of user: String) async throws -> [String] {
            try await stack.sql(
                "users",
                """
                SELECT event || ' ' || detail || ' ' || session_id FROM audit JOIN users ON subject = pseudonym
                WHERE lower(hex(users.id)) = '\(user.suffix(32))' AND event LIKE 'user.look%' ORDER BY audit.number
                """)
        }

        @Test func `uta's profile takes its own id and address, and no other`() async throws {
            let person = try await calls.movedIn()
            let session = try #require(try await calls.signInEverywhere(person)["uta"])
            let headers = [("Authorization", "Bearer \(session.access)"), ("Content-Type", "application/json")]
            func change(_ body: String) async throws -> HTTPAnswer {
                try await stack.gateway.send("PATCH", "/auth/profile", headers: headers, body: Array(body.utf8))
            }
            let me = try await stack.gateway.get("/auth/me", bearer: session.access)
            let id = try #require(try me.json["id"]?.stringValue)
            #expect(try me.json["email"]?.stringValue == person.address)
            let own = try await change(#"{"id":"\#(id)","email":"\#(person.address)","name":"Betty"}"#)
            #expect(own.status == 200, "\(own.text)")
            #expect(try own.json["name"]?.stringValue == "Betty")
            for body in [#"{"id":"usr_1","name":"C"}"#, #"{"email":"other@example.com","name":"C"}"#] {
                try calls.refusal(400, "not_assignable", in: "uta").check(try await change(body))
            }
            try calls.refusal(400, "invalid_request", in: "uta").check(try await change(#"{"id":5}"#))
            #expect(
                try await stack.gateway.get("/auth/me", bearer: session.access).json["name"]?.stringValue == "Betty")
        }

        @Test func `uta's link confirms alone, on its page by one button, and a native one does not`() async throws {
            let address = LatchkeyStack.freshAddress()
            let body = RegisterBody(email: address, password: LatchkeyStack.freshPassword)
            let registered = try await calls.register(body, in: "uta")
            #expect(registered.status == 200, "\(registered.text)")
            let link = try await stack.mailedLink(to: address, at: "/auth/verify-email")
            #expect(try await stack.messages(to: address).first?.text.contains("person who chose the password") == true)
            let page = try await stack.gateway.send(
                "GET", "\(link.path)?token=\(link.token)", headers: [("Host", FiveDialectsPolicy.utaHost)])
            #expect(page.status == 200 && page.text.contains("<button>") && !page.text.contains("type=\"password\""))
            let confirmed = try await stack.gateway.send(
                "POST", link.path,
                headers: [
                    ("Host", FiveDialectsPolicy.utaHost), ("Content-Type", "application/x-www-form-urlencoded"),
                ], body: Array("token=\(link.token)".utf8))
            #expect(confirmed.status == 200, "\(confirmed.text)")
            #expect(
                try await calls.logIn(.init(address: address, password: LatchkeyStack.freshPassword), in: "uta").status
                    == 200)

            let other = LatchkeyStack.freshAddress()
            #expect(try await patiently { try await stack.register(other) }.status == 200)
            let native = try await stack.mailedLink(to: other, at: "/auth/verify-email")
            let alone = try await calls.post(
                native.path, ["token": native.token], host: FiveDialectsPolicy.utaHost)
            try calls.refusal(400, "wrong_password", in: "uta").check(alone)
            let second = LatchkeyStack.freshAddress()
            let again = RegisterBody(email: second, password: LatchkeyStack.freshPassword)
            #expect(try await calls.register(again, in: "uta").status == 200)
            let third = try await stack.mailedLink(to: second, at: "/auth/verify-email")
            let printed = try await calls.post(third.path, ["token": third.token], host: FiveDialectsPolicy.utaHost)
            #expect(printed.status == 200, "\(printed.text)")
        }

        @Test func `what the edge refuses has the shape of the path's dialect, or of the host's`() async throws {
            func check(_ status: Int, _ code: String, in dialect: String, _ path: String) async throws {
                try calls.refusal(status, code, in: dialect).check(try await calls.send("GET", path, in: dialect))
            }
            // aarokya's, where nothing else says whose: it stands first.
            for dialect in ["aarokya", "voltyks", "uta"] {
                try await check(401, "missing_token", in: dialect, "/api/chargers")
            }
            // Except for unknown paths: a problem does not sign a phone of voltyks out.
            for dialect in ["native", "voltyks", "uta"] { try await check(404, "not_found", in: dialect, "/nowhere") }
            for dialect in FiveDialectsCalls.dialects {
                try await check(405, "method_not_allowed", in: dialect, FiveDialectsCalls.refreshPath(dialect))
            }
            for path in ["/api/gremlin/x", GremlinCalls.usersPath] {
                try await check(401, "missing_token", in: "gremlin", path)
            }
            try await check(401, "missing_token", in: "aarokya", "/api/aarokya/x")
            let session = try await calls.session(of: try await calls.movedIn(), in: "gremlin")
            try GremlinCalls.forbidden("FORBIDDEN", isActive: true)
                .check(try await stack.gateway.get("/api/gremlin/x", bearer: session.access))
        }

        @Test(arguments: FiveDialectsCalls.dialects)
        func `a body that is too large is refused in each one's shape`(dialect: String) async throws {
            let body = ["email": String(repeating: "a", count: 20_000)]
            let answer = try await calls.post(
                FiveDialectsCalls.refreshPath(dialect), body, host: FiveDialectsCalls.host(dialect))
            try calls.refusal(413, "body_too_large", in: dialect).check(answer)
        }

        @Test(arguments: FiveDialectsCalls.dialects)
        func `who asks too often is told so in each one's shape, at its paths and at the app's`(
            dialect: String
        ) async throws {
            let own = FiveDialectsCalls.refreshPath(dialect)
            for (method, path) in [("POST", own), ("GET", FiveDialectsCalls.path("limited", "x", in: dialect))] {
                let answer = try await calls.limited(method, path, in: dialect)
                try calls.refusal(429, "rate_limited", in: dialect).check(answer)
                #expect((1...3_600).contains(answer.retryAfter), "\(path): \(answer.headers)")
            }
        }

        @Test(arguments: [
            ("troubled", "closed", 502, "bad_gateway"), ("away", "x", 503, "unavailable"),
            ("troubled", "silent", 504, "upstream_timeout"),
        ])
        func `an app in trouble is told in each one's shape`(
            place: String, trouble: String, status: Int, code: String
        ) async throws {
            let calls = calls
            // All at once, since each waits for the app as long as its route lets it.
            let answers = try await concurrently(FiveDialectsCalls.dialects.count) { number in
                let dialect = FiveDialectsCalls.dialects[number]
                let path = FiveDialectsCalls.path(place, trouble, in: dialect)
                return (dialect, try await calls.send("GET", path, in: dialect))
            }
            #expect(answers.count == 5)
            for (dialect, answer) in answers { try calls.refusal(status, code, in: dialect).check(answer) }
        }

        @Test func `without token-service every refresh is 503 in its own shape, and goes on afterwards`() async throws
        {
            let person = try await calls.movedIn()
            let sessions = try await calls.signInEverywhere(person)
            try await stack.without(["token"]) {
                for (dialect, session) in sessions {
                    let answer = try await calls.refresh(session.refresh, in: dialect)
                    try calls.refusal(503, "unavailable", in: dialect).check(answer)
                    #expect(answer.retryAfter > 0, "\(dialect): \(answer.headers)")
                }
            }
            for (dialect, session) in sessions {
                try await eventually("\(dialect) goes on") {
                    try await calls.refresh(session.refresh, in: dialect).status == 200
                }
            }
        }
    }
}
