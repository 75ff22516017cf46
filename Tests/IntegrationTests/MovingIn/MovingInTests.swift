import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

/// howru with passwords, whose tokens say what a user was called elsewhere.
private enum MovingInPolicy {
    /// A provider of which Supabase's users are.
    private static let google = """
        oidc:
          google:
            issuers: [https://accounts.google.com]
            jwksURL: https://www.googleapis.com/oauth2/v3/certs
            audiences: [1234-abc.apps.googleusercontent.com]
        """
    static let path: String = {
        do {
            var policy = try PolicyCopy(of: "howru")
            try policy.replace("claims: [phone, role]", with: "claims: [phone, role, legacy_id]")
            try policy.replace("\naccounts:\n", with: "\npasswords: {}\n\(google)\naccounts:\n")
            return try policy.written(as: "moving-in")
        } catch {
            print("moving in: \(error)")
            return "moving-in"
        }
    }()
}

extension Live {
    /// Users of another system, moved in while the stack runs.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_POLICY": MovingInPolicy.path]))
    struct MovingInTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private static let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
        private static let hashOf80 = "$2b$05$KLxwBKRSUm..45pikgfr9uq1fcGpcjZvzeWpPMjU3K/AvprLyaFrq"
        static let password = "abc"

        private func file(_ lines: [[UInt8]]) throws -> String {
            let path = stack.dataDirectory + "/import-\(UUID().uuidString).jsonl"
            try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: URL(filePath: path))
            return path
        }

        private func file(_ lines: [String]) throws -> String { try file(lines.map { Array($0.utf8) }) }

        private func line(_ old: String, _ address: String) -> String {
            #"{"legacyID":"\#(old)","email":"\#(address)","emailVerified":true,"name":"Ann","#
                + #""passwordHash":"\#(Self.hash)"}"#
        }

        func logIn(_ address: String, _ password: String = Self.password) async throws -> HTTPAnswer {
            try await stack.logIn(address, password)
        }

        private func token(_ address: String) async throws -> String {
            let login = try await logIn(address)
            #expect(login.status == 200, "\(login.text)")
            return try login.decoded(LoginReply.self).tokens.accessToken
        }

        /// The numbers of rows; a line that names a known user is a look-up, and leaves a record of that.
        private func counts() async throws -> [String] {
            try await stack.sql(
                "users",
                ["users", "identities", "passwords", "unverified_addresses", "audit WHERE event <> 'user.looked_up'"]
                    .map { "SELECT count(*) FROM \($0)" }.joined(separator: "; "))
        }

        @Test func `a user of elsewhere signs in with his old password and keeps his old name`() async throws {
            let address = LatchkeyStack.freshAddress()
            let old = "fb/ä 1-\(address)"
            let path = try file([line(old, address), #"{"email":"x"}"#, "nonsense"])
            let map = path + ".map"
            let first = try await stack.control("users import '\(path)' --map '\(map)'")
            #expect(!first.isSuccess && first.output.contains("added 1, known before 0, refused 2"), "\(first.output)")
            #expect(first.output.contains("line 3: is no JSON object"))
            let mapped = try String(contentsOfFile: map, encoding: .utf8)
            #expect(mapped.hasPrefix("\(old)\tusr_") && mapped.hasSuffix("\n"))
            let again = try await stack.control("users import '\(path)' --map '\(map)'")
            #expect(again.output.contains("added 0, known before 1, refused 2"))
            #expect(try String(contentsOfFile: map, encoding: .utf8) == mapped)

            for _ in 0..<2 {
                let token = try await token(address)
                #expect(try TokenParts(token).claims["legacy_id"]?.stringValue == old)
                let seen = try await stack.gateway.send(
                    "GET", "/api/hello",
                    headers: [("Authorization", "Bearer \(token)"), ("X-User-Legacy-Id", "somebody-else")])
                let escaped = "fb/%C3%A4%201-\(address)"
                #expect(try seen.json["legacyId"]?.stringValue == escaped, "\(seen.status) \(seen.text)")
            }
            // The user's hash is one of ours now.
            let kept = try await stack.sql(
                "users",
                "SELECT hash FROM passwords JOIN identities USING (user_id) WHERE value = '\(address)'")
            #expect(kept.first?.hasPrefix("$argon2id$") == true)
        }

        @Test func `every spoiled line is named with what is wrong, and the good ones around them come in`()
            async throws
        {
            let (first, second, third) = (
                LatchkeyStack.freshAddress(), LatchkeyStack.freshAddress(), LatchkeyStack.freshPhone()
            )
            let id = UUID().uuidString.lowercased()
            let before = try file([
                #"{"id":"\#(id)","email":"\#(first)","emailVerified":true}"#,
                #"{"email":"\#(second)","emailVerified":true}"#, #"{"phone":"\#(third)"}"#,
            ])
            #expect(try await stack.control("users import '\(before)'").output.contains("added 3,"))

            let spoiled = SpoiledLine.all(beside: id, second, third)
            #expect(spoiled.count >= 55)
            let counted = try await counts()
            let alone = try await stack.control("users import '\(try file(spoiled.map(\.text)))'")
            #expect(alone.output.contains("added 0, known before 0, refused \(spoiled.count)"), "\(alone.output)")
            let named = alone.output.split(separator: "\n").map(String.init)
            for (index, line) in spoiled.enumerated() {
                let text = String(decoding: line.text.prefix(200), as: UTF8.self)
                #expect(named.contains("line \(index + 1): \(line.problem)"), "\(text): \(line.problem)")
            }
            #expect(try await counts() == counted)

            // A good line before, between and behind them.
            let good = (0...spoiled.count).map { _ in
                Array(line(UUID().uuidString, LatchkeyStack.freshAddress()).utf8)
            }
            let mixed = zip(good, spoiled).flatMap { [$0, $1.text] } + [good[spoiled.count]]
            let outcome = try await stack.control("users import '\(try file(mixed))'")
            #expect(
                outcome.output.contains("added \(good.count), known before 0, refused \(spoiled.count)"),
                "\(outcome.output)")
        }

        @Test func `a user whose hash is not accepted is added without a password, and the line says why`() async throws
        {
            let people = SpoiledLine.refusedHashes.map { ($0, LatchkeyStack.freshAddress()) }
            let path = try file(
                people.map { #"{"email":"\#($1)","emailVerified":true,"passwordHash":"\#($0.hash)"}"# })
            let outcome = try await stack.control("users import '\(path)'")
            #expect(
                outcome.isSuccess
                    && outcome.output.contains(
                        "added \(people.count), known before 0, refused 0; added without a password: \(people.count)"),
                "\(outcome.output)")
            let named = outcome.output.split(separator: "\n").map(String.init)
            for (index, person) in people.enumerated() {
                let reason = person.0.isCostly ? "costs more than a login may" : "has no known form"
                #expect(named.contains("line \(index + 1): added without a password: passwordHash \(reason)"))
                #expect(
                    try await stack.sql(
                        "users",
                        "SELECT count(*) FROM passwords JOIN identities USING (user_id) WHERE value = '\(person.1)'")
                        == ["0"])
            }
            #expect(try await logIn(people[0].1, "correct horse battery").status == 401)
        }

        @Test func `a file may begin with a byte order mark and have blank lines`() async throws {
            let address = LatchkeyStack.freshAddress()
            let path = try file(["\u{FEFF}" + line("bom-\(address)", address), "  \t", "", "\u{FEFF}"])
            let outcome = try await stack.control("users import '\(path)'")
            #expect(outcome.isSuccess && outcome.output.contains("added 1,"), "\(outcome.output)")
            let wide = path + ".utf16"
            try #require(line("w", address).data(using: .utf16)).write(to: URL(filePath: wide))
            let refused = try await stack.control("users import '\(wide)'")
            #expect(!refused.isSuccess && refused.output.contains("UTF-16"), "\(refused.output)")
            #expect(refused.output.split(separator: "\n").count { $0.contains("UTF-16") } == 1, "\(refused.output)")
        }

        /// bcrypt compares 72 bytes: were the hash replaced by one of what was typed, the next slip would lock the user out.
        @Test func `an imported user with more than 72 bytes is not locked out by one slip`() async throws {
            let address = LatchkeyStack.freshAddress()
            // A hash of "y" eighty times, by PyPI's bcrypt.
            let hash = Self.hashOf80
            let path = try file([#"{"email":"\#(address)","emailVerified":true,"passwordHash":"\#(hash)"}"#])
            #expect(try await stack.control("users import '\(path)'").isSuccess)
            let right = String(repeating: "y", count: 80)
            #expect(try await logIn(address, String(repeating: "y", count: 79) + "x").status == 200)
            #expect(try await logIn(address, right).status == 200)
            #expect(
                try await stack.sql(
                    "users",
                    "SELECT hash FROM passwords JOIN identities USING (user_id) WHERE value = '\(address)'") == [hash])
        }

        @Test(.onFiles) func `an import that is killed in its midst comes to the same when it is run again`()
            async throws
        {
            let people = (0..<2_000).map { (old: "killed/\($0)", address: LatchkeyStack.freshAddress()) }
            let path = try file(people.map { line($0.old, $0.address) })
            let map = path + ".map"
            for count in [1, 500, 1_000] {
                let killed = try await stack.control(
                    """
                    users import '\(path)' --map '\(map)' &
                    until [[ $(sqlite3 -cmd '.timeout 9000' '\(stack.dataDirectory)/users.sqlite' \
                        "SELECT count(*) FROM users WHERE legacy_id LIKE 'killed/%'") -ge \(count) ]] || ! kill -0 $!; do sleep 0.02; done
                    # The command itself: deploy/ctl becomes it.
                    kill -9 $!
                    wait
                    """)
                #expect(!killed.output.contains("added"), "\(killed.output)")
                #expect(!FileManager.default.fileExists(atPath: map))
            }
            _ = try await stack.control("users import '\(path)' --map '\(map)'")
            let mapped = try String(contentsOfFile: map, encoding: .utf8)
            #expect(mapped.split(separator: "\n").count == people.count)
            let again = try await stack.control("users import '\(path)' --map '\(map)'")
            #expect(again.isSuccess && again.output.contains("added 0, known before \(people.count), refused 0"))
            #expect(try String(contentsOfFile: map, encoding: .utf8) == mapped)
            #expect(
                try await stack.sql(
                    "users",
                    "SELECT count(*), count(DISTINCT id) FROM users JOIN identities ON user_id = id "
                        + "JOIN passwords USING (user_id) WHERE legacy_id LIKE 'killed/%'")
                    == ["\(people.count)|\(people.count)"])
            #expect(try await DatabaseCheck(of: stack).findings().isEmpty)
            let last = try #require(people.last)
            #expect(try TokenParts(try await token(last.address)).claims["legacy_id"]?.stringValue == last.old)
        }

        @Test func `who was removed at his wish does not come back with the same file`() async throws {
            let address = LatchkeyStack.freshAddress()
            let path = try file([line("gone/\(address)", address)])
            let map = path + ".map"
            _ = try await stack.control("users import '\(path)' --map '\(map)'")
            let id = try #require(
                try String(contentsOfFile: map, encoding: .utf8).split(whereSeparator: \.isWhitespace).last
                    .map(String.init))
            #expect(try await stack.control("users delete '\(id)'").isSuccess)
            // The user's removal is due.
            _ = try await stack.sql("users", "UPDATE users SET deletion_due_at = 1 WHERE deletion_due_at IS NOT NULL")
            try await eventually("he is removed") {
                try await stack.sql("users", "SELECT count(*) FROM identities WHERE value = '\(address)'") == ["0"]
            }
            let again = try await stack.control("users import '\(path)'")
            #expect(again.output.contains("line 1: this user was removed, and stays so"), "\(again.output)")
            #expect(again.output.contains("added 0, known before 0, refused 1"))
        }

        @Test func `millions of lines are read one by one, and a thousand of them named`() async throws {
            let count = LongRun.isOn ? 10_000_000 : 50_000
            let path = stack.dataDirectory + "/many.jsonl"
            let outcome = try await Shell.run(
                """
                yes '{"phone":1}' | head -n \(count) > '\(path)'
                python3 -c '
                import resource, subprocess, sys
                subprocess.run(sys.argv[1:])
                print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                ' '\(LatchkeyStack.root)deploy/ctl' users import '\(path)'
                rm '\(path)'
                """, in: "/", environment: ["LATCHKEY_DATA_DIR": stack.dataDirectory])
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.contains("added 0, known before 0, refused \(count)"), "\(outcome.output.suffix(300))")
            #expect(lines.count { $0.hasPrefix("line ") } == 1_000)
            let peak = try #require(lines.first { $0.hasPrefix("peak ") }.flatMap { Int($0.dropFirst(5)) })
            // KiB; the process alone has some 60 MiB in a debug build.
            #expect(peak < 200_000)
        }

        @Test func `an old id with tabs and line ends is one line of the map`() async throws {
            let address = LatchkeyStack.freshAddress()
            let path = try file([line(#"a\tb\nc\\d-\#(address)"#, address)])
            #expect(try await stack.control("users import '\(path)' --map '\(path).map'").isSuccess)
            let mapped = try String(contentsOfFile: path + ".map", encoding: .utf8)
            #expect(mapped.hasPrefix(#"a\tb\nc\\d-\#(address)"# + "\tusr_"))
            #expect(mapped.split(separator: "\n").count == 1)
            let token = try await token(address)
            #expect(try TokenParts(token).claims["legacy_id"]?.stringValue == "a\tb\nc\\d-\(address)")
        }
    }
}
