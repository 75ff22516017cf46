import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// howru with the API for administrators.
private enum AdminPolicyFile {
    static let limited = KeyPolicy.write(
        "admin-limited",
        changing: [
            "  api: false": "  api: true",
            "  limit: { max: 300, windowSeconds: 60 }": "  limit: { max: 3, windowSeconds: 86400 }",
        ])
    static let path = KeyPolicy.write("admin", changing: ["  api: false": "  api: true"])
    static let elsewhere = KeyPolicy.write(
        "admin-elsewhere",
        changing: ["  api: false": "  api: true", "  # addresses: [10.0.0.0/8]": "  addresses: [192.0.2.1]"])
}

extension Live {
    /// The API for administrators, through all processes: who may do what, and what is left in the audit.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_POLICY": AdminPolicyFile.path]))
    struct AdminAPITests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        struct Person {
            let id: String
            let phone: String
            let token: String
        }

        func person(role: String? = nil) async throws -> Person {
            let phone = LatchkeyStack.freshPhone()
            var signIn = try await stack.signIn(phone: phone)
            if let role {
                try await stack.change(signIn.user.id, role: role)
                signIn = try await stack.signIn(phone: phone)
            }
            return Person(id: signIn.user.id, phone: phone, token: signIn.tokens.accessToken)
        }

        func send(
            _ method: String, _ path: String, _ token: String?, _ body: String? = nil, headers: [(String, String)] = []
        ) async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    method, path,
                    headers: headers + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                        + (body == nil ? [] : [("Content-Type", "application/json")]), body: body.map { Array($0.utf8) }
                )
            }
        }

        /// Every operation on a user, with a body that is right.
        private static func operations(on id: String) -> [(method: String, path: String, body: String?)] {
            [
                ("GET", "/admin/users", nil), ("GET", "/admin/users/\(id)", nil),
                ("GET", "/admin/users/\(id)/sessions", nil), ("PATCH", "/admin/users/\(id)", #"{"name":"Ann"}"#),
                ("DELETE", "/admin/users/\(id)/sessions/x", nil),
                ("POST", "/admin/users/\(id)/replace-phone", #"{"phoneNumber":"+15551230000"}"#),
                ("DELETE", "/admin/users/\(id)/replace-phone", nil),
                ("POST", "/admin/invitations", #"{"to":"\#(LatchkeyStack.freshPhone())"}"#),
                ("POST", "/admin/users", #"{"phoneNumber":"\#(LatchkeyStack.freshPhone())"}"#),
                ("DELETE", "/admin/users/\(id)/sessions", nil), ("DELETE", "/admin/users/\(id)", nil),
                ("POST", "/admin/users/\(id)/restore", nil),
            ]
        }

        /// The records about users that were made with a reason.
        func records(_ reason: String) async throws -> [String] {
            try await stack.sql(
                "users", "SELECT event FROM audit WHERE detail LIKE '%reason: \(reason)' ORDER BY at, number")
        }

        // MARK: - Who may

        @Test func `only an administrator whose row says so may do anything`() async throws {
            let (anna, user) = (try await person(), try await person())
            let (inactive, taken) = (try await person(role: "admin"), try await person(role: "admin"))
            _ = try await person(role: "admin")
            try await stack.change(inactive.id, isActive: false)
            // The token of a role that was taken is refused by its version; one that the edge has not heard of yet is refused by
            // the row.
            try await stack.change(taken.id, role: "user")
            let before = try await send("GET", "/users/me", anna.token).text
            for operation in Self.operations(on: anna.id) {
                for (caller, token, statuses) in [
                    ("nobody", nil, [401]), ("garbage", "garbage", [401]), ("a user", user.token, [403]),
                    ("the user", anna.token, [403]), ("inactive", inactive.token, [403]),
                    ("taken", taken.token, [401, 403]),
                ] as [(String, String?, [Int])] {
                    let answer = try await send(operation.method, operation.path, token, operation.body)
                    let exchange = "\(operation) by \(caller): \(answer.status) \(answer.text)"
                    #expect(statuses.contains(answer.status), "\(exchange)")
                    #expect(!answer.text.contains(anna.phone), "\(exchange)")
                }
            }
            #expect(try await send("GET", "/users/me", anna.token).text == before)
        }

        @Test func `an administrator may do everything, and each act has its record with the reason`() async throws {
            let (admin, anna) = (try await person(role: "admin"), try await person())
            let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
            var made: [String] = []
            for (index, operation) in Self.operations(on: anna.id).enumerated() {
                let answer = try await send(
                    operation.method, operation.path, admin.token, operation.body,
                    headers: [("Latchkey-Reason", "\(reason) \(index)")])
                let isUnknown = operation.path.hasSuffix("/sessions/x")
                let isPage = operation.path == "/admin/users" && operation.method == "GET"
                let isNew = operation.path == "/admin/users" && !isPage
                #expect(
                    answer.status == (isUnknown ? 404 : isNew ? 201 : 200),
                    "\(operation): \(answer.status) \(answer.text)")
                let own = try await records("\(reason) \(index)")
                #expect(isPage ? own.count > 1 : own.count == (isUnknown ? 0 : 1), "\(operation): \(own)")
                made += own
            }
            for event in [
                "user.looked_up", "user.rights_changed", "user.phone_change_begun", "user.invited", "user.created",
                "user.sessions_ended",
                "user.deletion_requested", "user.restored",
            ] {
                #expect(made.contains(event), "\(event) in \(made)")
            }
            let ended = try await send("GET", "/users/me", anna.token)
            #expect(ended.status == 401)
            try await stack.expectSoundAudit(of: "users")
        }

        @Test func `a user is found by number and id, and one session ends alone`() async throws {
            let (admin, anna) = (try await person(role: "admin"), try await person())
            let second = try await stack.signIn(phone: anna.phone).tokens.accessToken
            for search in [anna.phone.replacing("+", with: "%2B"), String(anna.phone.dropLast(2)), anna.id] {
                let found = try await send("GET", "/admin/users?limit=100&search=\(search)", admin.token)
                #expect(found.status == 200 && found.text.contains(anna.id), "\(search): \(found.text)")
            }
            let list = try await send("GET", "/admin/users/\(anna.id)/sessions", admin.token)
            let sessions: SessionList = try list.decoded()
            #expect(sessions.sessions.count == 2)
            let session = try #require(try TokenParts(second).claims["sid"]?.stringValue)
            let others = try await send("DELETE", "/admin/users/\(admin.id)/sessions/\(session)", admin.token)
            #expect(others.status == 404)
            let end = try await send("DELETE", "/admin/users/\(anna.id)/sessions/\(session)", admin.token)
            #expect(end.status == 200 && end.text.contains(#""endedCount":1"#), "\(end.text)")
            try await eventually("the session has ended") { try await send("GET", "/users/me", second).status == 401 }
            #expect(try await send("GET", "/users/me", anna.token).status == 200)
        }

        @Test func `a review is listed, blocks the account and is cleared`() async throws {
            let (admin, anna) = (try await person(role: "admin"), try await person())
            _ = try await stack.sql(
                "users",
                """
                INSERT INTO reviews (user_id, since, opened_at) SELECT user_id, 1, 2 FROM identities
                WHERE value = '\(anna.phone)'
                """)
            func listed() async throws -> Bool {
                try await send("GET", "/admin/reviews", admin.token).text.contains(anna.id)
            }
            func decide(_ decision: String) async throws -> HTTPAnswer {
                try await send("POST", "/admin/reviews/\(anna.id)", admin.token, #"{"decision":"\#(decision)"}"#)
            }
            #expect(try await listed())
            #expect(try await decide("forget").status == 400)
            #expect(try await decide("block").status == 200)
            #expect(try await send("GET", "/users/me", anna.token).status == 403)
            #expect(try await listed())
            #expect(try await decide("clear").status == 200)
            #expect(try await !listed())
            for (method, path) in [("GET", "/admin/reviews"), ("POST", "/admin/reviews/\(admin.id)")] {
                let other = try await person()
                let body = method == "GET" ? nil : #"{"decision":"block"}"#
                #expect(try await send(method, path, other.token, body).status == 403)
            }
        }

        // MARK: - Bad input

        @Test func `nonsense is refused, and changes nothing`() async throws {
            let (admin, anna) = (try await person(role: "admin"), try await person())
            for (path, status) in [
                ("/admin/users?limit=0", 400), ("/admin/users?limit=101", 400), ("/admin/users?limit=-1", 400),
                ("/admin/users?limit=1e9", 400), ("/admin/users?cursor=x", 400), ("/admin/users?search=a", 400),
                ("/admin/users?changedSince=soon", 400), ("/admin/users?changedSince=999999999999999", 200),
                ("/admin/users?search=%2B1555&changedSince=1", 400), ("/admin/users?search=%2B1555&cursor=%25", 400),
                ("/admin/users?limit=1&limit=2", 400), ("/admin/users/x", 404), ("/admin/users/%2B15551234567", 404),
                ("/admin/users/usr_0", 404), ("/admin/users/usr_" + String(repeating: "0", count: 32), 404),
                ("/admin/users/" + String(repeating: "9", count: 2_000), 404), ("/admin/users/x/sessions", 404),
                ("/admin/user", 404),
            ] {
                let answer = try await send("GET", path, admin.token)
                #expect(answer.status == status, "\(path): \(answer.status) \(answer.text)")
            }
            for body in [
                "{}", "[]", "", #"{"role":""}"#, #"{"role":"a b"}"#, #"{"role":1}"#, #"{"isActive":"no"}"#,
                #"{"name":"a\u0000"}"#, #"{"name":"\#(String(repeating: "a", count: 101))"}"#, #"{"metadata":{}}"#,
            ] {
                let answer = try await send("PATCH", "/admin/users/\(anna.id)", admin.token, body)
                #expect(answer.status == 400, "\(body): \(answer.status) \(answer.text)")
            }
            let reason = String(repeating: "a", count: 201)
            for reasons in [[reason], ["ticket 7", "ticket 8"], ["for operator:alice"]] {
                let answer = try await send(
                    "GET", "/admin/users/\(anna.id)", admin.token, headers: reasons.map { ("Latchkey-Reason", $0) })
                #expect(answer.status == 400, "\(reasons): \(answer.status) \(answer.text)")
            }
            let nobody = try await send("PATCH", "/admin/users/usr_0", admin.token, #"{"role":"guest"}"#)
            #expect(nobody.status == 404)
        }

        @Test func `of two administrators who change one user, the second learns that the user was changed`()
            async throws
        {
            let (one, two) = (try await person(role: "admin"), try await person(role: "admin"))
            let anna = try await person()
            let read = try await send("GET", "/admin/users/\(anna.id)", one.token)
            let tag = try #require(read.headers["etag"])
            func rename(_ name: String, _ admin: Person, _ tag: String) async throws -> HTTPAnswer {
                try await send(
                    "PATCH", "/admin/users/\(anna.id)", admin.token, #"{"name":"\#(name)"}"#,
                    headers: [("If-Match", tag)])
            }
            let first = try await rename("Ann", one, tag)
            #expect(first.status == 200 && first.headers["etag"] != tag, "\(first.text)")
            let second = try await rename("Betty", two, tag)
            #expect(second.status == 412 && second.text.contains("precondition_failed"), "\(second.text)")
            #expect(try await rename("Betty", two, "W/" + tag).status == 412)
            #expect(try await rename("Betty", two, "*").status == 200)
            #expect(try await send("GET", "/admin/users/\(anna.id)", one.token).text.contains(#""name":"Betty""#))
        }

        @Test func `what changes a user needs a recent proof of the administrator`() async throws {
            let (admin, anna) = (try await person(role: "admin"), try await person())
            _ = try await stack.sql(
                "tokens", "UPDATE sessions SET authenticated_at = authenticated_at - 301")
            for operation in Self.operations(on: anna.id) {
                let answer = try await send(operation.method, operation.path, admin.token, operation.body)
                let expected = operation.method == "GET" ? 200 : 403
                #expect(answer.status == expected, "\(operation): \(answer.status) \(answer.text)")
                #expect(expected == 200 || answer.text.contains("reauthentication_required"), "\(answer.text)")
            }
            #expect(try await send("GET", "/users/me", anna.token).status == 200)
        }

        @Test func `the last administrator stays one, and latchkeyctl warns of it`() async throws {
            _ = try await stack.sql("users", "UPDATE users SET role = 'user'")
            let admin = try await person(role: "admin")
            for (method, path, body) in [
                ("PATCH", "/admin/users/\(admin.id)", #"{"role":"user"}"#),
                ("PATCH", "/admin/users/\(admin.id)", #"{"isActive":false}"#),
                ("DELETE", "/admin/users/\(admin.id)", nil), ("DELETE", "/users/me", nil),
            ] as [(String, String, String?)] {
                let answer = try await send(method, path, admin.token, body)
                #expect(answer.status == 409 && answer.text.contains("last_admin"), "\(method) \(path): \(answer.text)")
            }
            #expect(try await send("GET", "/admin/users/\(admin.id)", admin.token).status == 200)
            let warned = try await stack.control("users change \(admin.id) --role user")
            #expect(warned.isSuccess && warned.output.contains("no active administrator is left"), "\(warned.output)")
            try await stack.change(admin.id, role: "admin")
            let deleted = try await stack.control("users delete \(admin.id)")
            #expect(
                deleted.isSuccess && deleted.output.contains("no active administrator is left"), "\(deleted.output)")
        }
    }

    /// Where the paths are, and where not.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AdminAPIAbsenceTests {
        @Test func `requests of one administrator are limited, and nobody else's with them`() async throws {
            try await LatchkeyStack.run(
                name: "AdminAPIAbsenceTests-limit", environment: ["LATCHKEY_POLICY": AdminPolicyFile.limited]
            ) { stack in
                var statuses: [[Int]] = []
                for _ in 0..<2 {
                    let phone = LatchkeyStack.freshPhone()
                    try await stack.change(try await stack.signIn(phone: phone).user.id, role: "admin")
                    let token = try await stack.signIn(phone: phone).tokens.accessToken
                    var own: [Int] = []
                    for _ in 0..<5 { own.append(try await stack.gateway.get("/admin/users", bearer: token).status) }
                    #expect(try await stack.gateway.get("/users/me", bearer: token).status == 200)
                    statuses.append(own)
                }
                #expect(statuses == [[200, 200, 200, 429, 429], [200, 200, 200, 429, 429]])
            }
        }

        @Test(arguments: ["127.0.0.1", "10.0.0.1"])
        func `only a trusted proxy states the address that is compared`(proxy: String) async throws {
            try await LatchkeyStack.run(
                name: "AdminAPIAbsenceTests-addresses",
                environment: ["LATCHKEY_POLICY": AdminPolicyFile.elsewhere, "LATCHKEY_TRUSTED_PROXIES": proxy]
            ) { stack in
                let phone = LatchkeyStack.freshPhone()
                try await stack.change(try await stack.signIn(phone: phone).user.id, role: "admin")
                let token = try await stack.signIn(phone: phone).tokens.accessToken
                // The tests connect from 127.0.0.1. A client may write entries to the left of the proxy's.
                for (hops, status) in [
                    ("192.0.2.1", proxy == "127.0.0.1" ? 200 : 404), ("192.0.2.2", 404), ("192.0.2.1, 192.0.2.2", 404),
                    (nil, 404), ("", 404), ("unknown", 404), ("192.0.2.1, 127.0.0.1", proxy == "127.0.0.1" ? 200 : 404),
                ] as [(String?, Int)] {
                    let answer = try await stack.gateway.send(
                        "GET", "/admin/users",
                        headers: [("Authorization", "Bearer \(token)")] + (hops.map { [("X-Forwarded-For", $0)] } ?? [])
                    )
                    #expect(answer.status == status, "\(hops ?? "-"): \(answer.status) \(answer.text)")
                }
            }
        }

        @Test(arguments: [nil, AdminPolicyFile.elsewhere])
        func `without the section, and from another address, the paths do not exist`(policy: String?) async throws {
            try await LatchkeyStack.run(
                name: "AdminAPIAbsenceTests", environment: policy.map { ["LATCHKEY_POLICY": $0] } ?? [:]
            ) { stack in
                let phone = LatchkeyStack.freshPhone()
                let id = try await stack.signIn(phone: phone).user.id
                try await stack.change(id, role: "admin")
                let token = try await stack.signIn(phone: phone).tokens.accessToken
                for token in [nil, token] {
                    for path in ["/admin/users", "/admin/users/\(id)", "/admin/users/\(id)/sessions"] {
                        let answer = try await stack.gateway.get(path, bearer: token)
                        #expect(answer.status == 404 && answer.text.contains("There is no such path"), "\(answer.text)")
                        #expect(try await stack.gateway.send("PUT", path).status == 404)
                    }
                }
                let records = try await stack.sql("users", "SELECT count(*) FROM audit WHERE event = 'user.looked_up'")
                #expect(records == ["0"])
            }
        }
    }
}
