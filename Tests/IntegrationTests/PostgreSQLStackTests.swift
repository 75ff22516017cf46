import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// Starts a PostgreSQL with roles and passwords, and a stack on it; ends both after the suite's last test.
private struct PostgreSQLStackTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withPostgreSQLServer(authentication: "scram-sha-256") { server in
            let home = try await DatabaseOfStack(server)
            try await LatchkeyStack.run(
                name: test.name,
                environment: home.environment.merging(["LATCHKEY_REPLICAS": "token=2", "LATCHKEY_FAKES": "1"]) { $1 },
                secrets: DatabaseOfStack.secrets
            ) { stack in
                var stack = stack
                stack.gateway = stack.gateway.asApp
                try await RunningStack.$current.withValue(stack) {
                    try await DatabaseOfStack.$current.withValue(home) { try await function() }
                }
            }
        }
    }
}

extension Live {
    /// A stack whose data is in PostgreSQL does what one on SQLite does, also while the database is away.
    @Suite(.serialized, .timeLimit(.minutes(5)), PostgreSQLStackTrait()) struct PostgreSQLStackTests {
        let stack: LatchkeyStack
        private let database: DatabaseOfStack

        init() throws {
            stack = try #require(RunningStack.current)
            database = try #require(DatabaseOfStack.current)
        }

        @Test func `every process has its counters at 0 before their first events`() async throws {
            try await MetricsOfStack(stack: stack, otherDatabase: "sqlite_").check()
        }

        private func refresh(_ session: TokenReply) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: session.refreshToken))
        }

        private func hello(_ token: String) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: token).status
        }

        private func readiness(_ name: String) async throws -> HTTPAnswer {
            try await stack.operations(name).get("/readyz")
        }

        private func expectUnavailable(_ answer: HTTPAnswer, _ what: String) {
            #expect(answer.status == 503, "\(what) → \(answer.status) \(answer.text)")
            #expect((Int(answer.headers["retry-after"] ?? "") ?? 0) > 0, "\(what) names no time to wait")
        }

        /// Each spelling of one role for both URLs, with the places of the server and of the two databases.
        @Test(arguments: [
            ("postgres://both@127.0.0.1:PORT/postgres", "postgres://both@127.0.0.1:PORT/postgres"),
            ("postgres://both@127.0.0.1:PORT/postgres", "postgresql://both@127.0.0.1:PORT/other"),
            ("postgres://both@127.0.0.1:PORT/postgres", "postgres://b%6Fth@127.0.0.1:PORT/postgres?connect_timeout=1"),
            ("postgres://both@127.0.0.1:PORT/postgres", "postgres://both@localhost:PORT/postgres"),
        ])
        func `database migrate refuses one role for both services, and changes nothing`(
            _ token: String, _ user: String
        ) async throws {
            let port = "\(database.server.port)"
            let migrated = try await database.control(
                "database migrate --admin postgres",
                changing: [
                    "TOKEN_DATABASE_URL": token.replacing("PORT", with: port),
                    "USER_DATABASE_URL": user.replacing("PORT", with: port),
                ])
            #expect(!migrated.isSuccess && migrated.output.contains("name one role, both."), "\(migrated.output)")
            let roles = try await database.server.psql("SELECT count(*) FROM pg_roles WHERE rolname = 'both'")
            #expect(roles.contains("0"), "\(roles)")
        }

        @Test func `an app that moved to another Apple team keeps its users and their sessions`() async throws {
            try await SubjectMoves(stack: stack).check()
        }

        @Test func `users sign in, refresh, sign out and delete their accounts`() async throws {
            let first = try await stack.signIn()
            let answer = try await refresh(first.tokens)
            #expect(answer.status == 200)
            let next: TokenReply = try answer.decoded()
            #expect(try await hello(next.accessToken) == 200)
            let out = try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: next.refreshToken))
            #expect([200, 204].contains(out.status))
            #expect(try await refresh(next).status == 401)
            try await eventually("the access token is refused") { try await hello(next.accessToken) == 401 }

            let second = try await stack.signIn()
            let deleted = try await stack.gateway.send(
                "DELETE", "/users/me", headers: [("Authorization", "Bearer \(second.tokens.accessToken)")])
            #expect([200, 202, 204].contains(deleted.status), "\(deleted.text)")
            #expect(try await refresh(second.tokens).status == 401)
            let users = try await database.server.psql("SELECT count(*) FROM latchkey_user.users")
            #expect((Int(users) ?? 0) >= 2)
        }

        @Test func `without the database requests are 503, nobody is signed out, and all recovers`() async throws {
            let session = try await stack.signIn()
            try await database.server.kill()
            expectUnavailable(try await refresh(session.tokens), "POST /auth/refresh")
            expectUnavailable(
                try await stack.gateway.get("/users/me", bearer: session.tokens.accessToken), "GET /users/me")
            #expect(try await hello(session.tokens.accessToken) == 200)
            for name in ["token", "token-2", "user"] {
                let answer = try await readiness(name)
                #expect(answer.status == 503 && answer.text.contains("database ("), "\(name): \(answer.text)")
            }
            try await database.server.launch()
            try await stack.untilReady()
            #expect(try await refresh(session.tokens).status == 200)
        }

        @Test func `a frozen database is as good as none`() async throws {
            let session = try await stack.signIn()
            try database.server.freeze()
            let answer = try await refresh(session.tokens)
            try database.server.thaw()
            expectUnavailable(answer, "POST /auth/refresh")
            try await stack.untilReady()
            try await eventually("the session is as before") { try await refresh(session.tokens).status == 200 }
        }

        @Test func `a schema of a newer release is not ready, and names the release`() async throws {
            let table = "latchkey_token.schema_migrations"
            _ = try await database.server.psql("INSERT INTO \(table) VALUES ('of the future', '99.0.0', '99.0.0')")
            let answer = try await readiness("token")
            _ = try await database.server.psql("DELETE FROM \(table) WHERE name = 'of the future'")
            #expect(answer.status == 503 && answer.text.contains("Run Latchkey 99.0.0 or newer"), "\(answer.text)")
            #expect(try await readiness("token").status == 200)
            #expect(try await database.migrate().isSuccess)
        }

        @Test func `only services with a database in PostgreSQL load its library`() throws {
            for (name, expected) in [("token", true), ("user", true), ("otp", false), ("gateway", false)] {
                #expect(try stack.maps("libpq", in: name) == expected, "\(name)")
            }
        }

        @Test func `a wrong password is not ready, and the right one serves without another start`() async throws {
            let (service, operations) = (try await FreePort.find(), try await FreePort.find())
            let folder = stack.dataDirectory + "/other"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            func write(_ password: String) throws {
                try password.write(toFile: folder + "/password", atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/password")
            }
            try write("another password")
            let process = ChildProcess(
                executable: LatchkeyStack.binaries + "/token-service",
                environment: database.environment.merging([
                    "LATCHKEY_LISTEN": "127.0.0.1:\(service)", "LATCHKEY_OPS_LISTEN": "127.0.0.1:\(operations)",
                    "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets", "LATCHKEY_POLICY": "howru",
                    "LATCHKEY_POLICIES_DIR": LatchkeyStack.root + "deploy/policies",
                    "REDIS_URL": "unix://\(stack.dataDirectory)/run/redis.sock", "REDIS_USER": "token",
                    "TOKEN_DATABASE_PASSWORD_FILE": folder + "/password",
                ]) { $1 })
            try await process.run { _, _ in
                let port = TestHTTPClient(base: "http://127.0.0.1:\(operations)")
                try await eventually("it says why it waits") {
                    guard let answer = try? await port.get("/readyz") else { return false }
                    return answer.status == 503 && answer.text.contains("password authentication failed")
                }
                #expect(try await port.get("/healthz").status == 200)
                try write(DatabaseOfStack.password)
                try await eventually("it serves") {
                    (try? await port.get("/readyz"))?.status == 200
                }
            }
        }
    }

    /// Settings of a database that stop the start, each with a line that says what to use.
    @Suite(.timeLimit(.minutes(5))) struct PostgreSQLSettingsTests {
        @Test(arguments: [
            (["TOKEN_DATABASE_URL": "mysql://h/db"], "TOKEN_DATABASE_URL: must begin with postgres://."),
            (
                ["TOKEN_DATABASE_URL": "postgres://u:hunter2@h/db", "LATCHKEY_ENV": "production"],
                "TOKEN_DATABASE_URL: contains a password, which production refuses. "
                    + "Put it into the secret token_database_password."
            ),
            (
                ["TOKEN_DATABASE_URL": "postgres://u@h/db?sslmode=require", "LATCHKEY_ENV": "production"],
                "TOKEN_DATABASE_URL: needs sslmode=verify-full"
            ),
            (
                ["TOKEN_DATABASE_URL": "postgres://u@h/db", "TOKEN_DATABASE_CONNECTIONS": "1"],
                "TOKEN_DATABASE_CONNECTIONS: \"1\" is not a valid value. Use a number from 2 to 100."
            ),
            (
                ["TOKEN_DATABASE_URL": "postgres://u@h/db", "TOKEN_DATABASE_DURABILITY": "none"],
                "TOKEN_DATABASE_DURABILITY: \"none\" is not a valid value. Use settings or storage."
            ),
        ])
        func `a wrong setting stops the start`(environment: [String: String], line: String) async throws {
            let outcome = try await Shell.run(
                "'\(LatchkeyStack.binaries)/token-service'; echo \"status $?\"", in: LatchkeyStack.root,
                environment: environment)
            #expect(
                outcome.output.contains("token: \(line)") && outcome.output.contains("status 78"), "\(outcome.output)")
            #expect(!outcome.output.contains("hunter2"))
        }

        @Test func `production migrates as another role than the service's`() async throws {
            let outcome = try await Shell.run(
                "'\(LatchkeyStack.binaries)/latchkeyctl' database migrate", in: "/",
                environment: ["TOKEN_DATABASE_URL": "postgres://u@h/db", "LATCHKEY_ENV": "production"])
            #expect(
                !outcome.isSuccess && outcome.output.contains("Name another role with --admin"), "\(outcome.output)")
        }

        @Test func `deploy/run migrates in development`() async throws {
            try await withPostgreSQLServer { server in
                try await LatchkeyStack.run(
                    name: "PostgreSQLSettingsTests",
                    environment: ["TOKEN_DATABASE_URL": server.url, "USER_DATABASE_URL": server.url]
                ) { stack in _ = try await stack.signIn() }
            }
        }
    }
}
