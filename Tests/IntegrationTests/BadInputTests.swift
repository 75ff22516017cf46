import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// No input sends or stores anything it should not, ends a process, or is answered with a 5xx (R-98, R-99).
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct BadInputTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Runs `body` and checks that no message was sent and no process ended meanwhile.
        private func harmless(_ body: () async throws -> Void) async throws {
            let processes = try stack.processIDs
            let messages = try await stack.messages().map(\.id)
            try await body()
            #expect(try await stack.messages().map(\.id) == messages)
            #expect(try stack.processIDs == processes)
        }

        /// Sends each body and expects a refusal that says what it is.
        private func expectRefusal(
            _ method: String, _ path: String, _ body: [UInt8], bearer: String? = nil, among statuses: Set<Int> = [400]
        ) async throws {
            var headers = [("Content-Type", "application/json")]
            if let bearer { headers.append(("Authorization", "Bearer \(bearer)")) }
            let answer = try await stack.gateway.send(method, path, headers: headers, body: body)
            let shown = String(decoding: body.prefix(80), as: UTF8.self)
            #expect(statuses.contains(answer.status), "\(method) \(path) \(shown) → \(answer.status) \(answer.text)")
            #expect(try answer.json["error"]?.stringValue?.isEmpty == false, "\(path) \(shown) → \(answer.text)")
        }

        /// Bodies that no endpoint may take: not JSON, not strict JSON, not an object, or endless.
        private static let malformed: [[UInt8]] = [
            [], Array("null".utf8), Array("[]".utf8), Array("\"x\"".utf8), Array("1".utf8), Array("{".utf8),
            Array("{}x".utf8), Array("{'a':1}".utf8), Array(#"{"phoneNumber":"+15551234567",}"#.utf8),
            Array(#"{"phoneNumber":"+15551234567","phoneNumber":"+15557654321","code":"123456"}"#.utf8),
            Array(#"{"refreshToken":"a","refreshToken":"b"}"#.utf8), Array(#"{"name":"a","name":"b"}"#.utf8),
            [0xEF, 0xBB, 0xBF] + Array("{}".utf8), [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00],
            Array(#"{"phoneNumber":""#.utf8) + [0xC3, 0x28] + Array(#"","refreshToken":"x"}"#.utf8),
            Array(#"{"name":"\ud800"}"#.utf8), Array("{\"name\":\"a\nb\"}".utf8), Array(#"{"name":01}"#.utf8),
            Array(String(repeating: "[", count: 8000).utf8),
            Array((String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)).utf8),
        ]

        private static let endpoints = [
            ("POST", "/auth/otp/request"), ("POST", "/auth/otp/verify"), ("POST", "/auth/refresh"),
            ("POST", "/auth/logout"), ("PATCH", "/users/me"),
        ]

        @Test(arguments: endpoints) func `malformed bodies are refused`(method: String, path: String) async throws {
            let token = try await stack.signIn().tokens.accessToken
            let bearer = method == "PATCH" ? token : nil
            try await harmless {
                for body in Self.malformed { try await expectRefusal(method, path, body, bearer: bearer) }
            }
        }

        @Test(arguments: endpoints)
        func `a body of 1 MiB is refused`(method: String, path: String) async throws {
            let token = try await stack.signIn().tokens.accessToken
            try await harmless {
                let body = Array(#"{"phoneNumber":""#.utf8) + Array(repeating: UInt8(ascii: "1"), count: 1 << 20)
                try await expectRefusal(
                    method, path, body + Array("\"}".utf8), bearer: method == "PATCH" ? token : nil, among: [413])
            }
        }

        @Test func `missing members and wrong types are refused`() async throws {
            let values = ["null", "1", "1.5", "true", "[]", "{}", #"["+15551234567"]"#, "1e300", #""""#]
            try await harmless {
                for value in values {
                    for body in [
                        #"{"phoneNumber":\#(value)}"#,
                        #"{"phoneNumber":\#(value),"countryCode":"US"}"#,
                    ] { try await expectRefusal("POST", "/auth/otp/request", Array(body.utf8)) }
                    for body in [
                        #"{"phoneNumber":\#(value),"code":"123456"}"#,
                        #"{"phoneNumber":"+15551234567","code":\#(value)}"#,
                    ] { try await expectRefusal("POST", "/auth/otp/verify", Array(body.utf8), among: [400, 401]) }
                    try await expectRefusal(
                        "POST", "/auth/refresh", Array(#"{"refreshToken":\#(value)}"#.utf8), among: [400, 401])
                }
                for path in ["/auth/otp/request", "/auth/otp/verify", "/auth/refresh"] {
                    try await expectRefusal("POST", path, Array("{}".utf8))
                    try await expectRefusal("POST", path, Array(#"{"phone":"+15551234567"}"#.utf8))
                }
            }
        }

        @Test(arguments: [
            "+", "+1", "123", "+1555", "not a number", "+15551234567890123456", "+999123456789", "++15551234567",
            "+1555123456\u{0}", "+1 555 123 45", " ", "+0015551234567",
            "betty@example.com", "'; DROP TABLE users; --",
        ])
        func `impossible numbers are 400, and nothing is sent`(number: String) async throws {
            try await harmless {
                for path in ["/auth/otp/request", "/auth/otp/verify"] {
                    let body = OTPVerifyBody(phoneNumber: number, countryCode: "US", code: "123456")
                    let answer = try await stack.gateway.post(path, encoding: body)
                    #expect(answer.status == 400, "\(path) \(number) → \(answer.status) \(answer.text)")
                }
            }
        }

        @Test func `unknown paths and methods are refused`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            try await harmless {
                for path in [
                    "/", "/auth", "/auth/otp", "/auth/otp/request/", "/users/you", "/internal/sessions", "/metrics",
                ] {
                    let answer = try await stack.gateway.get(path, bearer: token)
                    #expect([404, 405].contains(answer.status), "\(path) → \(answer.status)")
                }
                for (method, path) in Self.endpoints {
                    for wrong in ["PUT", "BREW", "TRACE"] where wrong != method {
                        let answer = try await stack.gateway.send(wrong, path)
                        #expect([405, 501].contains(answer.status), "\(wrong) \(path) → \(answer.status)")
                    }
                }
                for path in [
                    "/api/%2e%2e/users", "/api//hello", "/api/hello;x", "/api/%00", "/api/a%2fb", "/api/..%5cx",
                ] {
                    let answer = try await stack.gateway.get(path, bearer: token)
                    #expect([400, 404].contains(answer.status), "\(path) → \(answer.status)")
                }
            }
        }

        @Test func `garbage tokens are 401, never anything else`() async throws {
            let good = try await stack.signIn().tokens.accessToken
            let parts = good.split(separator: ".").map(String.init)
            let none = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0"
            let tokens = [
                "x", ".", "..", "...", "a.b.c", good + "A", String(good.dropLast()), parts[0] + "." + parts[1],
                parts[0] + "." + parts[1] + ".", "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])",
                good + "=", String(repeating: "a", count: 9000), String(repeating: ".", count: 6000),
                good.uppercased(), parts.reversed().joined(separator: "."),
            ]
            try await harmless {
                for token in tokens {
                    for path in ["/api/hello", "/users/me"] {
                        let answer = try await stack.gateway.get(path, bearer: token)
                        #expect(answer.status == 401, "\(token.prefix(40)) → \(answer.status)")
                    }
                }
                for value in ["Bearer", "Bearer ", "Basic YTpi", good, "bearer\t\(good)"] {
                    let answer = try await stack.gateway.send("GET", "/api/hello", headers: [("Authorization", value)])
                    #expect([400, 401].contains(answer.status), "\(value.prefix(20)) → \(answer.status)")
                }
                let twice = [("Authorization", "Bearer \(good)"), ("Authorization", "Bearer \(good)")]
                #expect((400..<500).contains(try await stack.gateway.send("GET", "/api/hello", headers: twice).status))
                let query = try await stack.gateway.get("/api/hello?access_token=\(good)")
                #expect(query.status == 401)
            }
        }

        @Test(arguments: [
            "x", "rt_", "rt_zz", String(repeating: "0", count: 64), "rt_" + String(repeating: "0", count: 64),
            "rt_" + String(repeating: "g", count: 64), String(repeating: "a", count: 10_000), "rt_\u{0}",
        ])
        func `garbage refresh tokens are 401`(token: String) async throws {
            try await harmless {
                let answer = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
                #expect([400, 401].contains(answer.status), "→ \(answer.status) \(answer.text)")
            }
        }
    }
}
