import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Live {
    /// `latchkeyctl doctor` finds each fault in what a real process uses, and nothing in a stack that works.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct DoctorTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Runs the command with a process's variables.
        ///
        /// - Parameter before: a script that changes a copy of the secrets, in `$LATCHKEY_SECRETS_DIR`.
        private func doctor(
            _ process: String, _ changes: [String: String] = [:], before: String = ":"
        ) async throws -> Shell.Outcome {
            let folder = stack.dataDirectory
            let variables = [
                "LATCHKEY_ENV": "development", "LATCHKEY_POLICY": "howru", "REDIS_USER": process,
                "LATCHKEY_POLICIES_DIR": LatchkeyStack.root + "deploy/policies", "LATCHKEY_DATA_DIR": folder,
            ]
            return try await Shell.run(
                """
                secrets=$(mktemp -d) && trap 'rm -r "$secrets"' EXIT && umask 077
                cp '\(folder)'/secrets/* "$secrets/" && export LATCHKEY_SECRETS_DIR=$secrets
                export REDIS_URL=${REDIS_URL:-redis://127.0.0.1:$(tr -dc 0-9 <'\(folder)/run/redis.port')}
                export LATCHKEY_UPSTREAM=${LATCHKEY_UPSTREAM:-http://127.0.0.1:$(tr -dc 0-9 <'\(folder)/run/sample-api.port')}
                \(before)
                '\(LatchkeyStack.binaries)/latchkeyctl' doctor
                """, in: "/", environment: variables.merging(changes) { $1 })
        }

        @Test(arguments: ["gateway", "otp", "token", "user"]) func `a stack that works has no fault`(
            process: String
        ) async throws {
            // Without providers, which are on the internet.
            let outcome = try await doctor(process, ["LATCHKEY_POLICY": "starter"])
            #expect(outcome.isSuccess && !outcome.output.contains("fault"), "\(outcome.output)")
            #expect(outcome.output.contains("redis functions") && outcome.output.contains("clock of redis"))
        }

        /// The process, what is wrong, and what the command says about it.
        @Test(
            arguments: [
                ("otp", [:], "echo wrong-password-of-redis-1234567890 >$LATCHKEY_SECRETS_DIR/redis_otp", "REDIS_USER"),
                ("token", ["REDIS_URL": "redis://127.0.0.1:1"], ":", "REDIS_URL"),
                ("user", [:], "rm $LATCHKEY_SECRETS_DIR/user_storage_key", "user_storage_key"),
                ("token", ["LATCHKEY_DATA_DIR": "/nonexistent"], ":", "LATCHKEY_DATA_DIR"),
                ("gateway", ["LATCHKEY_UPSTREAM": "http://127.0.0.1:1"], ":", "connection_refused"),
                ("gateway", ["LATCHKEY_UPSTREAM": "http://name.invalid:80"], ":", "name_not_found"),
                (
                    "otp",
                    ["OTP_SENDER": "webhook", "SMS_HOOK_URL": "http://127.0.0.1:1/hook?key=hidden"],
                    "echo v1,whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= >$LATCHKEY_SECRETS_DIR/sms_hook_secret",
                    "connection_refused"
                ),
                ("otp", ["LATCHKEY_POLICY": "no-such-policy"], ":", "no-such-policy"),
            ] as [(String, [String: String], String, String)]) func `a fault is named, and the exit status is 1`(
                process: String, changes: [String: String], before: String, word: String
            ) async throws
        {
            let outcome = try await doctor(process, changes, before: before)
            let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("fault") }
            #expect(!outcome.isSuccess && lines.contains { $0.contains(word) }, "\(outcome.output)")
            for secret in ["wrong-password-of-redis", "hidden", "AAECAwQF"] {
                #expect(!outcome.output.contains(secret), "\(outcome.output)")
            }
        }

        @Test func `certificates that are expired or for another host are found`() async throws {
            let folder = stack.dataDirectory + "/doctor-tls"
            let authority = try await TestAuthority.make(in: folder)
            for (name, seconds) in [("old", 60), ("good", 30 * 86_400)] {
                let request = TestCertificate.Request(
                    names: ["auth.example.com"], lifetimeSeconds: seconds, beginsAfterSeconds: -86_400)
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
                try await authority.issue(name, request).place(in: "\(folder)/\(name)", as: "default")
            }
            var variables = [
                "LATCHKEY_TLS_LISTEN": "127.0.0.1:0", "LATCHKEY_TLS_DIR": folder + "/good",
                "LATCHKEY_PUBLIC_URL": "https://auth.example.com",
            ]
            let good = try await doctor("gateway", variables)
            #expect(good.output.contains("days left") && good.isSuccess, "\(good.output)")
            variables["LATCHKEY_PUBLIC_URL"] = "https://other.example.com"
            let foreign = try await doctor("gateway", variables)
            #expect(foreign.output.contains("none is for other.example.com") && !foreign.isSuccess, "\(foreign.output)")
        }

        @Test func `Redis without the functions is found`() async throws {
            let password = try String(contentsOfFile: stack.dataDirectory + "/secrets/redis_functions", encoding: .utf8)
            let port = try String(contentsOfFile: stack.dataDirectory + "/run/redis.port", encoding: .utf8)
            let redis = "redis-cli -p \(port.filter(\.isNumber)) --user functions FUNCTION"
            let deleted = try await Shell.run(
                "\(redis) DELETE $(\(redis) LIST LIBRARYNAME 'latchkey_token_*' | grep -m1 '^latchkey_token_')",
                in: "/",
                environment: ["REDISCLI_AUTH": password.filter { !$0.isNewline }])
            #expect(deleted.output.contains("OK"), "\(deleted.output)")
            let outcome = try await doctor("token")
            #expect(!outcome.isSuccess && outcome.output.contains("latchkeyctl redis load"), "\(outcome.output)")
            // The supervisor loads them after each start of Redis.
            try await stack.restart("redis", by: SIGKILL)
            try await stack.untilReady()
        }
    }

    /// The database of a service, with roles that may too little.
    @Suite(.timeLimit(.minutes(3))) struct DoctorOfDatabaseTests {
        @Test func `a role without rights, a wrong password and a server that is away are found`() async throws {
            try await withPostgreSQLServer(authentication: "scram-sha-256") { server in
                let home = try await DatabaseOfStack(server)
                _ = try await server.psql("CREATE ROLE stranger LOGIN PASSWORD '\(DatabaseOfStack.password)'")
                func lines(_ url: String) async throws -> [Substring] {
                    try await home.control(
                        "doctor --process token",
                        changing: [
                            "TOKEN_DATABASE_URL": url, "REDIS_URL": "redis://127.0.0.1:1", "LATCHKEY_POLICY": "howru",
                            "LATCHKEY_POLICIES_DIR": LatchkeyStack.root + "deploy/policies",
                        ]
                    ).output.split(separator: "\n").filter { $0.contains("database") }
                }
                let good = try await lines(home.url("token_role"))
                #expect(good.contains { $0.hasPrefix("ok") && $0.contains("TOKEN_DATABASE_URL") }, "\(good)")
                #expect(good.contains { $0.contains("clock of the database") }, "\(good)")
                for url in [home.url("stranger"), home.url("nobody"), "postgres://token_role@127.0.0.1:1/postgres"] {
                    let found = try await lines(url)
                    #expect(found.contains { $0.hasPrefix("fault") }, "\(url): \(found)")
                    #expect(found.allSatisfy { !$0.contains(DatabaseOfStack.password) })
                }
            }
        }
    }
}
