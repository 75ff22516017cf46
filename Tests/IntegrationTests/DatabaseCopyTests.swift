import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A deployment on SQLite moves to PostgreSQL: users stay signed in, and a copy that is killed is never used.
    @Suite(.serialized, .timeLimit(.minutes(LongRun.isOn ? 60 : 4))) struct DatabaseCopyTests {
        /// How many sessions the file has; with `LATCHKEY_LONG_TESTS=1` a million.
        private static let sessions = LongRun.isOn ? 1_000_000 : 20_000

        /// A client of before the move.
        private struct Client: Sendable {
            let phone: String
            let userID: String
            let accessToken: String
            let refreshToken: String
        }

        /// The move's folder, its database and its settings.
        private struct Move: Sendable {
            let folder: String
            let server: PostgreSQLServer

            var data: String { folder + "/data" }
            var urls: [String: String] { ["TOKEN_DATABASE_URL": server.url, "USER_DATABASE_URL": server.url] }

            /// Runs `latchkeyctl database`, after `limit`, which may kill it.
            func database(_ arguments: String, limit: String = "") async throws -> Shell.Outcome {
                try await Shell.run(
                    "\(limit) ./latchkeyctl database \(arguments)", in: LatchkeyStack.binaries, environment: urls)
            }

            func number(_ sql: String) async throws -> Int { Int(try await server.psql(sql)) ?? -1 }
        }

        @Test(.onFiles)
        func `two clients stay signed in while a file with many sessions moves, and a killed copy is repeated`()
            async throws
        {
            try await withScratchFolder { folder in
                try await withPostgreSQLServer { server in
                    let move = Move(folder: folder, server: server)
                    let environment = ["LATCHKEY_DATA_DIR": move.data]
                    let (clients, gone) = try await LatchkeyStack.run(
                        name: "DatabaseCopyTests-before", environment: environment
                    ) { stack in try await signIn(stack, move) }
                    try await addSessions(move)
                    try await copy(move)
                    try await LatchkeyStack.run(
                        name: "DatabaseCopyTests-after", environment: environment.merging(move.urls) { $1 }
                    ) { stack in
                        for client in clients { try await expectSignedIn(client, stack) }
                        #expect(try await refresh(gone, stack).status == 401)
                    }
                }
            }
        }

        @Test(.onFiles) func `services on PostgreSQL warn of files that were not moved, and not of those that were`()
            async throws
        {
            let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-left-\(UUID().uuidString)")
                .path(percentEncoded: false)
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
            try await withPostgreSQLServer { server in
                let move = Move(folder: folder, server: server)
                try FileManager.default.createDirectory(
                    atPath: move.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                let environment = ["LATCHKEY_DATA_DIR": move.data]
                try await LatchkeyStack.run(name: "DatabaseCopyTests-files", environment: environment) { stack in
                    _ = try await stack.signIn()
                }
                #expect(try await warnings(move).isEmpty)
                let onServer = environment.merging(move.urls) { $1 }
                try await LatchkeyStack.run(name: "DatabaseCopyTests-forgotten", environment: onServer) { _ in }
                let found = try await warnings(move)
                #expect(found.count == 2 && found.allSatisfy { $0.contains("was not moved") }, "\(found)")
                // The schemas have to be empty for the copy.
                _ = try await server.psql("DROP SCHEMA latchkey_token CASCADE; DROP SCHEMA latchkey_user CASCADE")
                #expect(try await move.database("migrate").isSuccess)
                for name in ["tokens", "users"] {
                    let copied = try await move.database("copy --from \(move.data)/\(name).sqlite")
                    #expect(copied.isSuccess, "\(copied.output)")
                }
                try await LatchkeyStack.run(name: "DatabaseCopyTests-moved", environment: onServer) { _ in }
                #expect(try await warnings(move).count == 2)
            }
        }

        /// The lines of both services' logs, over all starts, that warn of a file.
        private func warnings(_ move: Move) async throws -> [String] {
            let outcome = try await Shell.run(
                "cat log/*.log | grep -a storage.unused_data; true", in: move.data)
            return outcome.output.split(separator: "\n").map(String.init)
        }

        // MARK: - Before

        /// Signs two clients in and a third one out, and tries the copy while all services run.
        private func signIn(_ stack: LatchkeyStack, _ move: Move) async throws -> ([Client], gone: String) {
            var clients: [Client] = []
            for _ in 0..<2 {
                let phone = LatchkeyStack.freshPhone()
                let reply = try await stack.signIn(phone: phone)
                let next: TokenReply = try await refresh(reply.tokens.refreshToken, stack).decoded()
                clients.append(
                    Client(
                        phone: phone, userID: reply.user.id, accessToken: next.accessToken,
                        refreshToken: next.refreshToken))
            }
            let gone = try await stack.signIn().tokens.refreshToken
            _ = try await stack.gateway.post("/auth/logout", encoding: LogoutBody(refreshToken: gone))
            for name in ["tokens", "users"] {
                let refused = try await move.database("copy --from \(move.data)/\(name).sqlite")
                #expect(!refused.isSuccess && refused.output.contains("stop it first"), "\(refused.output)")
            }
            return (clients, gone)
        }

        /// Adds sessions like the clients', of other users.
        private func addSessions(_ move: Move) async throws {
            let kept =
                "dialect, method, generation, created_at, last_used_at, authenticated_at, idle_expires_at, absolute_expires_at"
            let rest = "epoch, access_expires_at, device, network"
            let random = ["sid", "user_id", "current_hash", "previous_hash", "salt", "claims"]
            let outcome = try await Shell.run(
                """
                sqlite3 tokens.sqlite "
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.sessions))
                    INSERT INTO sessions (locator, \(kept), \(rest), \(random.joined(separator: ", ")))
                    SELECT 1000000 + i, \(kept), \(rest), \(random.map { "randomblob(length(\($0)))" }.joined(separator: ", "))
                    FROM n, (SELECT * FROM sessions ORDER BY locator LIMIT 1)"
                """, in: move.data)
            try #require(outcome.isSuccess, "\(outcome.output)")
        }

        // MARK: - The copy

        /// Copies both files; the larger one is killed a few times before.
        private func copy(_ move: Move) async throws {
            #expect(try await move.database("migrate").isSuccess)
            for seconds in LongRun.isOn ? [8, 20, 40, 70] : [0.4, 0.9, 1.6, 2.5] {
                _ = try await move.database(
                    "copy --from \(move.data)/tokens.sqlite", limit: "timeout -s KILL \(seconds)")
                try await expectWhole(move)
            }
            let start = ContinuousClock.now
            let copied = try await move.database("copy --from \(move.data)/tokens.sqlite --to \(move.server.url)")
            try #require(copied.isSuccess, "\(copied.output)")
            #expect(copied.output.contains("The file is marked as moved") || copied.output.contains("nothing to do"))
            let users = try await move.database("copy --from \(move.data)/users.sqlite")
            #expect(users.isSuccess, "\(users.output)")
            #expect(try await move.number("SELECT count(*) FROM latchkey_token.sessions") == Self.sessions + 3)
            let again = try await move.database("copy --from \(move.data)/users.sqlite")
            #expect(again.isSuccess && again.output.contains("nothing to do"), "\(again.output)")
            try await report(move, seconds: (ContinuousClock.now - start) / .seconds(1))
        }

        /// After a kill there is all or nothing, and services know what it is.
        private func expectWhole(_ move: Move) async throws {
            let count = try await move.number("SELECT count(*) FROM latchkey_token.sessions")
            #expect([0, Self.sessions + 3].contains(count))
            let finished = "SELECT count(*) FROM latchkey_token.copied_file WHERE finished_at IS NOT NULL"
            if try await move.number(finished) == 1 { #expect(count == Self.sessions + 3) }
        }

        private func report(_ move: Move, seconds: Double) async throws {
            guard LongRun.isOn else { return }
            let bytes = try await move.number("SELECT pg_total_relation_size('latchkey_token.sessions')")
            let file = try await Shell.run(
                "sqlite3 tokens.sqlite \"SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'sessions%'\"", in: move.data)
            LongRun.report(
                """
                \(Self.sessions) sessions copied in \(seconds) s; bytes a session: \(bytes / Self.sessions) in PostgreSQL, \
                \((Int(file.output.filter(\.isNumber)) ?? 0) / Self.sessions) in the file
                """)
        }

        // MARK: - After

        private func refresh(_ token: String, _ stack: LatchkeyStack) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
        }

        private func expectSignedIn(_ client: Client, _ stack: LatchkeyStack) async throws {
            for path in ["/api/hello", "/users/me"] {
                #expect(try await stack.gateway.get(path, bearer: client.accessToken).status == 200, "\(path)")
            }
            let answer = try await refresh(client.refreshToken, stack)
            #expect(answer.status == 200, "\(answer.text)")
            let next: TokenReply = try answer.decoded()
            #expect(try await stack.gateway.get("/users/me", bearer: next.accessToken).status == 200)
            #expect(try await stack.signIn(phone: client.phone).user.id == client.userID)
        }
    }
}
