import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A database that goes back to an earlier moment, and `latchkeyctl database begin-epoch` before the services start.
    @Suite(.timeLimit(.minutes(5))) struct PostgreSQLRestoreTests {
        /// A user as they were when the database was dumped.
        private struct Person {
            let phone: String
            let id: String
            let tokens: TokenReply

            init(_ stack: LatchkeyStack) async throws {
                phone = LatchkeyStack.freshPhone()
                let signIn = try await stack.signIn(phone: phone)
                (id, tokens) = (signIn.user.id, signIn.tokens)
            }
        }

        private struct People {
            let kept: Person
            let removed: Person
            let deactivated: Person

            init(_ stack: LatchkeyStack) async throws {
                kept = try await Person(stack)
                removed = try await Person(stack)
                deactivated = try await Person(stack)
            }
        }

        private static let policy = ["graceDays: 30 ": "graceDays: 0 "]

        /// The name of the moment to which a recovery goes back.
        private static let moment = "before"

        @Test func `after a restore nothing of before works, and later removals and decisions stay`() async throws {
            try await withScratchFolder { folder in
                try await withPostgreSQLServer(authentication: "scram-sha-256") { server in
                    let database = try await DatabaseOfStack(server)
                    try await goBack(database, folder) {
                        try await database.dump(to: folder + "/dump")
                    } restoring: {
                        try await database.restored(from: folder + "/dump")
                    }
                }
            }
        }

        @Test func `the same holds after a point-in-time recovery`() async throws {
            try await withScratchFolder { folder in
                try await withPostgreSQLServer(
                    settings: PostgreSQLServer.archiving, authentication: "scram-sha-256"
                ) { server in
                    let database = try await DatabaseOfStack(server)
                    try await withBaseBackup(of: server, until: Self.moment) { copy in
                        try await goBack(database, folder) {
                            try await server.mark(Self.moment)
                        } restoring: {
                            try await copy.recover(from: server)
                            return database.moved(to: copy)
                        }
                    }
                }
            }
        }

        /// - Parameters:
        ///   - remember: notes the moment to which `restore` goes back.
        ///   - restore: returns the database as it was then.
        private func goBack(
            _ database: DatabaseOfStack, _ folder: String, remembering remember: () async throws -> Void,
            restoring restore: () async throws -> DatabaseOfStack
        ) async throws {
            let people = try await LatchkeyStack.run(
                name: "PostgreSQLRestoreTests-before", environment: database.environment, policy: Self.policy,
                secrets: DatabaseOfStack.secrets
            ) { try await live($0, database, folder, remember) }
            let restored = try await restore()
            let environment = restored.environment.merging(["LATCHKEY_DATA_DIR": folder + "/data"]) { $1 }
            try await interruptEpoch(restored)
            try await LatchkeyStack.run(
                name: "PostgreSQLRestoreTests-between", environment: environment, policy: Self.policy
            ) { try await expectNoSignIn(of: people.kept, $0) }
            try await beginEpoch(restored, folder)
            try await LatchkeyStack.run(
                name: "PostgreSQLRestoreTests-after", environment: environment, policy: Self.policy
            ) { try await expectNewLife(of: people, $0) }
        }

        /// Calls `remember` in between, and leaves the lists of what happened later in `folder`.
        private func live(
            _ stack: LatchkeyStack, _ database: DatabaseOfStack, _ folder: String, _ remember: () async throws -> Void
        ) async throws -> People {
            let people = try await People(stack)
            try await remember()
            let deleted = try await stack.gateway.send(
                "DELETE", "/users/me", headers: [("Authorization", "Bearer \(people.removed.tokens.accessToken)")])
            #expect((200..<300).contains(deleted.status), "\(deleted.text)")
            let changed = try await stack.control("users change \(people.deactivated.id) --active false")
            #expect(changed.isSuccess, "\(changed.output)")
            try await eventually("the user is removed") {
                let list = try await stack.control("users removed").output
                try list.write(toFile: folder + "/removed", atomically: true, encoding: .utf8)
                return list == people.removed.id + "\n"
            }
            let decisions = try await stack.control("users decisions").output
            try decisions.write(toFile: folder + "/decisions", atomically: true, encoding: .utf8)
            let refused = try await database.control("database begin-epoch --admin postgres")
            #expect(!refused.isSuccess && refused.output.contains("is in use (server processes"), "\(refused.output)")
            // The secrets stay the same, so earlier tokens are still genuine; they must be refused nevertheless.
            try FileManager.default.copyItem(atPath: stack.dataDirectory + "/secrets", toPath: folder + "/data/secrets")
            return people
        }

        private func beginEpoch(_ database: DatabaseOfStack, _ folder: String) async throws {
            let owner = try await database.control("database begin-epoch")
            #expect(!owner.isSuccess && owner.output.contains("Name the owner with --admin"), "\(owner.output)")
            let command = "database begin-epoch --admin postgres --removed '\(folder)/removed'"
            let wrong = try await database.control(command + " --decisions '\(folder)/removed'")
            #expect(!wrong.isSuccess && wrong.output.contains("line 1: not a decision"), "\(wrong.output)")
            for (attempt, expected) in [(1, "1 users stay removed; 1 of them were back"), (2, "0 of them were back")] {
                let begun = try await database.control(command + " --decisions '\(folder)/decisions'")
                #expect(begun.isSuccess && begun.output.contains(" begun: all users sign in again"), "\(begun.output)")
                #expect(begun.output.contains(expected), "\(attempt): \(begun.output)")
            }
            let verified = try await database.control("audit verify")
            #expect(verified.isSuccess && verified.output.contains("latchkey_user: ok "), "\(verified.output)")
            let other = try await database.control("audit verify '\(database.url("token_role"))'")
            #expect(other.isSuccess && other.output.contains("latchkey_token: slot 1: "), "\(other.output)")
            #expect(other.output.contains("latchkey_user: is not there, or the role may not read it"))
        }

        /// Lets the command fail after it has changed the first schema.
        private func interruptEpoch(_ database: DatabaseOfStack) async throws {
            try await database.withoutWrites(to: "latchkey_user.account_links") {
                let interrupted = try await database.control("database begin-epoch --admin postgres")
                #expect(!interrupted.isSuccess && !interrupted.output.contains("begun"), "\(interrupted.output)")
            }
        }

        private func expectNoSignIn(of person: Person, _ stack: LatchkeyStack) async throws {
            let refused = await #expect(throws: UnexpectedAnswer.self) {
                try await stack.signIn(phone: person.phone)
            }
            #expect("\(String(describing: refused))".contains("503"))
            let refresh = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: person.tokens.refreshToken))
            #expect(refresh.status == 401, "\(refresh.text)")
        }

        private func expectNewLife(of people: People, _ stack: LatchkeyStack) async throws {
            for person in [people.kept, people.removed, people.deactivated] {
                let refresh = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: person.tokens.refreshToken))
                #expect(refresh.status == 401, "\(refresh.text)")
                try await eventually("the gateway refuses the old access token") {
                    try await stack.gateway.get("/api/hello", bearer: person.tokens.accessToken).status == 401
                }
            }
            let signIn = try await stack.signIn(phone: people.kept.phone)
            #expect(signIn.user.id == people.kept.id)
            let hello = try await stack.gateway.get("/api/hello", bearer: signIn.tokens.accessToken)
            #expect(hello.status == 200)
            let refresh = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: signIn.tokens.refreshToken))
            #expect(refresh.status == 200)
            #expect(try await stack.signIn(phone: people.removed.phone).user.id != people.removed.id)
            let refused = await #expect(throws: UnexpectedAnswer.self) {
                try await stack.signIn(phone: people.deactivated.phone)
            }
            #expect("\(String(describing: refused))".contains("account_inactive"))
        }
    }
}
