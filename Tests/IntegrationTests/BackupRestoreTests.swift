import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A backup of a deployment under load, restored into another: nothing of before works, users keep who they are (F-29).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct BackupRestoreTests {
        private static let clients = 8

        /// A user before the restore, with what must not work afterwards.
        private struct Before: Sendable {
            let phone: String
            let userID: String
            let accessToken: String
            let refreshToken: String
        }

        @Test(.onFiles)
        func `a restored backup ends sessions and keys of before, and users sign in again as themselves`()
            async throws
        {
            try await withScratchFolder { folder in
                let before = try await LatchkeyStack.run(name: "BackupRestoreTests-before") { stack in
                    let users = try await backUpUnderLoad(stack, to: folder + "/backup")
                    // The secrets stay the same, so earlier tokens are still genuine; they must be refused nevertheless.
                    try FileManager.default.copyItem(
                        atPath: stack.dataDirectory + "/secrets", toPath: folder + "/data/secrets")
                    let refused = try await Self.control(
                        "restore --from \(folder)/backup --data \(stack.dataDirectory)")
                    #expect(!refused.isSuccess && refused.output.contains("stop it first"), "\(refused.output)")
                    return users
                }
                for name in ["tokens", "users"] { try await expectSoundAudit("\(folder)/backup/\(name).sqlite") }
                let restored = try await Self.control("restore --from \(folder)/backup --data \(folder)/data")
                #expect(restored.isSuccess && restored.output.contains("restored"), "\(restored.output)")
                try await LatchkeyStack.run(
                    name: "BackupRestoreTests-after", environment: ["LATCHKEY_DATA_DIR": folder + "/data"]
                ) { stack in
                    try await expectNewLife(of: before, stack)
                    for name in ["tokens", "users"] { try await expectSoundAudit("\(folder)/data/\(name).sqlite") }
                }
                let integrity = try await Shell.run(
                    "for f in tokens users; do sqlite3 data/$f.sqlite 'PRAGMA integrity_check'; done", in: folder)
                #expect(integrity.output.split(separator: "\n") == ["ok", "ok"])
            }
        }

        /// Signs users in, lets them refresh while the backup is made, and says what they hold then.
        private func backUpUnderLoad(_ stack: LatchkeyStack, to folder: String) async throws -> [Before] {
            let progress = Progress()
            return try await withThrowingTaskGroup(of: Before.self) { group in
                for _ in 0..<Self.clients {
                    group.addTask { try await Self.use(stack, progress) }
                }
                try await eventually("clients are at work") { progress.successes >= Self.clients }
                let backup = try await Self.control("backup --data \(stack.dataDirectory) --to \(folder)")
                #expect(backup.isSuccess, "\(backup.output)")
                let again = try await Self.control("backup --data \(stack.dataDirectory) --to \(folder)")
                #expect(!again.isSuccess && again.output.contains("nothing is overwritten"), "\(again.output)")
                let successes = progress.successes
                try await eventually("clients go on") { progress.successes > successes }
                progress.finish()
                let users = try await group.reduce(into: []) { $0.append($1) }
                #expect(progress.failures.isEmpty, "\(progress.failures.prefix(3))")
                return users
            }
        }

        /// Signs in again and again, so that some of it lies before the backup, some within and some after.
        private static func use(_ stack: LatchkeyStack, _ progress: Progress) async throws -> Before {
            let phone = LatchkeyStack.freshPhone()
            let signIn = try await stack.signIn(phone: phone)
            var tokens = (access: signIn.tokens.accessToken, refresh: signIn.tokens.refreshToken)
            var refreshes = 0
            while !progress.isOver {
                // Ten refreshes a minute are a user's limit.
                guard refreshes < 8 else {
                    await progress.note { _ = try await stack.signIn() }
                    continue
                }
                refreshes += 1
                let answer = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refresh))
                guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/refresh", answer) }
                let reply: TokenReply = try answer.decoded()
                tokens = (reply.accessToken, reply.refreshToken)
                await progress.note {}
            }
            return Before(
                phone: phone, userID: signIn.user.id, accessToken: tokens.access, refreshToken: tokens.refresh)
        }

        private func expectNewLife(of users: [Before], _ stack: LatchkeyStack) async throws {
            for user in users {
                let refresh = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: user.refreshToken))
                #expect(refresh.status == 401)
                try await eventually("the gateway refuses the old access token") {
                    try await stack.gateway.get("/api/hello", bearer: user.accessToken).status == 401
                }
                let signIn = try await stack.signIn(phone: user.phone)
                #expect(signIn.user.id == user.userID)
                let token = signIn.tokens.accessToken
                #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 200)
                #expect(try await stack.gateway.get("/users/me", bearer: token).status == 200)
                let again = try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: signIn.tokens.refreshToken))
                #expect(again.status == 200)
            }
        }

        private func expectSoundAudit(_ file: String) async throws {
            let outcome = try await Self.control("audit verify \(file)")
            #expect(outcome.isSuccess && outcome.output.hasPrefix("ok "), "\(outcome.output)")
        }

        private static func control(_ arguments: String) async throws -> Shell.Outcome {
            try await Shell.run("./latchkeyctl \(arguments)", in: LatchkeyStack.binaries)
        }
    }
}
