import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// All five documents' APIs in one deployment, over the same users.
    @Suite(
        .serialized, .timeLimit(.minutes(6)),
        .stack(["LATCHKEY_POLICY": FiveDialectsPolicy.path, "LATCHKEY_ENV": "uat"]))
    struct FiveDialectsTests {
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
            try await Task.sleep(for: .milliseconds(100))
            for (dialect, session) in sessions {
                let answer = try await calls.refresh(session.refresh, in: dialect)
                try calls.inactive(dialect).check(answer)
            }
            let login = try await calls.logIn(person, in: "voltyks")
            try FiveDialectsCalls.envelope("InvalidCredentials").check(login)
            let signIn = try await calls.logIn(person, in: "gremlin")
            try FiveDialectsCalls.forbidden("ACCOUNT_INACTIVE", isActive: false).check(signIn)
            #expect(try await calls.logIn(person, in: "uta").text.contains("account_inactive"))
        }

        @Test func `voltyks' three refusals are those of its document, and a spent token spares the session`()
            async throws
        {
            let person = try await calls.movedIn()
            let first = try #require(try await calls.signInEverywhere(person)["voltyks"])
            let second = try await calls.refresh(first.refresh, in: "voltyks").json["data"]
            let token = try #require(second?["refreshToken"]?.stringValue)
            let third = try await calls.refresh(token, in: "voltyks").json["data"]
            let last = try #require(third?["refreshToken"]?.stringValue)
            // Used once before, and used twice before.
            for spent in [token, first.refresh] {
                try FiveDialectsCalls.envelope("RefreshTokenMismatch").check(
                    try await calls.refresh(spent, in: "voltyks"))
            }
            try calls.refreshed("voltyks").check(try await calls.refresh(last, in: "voltyks"))
            let audited = try await stack.sql("tokens", "SELECT count(*) FROM audit WHERE event = 'session.reused'")
            #expect(audited == ["2"], "\(audited)")
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
            headers: [String], message: String
        ) async throws {
            for path in ["/api/Auth/RefreshToken", "/api/auth/refreshtoken", "/API/AUTH/REFRESHTOKEN"] {
                let answer = try await stack.gateway.send(
                    "POST", path,
                    headers: headers.map { ("Authorization", $0) } + [("Content-Type", "application/json")])
                try FiveDialectsCalls.envelope(message).check(answer)
                #expect(answer.status == 401)
            }
        }

        @Test func `administrators of gremlin page through all users; a token of before is not enough`() async throws {
            let person = try await calls.movedIn()
            let session = try #require(try await calls.signInEverywhere(person)["gremlin"])
            let id = try #require(try TokenParts(session.access).claims["sub"]?.stringValue)
            func users(_ query: String = "", _ token: String) async throws -> HTTPAnswer {
                try await stack.gateway.get("/api/admin/users\(query)", bearer: token)
            }
            try FiveDialectsCalls.forbidden("FORBIDDEN", isActive: true).check(try await users("", session.access))
            try await stack.change(id, role: "admin")
            let admin = try await calls.session(of: person, in: "gremlin").access
            var (seen, cursor): ([String], String) = ([], "")
            repeat {
                let page = try await users("?limit=2&cursor=\(cursor)", admin).json
                let ids = page["users"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
                #expect((0...2).contains(ids.count))
                seen += ids
                cursor = page["nextCursor"]?.stringValue ?? ""
            } while !cursor.isEmpty && seen.count < 1_000
            #expect(seen.contains(id) && Set(seen).count == seen.count)
            #expect(seen == seen.sorted(by: >))
            for query in ["?cursor=x", "?cursor=\(id)0", "?cursor=\(id)&cursor=\(id)", "?limit=101", "?limit=0"] {
                try FiveDialectsCalls.coded(400, "INVALID_REQUEST").check(try await users(query, admin))
            }
            try await stack.change(id, role: "user")
            let refused = try await users("", admin)
            #expect([401, 403].contains(refused.status), "\(refused.text)")
            let looks = try await stack.sql(
                "users",
                "SELECT count(*) FROM audit WHERE event = 'user.looked_up' AND session_id IS NOT NULL AND detail LIKE 'list:%'"
            )
            #expect((Int(looks.first ?? "") ?? 0) > 0)
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
                let refused = try await change(body)
                #expect(refused.status == 400 && refused.text.contains("not_assignable"), "\(refused.text)")
            }
            #expect(try await change(#"{"id":5}"#).status == 400)
            #expect(
                try await stack.gateway.get("/auth/me", bearer: session.access).json["name"]?.stringValue == "Betty")
        }

        @Test func `uta's link confirms alone, on its page by one button, and a native one does not`() async throws {
            let address = LatchkeyStack.freshAddress()
            let body = RegisterBody(email: address, password: LatchkeyStack.freshPassword)
            let registered = try await calls.post("/auth/register", body, host: FiveDialectsPolicy.utaHost)
            #expect(registered.status == 200, "\(registered.text)")
            let link = try await stack.mailedLink(to: address, at: "/auth/verify-email")
            #expect(try await stack.messages(to: address).first?.text.contains("whoever chose the password") == true)
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
            #expect(try await stack.register(other).status == 200)
            let native = try await stack.mailedLink(to: other, at: "/auth/verify-email")
            let alone = try await calls.post(
                native.path, ["token": native.token], host: FiveDialectsPolicy.utaHost)
            #expect(alone.status == 400 && alone.text.contains("wrong_password"), "\(alone.text)")
            let second = LatchkeyStack.freshAddress()
            let again = RegisterBody(email: second, password: LatchkeyStack.freshPassword)
            #expect(try await calls.post("/auth/register", again, host: FiveDialectsPolicy.utaHost).status == 200)
            let third = try await stack.mailedLink(to: second, at: "/auth/verify-email")
            let printed = try await calls.post(third.path, ["token": third.token], host: FiveDialectsPolicy.utaHost)
            #expect(printed.status == 200, "\(printed.text)")
        }

        @Test func `what the edge refuses has the shape of the path's dialect, or of the host's`() async throws {
            func problem(_ answer: HTTPAnswer, _ status: Int) throws {
                #expect(answer.status == status && answer.headers["content-type"] == "application/problem+json")
                #expect(try answer.json["status"]?.integerValue == Int64(status))
            }
            try problem(try await calls.get("/api/chargers", host: FiveDialectsPolicy.voltyksHost), 401)
            try problem(try await calls.get("/nowhere", host: FiveDialectsPolicy.voltyksHost), 404)
            try problem(try await calls.get("/api/Auth/Login", host: nil), 405)
            try FiveDialectsCalls.coded(401, "MISSING_TOKEN").check(try await calls.get("/api/gremlin/x", host: nil))
            try FiveDialectsCalls.coded(401, "MISSING_TOKEN").check(try await calls.get("/api/admin/users", host: nil))
            try FiveDialectsCalls.coded(405, "METHOD_NOT_ALLOWED").check(
                try await calls.get("/api/auth/refresh", host: nil))
            try AarokyaCalls.missingToken.check(try await calls.get("/api/aarokya/x", host: nil))
            let person = try await calls.movedIn()
            let session = try #require(try await calls.signInEverywhere(person)["gremlin"])
            try FiveDialectsCalls.forbidden("FORBIDDEN", isActive: true)
                .check(try await stack.gateway.get("/api/gremlin/x", bearer: session.access))
        }

        @Test func `a body that is too large is refused in each one's shape`() async throws {
            let body = Array(#"{"email":"\#(String(repeating: "a", count: 20_000))"}"#.utf8)
            func post(_ path: String) async throws -> HTTPAnswer {
                try await stack.gateway.send("POST", path, headers: [("Content-Type", "application/json")], body: body)
            }
            let voltyks = try await post("/api/Auth/RefreshToken")
            #expect(try voltyks.status == 413 && voltyks.json["status"]?.integerValue == 413)
            try FiveDialectsCalls.coded(413, "BODY_TOO_LARGE").check(try await post("/api/auth/refresh"))
            let aarokya = try await post("/auth/token/refresh")
            #expect(try aarokya.status == 413 && aarokya.json["error"]?.stringValue == "BODY_TOO_LARGE")
            #expect(try await post("/auth/login").text.contains("body_too_large"))
        }

        @Test func `without token-service every refresh is 503 in its own shape, and goes on afterwards`() async throws
        {
            let person = try await calls.movedIn()
            let sessions = try await calls.signInEverywhere(person)
            try await stack.without(["token"]) {
                for (dialect, session) in sessions {
                    let answer = try await calls.refresh(session.refresh, in: dialect)
                    #expect(answer.status == 503 && answer.retryAfter > 0, "\(dialect): \(answer.text)")
                    switch dialect {
                    case "gremlin": try FiveDialectsCalls.coded(503, "UNAVAILABLE").check(answer)
                    case "aarokya": #expect(try answer.json["error"]?.stringValue == "UNAVAILABLE")
                    default: #expect(try answer.json["status"]?.integerValue == 503, "\(dialect)")
                    }
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
