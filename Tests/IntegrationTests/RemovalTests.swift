import AuthAPI
import CryptoPrimitives
import Foundation
import TestSupport
import Testing

extension Live {
    /// The data that remains of a removed user, compared with `removal.md` (security guide R-90).
    @Suite(
        .serialized, .timeLimit(.minutes(6)), .stack(["LATCHKEY_REPLICAS": "user=2", "LATCHKEY_LOG_LEVEL": "trace"]))
    struct RemovalTests {
        private static let removalLimit: Duration = .seconds(100)

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// A user with sessions, audit and a pending code, whose account is scheduled for deletion.
        private struct Removed {
            let phone = LatchkeyStack.freshPhone()
            let names = ["Zebulon Quagmire", "Ermintrude Wobblethwaite"]
            var id = ""
            var refreshToken = ""

            var idBytes: [UInt8] { Hex.decode(id.dropFirst(4)) ?? [] }
            /// The values that must not remain anywhere; the id's bytes are where the document says.
            var canaries: [Canary] {
                Canary.number(phone) + names.map { Canary($0) } + [Canary(String(id.dropFirst(4)))]
            }
        }

        private func usedAccount() async throws -> Removed {
            var user = Removed()
            let first = try await stack.signIn(phone: user.phone, name: user.names[0])
            let second = try await stack.signIn(phone: user.phone)
            (user.id, user.refreshToken) = (first.user.id, second.tokens.refreshToken)
            let bearer = first.tokens.accessToken
            let renamed = try await stack.gateway.send(
                "PATCH", "/users/me",
                headers: [("Authorization", "Bearer \(bearer)"), ("Content-Type", "application/json")],
                body: Array(#"{"name":"\#(user.names[1])"}"#.utf8))
            #expect(renamed.status == 200)
            let refresh = RefreshBody(refreshToken: second.tokens.refreshToken)
            #expect(try await stack.gateway.post("/auth/refresh", encoding: refresh).status == 200)
            #expect(try await stack.gateway.get("/api/hello", bearer: bearer).status == 200)
            #expect(try await stack.control("users find '\(user.phone)'").isSuccess)
            try await stack.requestCode(for: user.phone)
            let deleted = try await stack.gateway.send(
                "DELETE", "/users/me", headers: [("Authorization", "Bearer \(bearer)")])
            #expect((200..<300).contains(deleted.status), "\(deleted.text)")
            return user
        }

        /// Makes a removal due now, and waits until all services have done their part.
        private func letDayCome(of user: Removed) async throws {
            let id = Hex.encode(user.idBytes)
            try await stack.sql("users", "UPDATE users SET deletion_due_at = unixepoch() WHERE id = x'\(id)'")
            try await eventually("the user is removed, and all are told", within: Self.removalLimit) {
                let waiting = try await stack.sql("users", "SELECT count(*) FROM outbox")
                return try await stack.control("users removed").output.contains(user.id) && waiting == ["0"]
            }
        }

        @Test(.onFiles) func `neither number, name nor id is in a file or a log but where it is said`() async throws {
            let user = try await usedAccount()
            let places = try Trace.files(in: stack.dataDirectory)
            for canary in user.canaries.prefix(1) + [Canary(bytes: user.idBytes)] {
                #expect(places.contains { canary.stands(in: $0.bytes) }, "\(canary) stood nowhere before")
            }
            try await letDayCome(of: user)
            var findings = ["not looked yet"]
            do {
                try await eventually("nothing is left", within: Self.removalLimit) {
                    findings = try left(of: user)
                    return findings.isEmpty
                }
            } catch is NeverTrue {
                Issue.record("\(findings)")
            }
            let holding = try await columns(holding: user)
            #expect(
                holding.sorted() == ["tokens audit.user_id", "tokens user_epochs.user_id", "users removed_users.id"])
            let refused = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: user.refreshToken))
            #expect(refused.status == 401)
            // The code that was on its way makes a new account; what counted against the number counts on.
            let code = OTPVerifyBody(
                phoneNumber: user.phone, countryCode: "US", code: try await stack.code(for: user.phone))
            let answer = try await stack.gateway.post("/auth/otp/verify", encoding: code)
            let again: SignInReply = try answer.decoded()
            #expect(again.user.id != user.id && again.isNewUser && again.user.name == nil)
            // Three messages an hour: two went to the owner's network before.
            try await stack.requestCode(for: user.phone)
            let refill = try await stack.gateway.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: user.phone, countryCode: "US"))
            #expect(refill.status == 429)
        }

        private func left(of user: Removed) throws -> [String] {
            var findings: [String] = []
            let raw = Canary(bytes: user.idBytes)
            for file in try Trace.files(in: stack.dataDirectory) {
                let isMeant = ["users.sqlite", "tokens.sqlite"].contains { file.name.hasPrefix($0) }
                for canary in user.canaries + (isMeant ? [] : [raw]) where canary.stands(in: file.bytes) {
                    findings.append("\(canary) is in \(file.name)")
                }
            }
            return findings
        }

        /// The columns of both databases in which the user's id stands, in any form.
        private func columns(holding user: Removed) async throws -> [String] {
            var columns: [String] = []
            for database in ["tokens", "users"] {
                for column in try await self.columns(of: database) {
                    let parts = column.split(separator: ".").map { "\"\($0)\"" }
                    let count = try await stack.sql(
                        database,
                        """
                        SELECT count(*) FROM \(parts[0]) WHERE \(parts[1]) = x'\(Hex.encode(user.idBytes))'
                            OR instr(\(parts[1]), '\(user.id)') OR instr(\(parts[1]), '\(user.phone)')
                        """)
                    if count != ["0"] { columns.append("\(database) \(column)") }
                }
            }
            return columns
        }

        private func columns(of database: String) async throws -> [String] {
            try await stack.sql(
                database,
                """
                SELECT m.name || '.' || p.name FROM sqlite_schema m, pragma_table_info(m.name) p WHERE m.type = 'table'
                """)
        }

        @Test(.onFiles, arguments: ["users", "tokens"])
        func `every column is in the document, and nothing else`(database: String) async throws {
            let documented = try RemovalDocument.rows(under: "\(database).sqlite").flatMap { row in
                row[1].map { "\(row[0][0]).\($0)" }
            }
            #expect(try await Set(columns(of: database)) == Set(documented))
            #expect(Set(documented).count == documented.count)
        }

        @Test func `every key of Redis is in the document`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone)
            let changed = try await stack.control("users change \(user.user.id) --role guest")
            #expect(changed.isSuccess, "\(changed.output)")
            _ = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: user.tokens.refreshToken))
            #expect(try await stack.control("sessions revoke --user \(user.user.id)").isSuccess)
            let logs = try Trace.files(in: stack.dataDirectory + "/redis") { $0.hasSuffix(".incr.aof") }
            let keys = Set(logs.flatMap { AppendOnlyFile.keys(in: $0.bytes) })
            #expect(keys.contains { $0.hasPrefix("rev:sid:") } && keys.contains { $0.hasPrefix("otp:2:n:") }, "\(keys)")
            let patterns = try RemovalDocument.rows(under: "Redis").map { $0[0][0] }
            for key in keys {
                let isListed = patterns.contains { pattern in
                    pattern.hasSuffix("*") ? key.hasPrefix(pattern.dropLast()) : key == pattern
                }
                #expect(isListed, "\(key) is not in removal.md")
            }
        }
    }
}

/// Redis' append-only file: commands as it would get them (RESP: `*count`, then `$length` and the bytes of each part).
private enum AppendOnlyFile {
    private static let commandsWithoutKey: Set<String> = ["SELECT", "MULTI", "EXEC", "FUNCTION"]

    /// The first key of every command.
    static func keys(in bytes: [UInt8]) -> [String] {
        var rest = bytes[...]
        var keys: [String] = []
        while let count = number(after: "*", &rest) {
            var parts: [String] = []
            for _ in 0..<count {
                guard let length = number(after: "$", &rest), rest.count >= length + 2 else { return keys }
                parts.append(String(decoding: rest.prefix(length), as: UTF8.self))
                rest = rest.dropFirst(length + 2)
            }
            if parts.count > 1, !commandsWithoutKey.contains(parts[0].uppercased()) { keys.append(parts[1]) }
        }
        return keys
    }

    private static func number(after mark: Character, _ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = String(decoding: rest[..<end], as: UTF8.self).filter { $0 != "\r" && $0 != "\r\n" }
        guard line.first == mark, let number = Int(line.dropFirst()) else { return nil }
        rest = rest[(end + 1)...]
        return number
    }
}

/// The tables of `deploy/docs/reference/removal.md`.
private enum RemovalDocument {
    /// The rows of the table under a heading: of each cell what stands in backticks.
    static func rows(under heading: String) throws -> [[[String]]] {
        let text = try String(contentsOfFile: LatchkeyStack.root + "deploy/docs/reference/removal.md", encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") } ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
        }
        // A space stands before the first bar's cell as well.
        return rows.map { $0.filter { !$0.isEmpty } }
    }
}
