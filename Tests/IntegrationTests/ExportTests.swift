import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// A user gets a copy of everything that the three services store about them.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct ExportTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func export(_ token: String, query: String = "") async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "GET", "/users/me/export\(query)", headers: [("Authorization", "Bearer \(token)")])
        }

        private func json(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }

        private func print(_ id: String, by name: String) async throws -> Shell.Outcome {
            let printed = try await Shell.run(
                "'\(LatchkeyStack.root)deploy/ctl' users export \(id)", in: "/",
                environment: ["LATCHKEY_DATA_DIR": stack.dataDirectory, "LATCHKEY_OPERATOR": name])
            #expect(printed.isSuccess, "\(printed.output)")
            return printed
        }

        private func text(_ value: Any?) throws -> String {
            let data = try JSONSerialization.data(withJSONObject: [value], options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }

        @Test func `an export has the parts of all services and no secret, five times a day`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let tokens = try await stack.signIn(phone: phone, name: "Betty").tokens
            let answer = try await export(tokens.accessToken)
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store", "\(answer.text)")
            let export = try json(answer.text)
            let account = try #require(export["account"] as? [String: Any])
            #expect(account["name"] as? String == "Betty" && export["nextCursor"] == nil)
            let messages = try #require(export["messages"] as? [[String: Any]])
            #expect(messages.map { $0["to"] as? String } == [phone])
            let sessions = try #require(export["sessions"] as? [[String: Any]])
            let records = try #require(export["records"] as? [[String: Any]])
            #expect(sessions.count == 1)
            #expect(
                Set(records.compactMap { $0["event"] as? String }).isSuperset(of: ["user.created", "session.opened"]))
            for secret in [tokens.accessToken, tokens.refreshToken, "hash", "$argon2"] {
                #expect(!answer.text.contains(secret))
            }
            let events = try await stack.sql("users", "SELECT count(*) FROM audit WHERE event = 'user.exported'")
            #expect(events == ["1"])
            for _ in 0..<4 { #expect(try await self.export(tokens.accessToken).status == 200) }
            let limited = try await self.export(tokens.accessToken)
            #expect(limited.status == 429 && limited.headers["retry-after"] != nil, "\(limited.text)")
        }

        @Test func `without a token, with a foreign cursor, or while a service is away there is none`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            #expect(try await stack.gateway.send("GET", "/users/me/export").status == 401)
            for query in ["?cursor=AAEC", "?cursor=\(String(repeating: "A", count: 2_000))", "?cursor=a&cursor=b"] {
                let answer = try await export(token, query: query)
                #expect(answer.status == 400 && answer.text.contains("invalid_request"), "\(answer.text)")
            }
            for service in ["otp", "token"] {
                try await stack.without([service]) {
                    let answer = try await export(token)
                    #expect(answer.status == 503 && answer.headers["retry-after"] != nil, "\(service): \(answer.text)")
                    #expect(!answer.text.contains("account"))
                }
            }
            #expect(try await export(token).status == 200)
        }

        @Test func `latchkeyctl prints the same, and the audit names the operator`() async throws {
            let signIn = try await stack.signIn(name: "Betty")
            // Traces are written a moment later.
            try await eventually("the trace of the code") {
                try await print(signIn.user.id, by: "bob").output.contains(#""kind":"guessed""#)
            }
            let own = try json(try await export(signIn.tokens.accessToken).text)
            let printed = try await print(signIn.user.id, by: "alice.export")
            let export = try json(printed.output)
            for part in ["account", "messages", "sessions"] {
                #expect(try text(export[part]) == text(own[part]), "\(part)")
            }
            #expect(!printed.output.contains("alice.export"))
            let events = try await stack.sql(
                "users", "SELECT method FROM audit WHERE event = 'user.exported' AND method LIKE '%.export'")
            #expect(events == ["operator:alice.export"])
        }
    }
}
