import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// Every row of backup.md's table of what a restore keeps: with both lists, on both engines.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct RestoreTableTests {
        enum Engine {
            case files, postgreSQL

            /// With `deploy/test --engine postgres` no stack has files.
            static var tested: [Engine] {
                ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == "postgres"
                    ? [.postgreSQL] : [.files, .postgreSQL]
            }
        }

        private static let policy = PolicyText.passwords
        /// latchkey-fakes play Apple.
        private static let fakes = ["LATCHKEY_FAKES": "1"]

        @Test(arguments: Engine.tested)
        func `a restore keeps and forgets what the page says`(_ engine: Engine) async throws {
            try await withScratchFolder { folder in
                switch engine {
                case .files: try await restoreFiles(folder)
                case .postgreSQL:
                    try await withPostgreSQLServer(authentication: "scram-sha-256") { server in
                        try await restore(try await DatabaseOfStack(server), folder)
                    }
                }
            }
        }

        private func restoreFiles(_ folder: String) async throws {
            let cases = try await LatchkeyStack.run(
                name: "RestoreTableTests-before", environment: Self.fakes, policy: Self.policy
            ) { stack in
                try await live(stack, folder) {
                    let backup = try await stack.control(
                        "backup --data '\(stack.dataDirectory)' --to '\(folder)/backup'")
                    #expect(backup.isSuccess, "\(backup.output)")
                }
            }
            let restored = try await Shell.run(
                "./latchkeyctl restore --from '\(folder)/backup' --data '\(folder)/data' --removed '\(folder)/removed' "
                    + "--decisions '\(folder)/decisions'", in: LatchkeyStack.binaries)
            #expect(restored.isSuccess, "\(restored.output)")
            try await check(cases, folder, [:])
        }

        private func restore(_ database: DatabaseOfStack, _ folder: String) async throws {
            let cases = try await LatchkeyStack.run(
                name: "RestoreTableTests-before", environment: database.environment.merging(Self.fakes) { $1 },
                policy: Self.policy,
                secrets: DatabaseOfStack.secrets
            ) { stack in try await live(stack, folder) { try await database.dump(to: folder + "/dump") } }
            let restored = try await database.restored(from: folder + "/dump")
            let begun = try await restored.control(
                "database begin-epoch --admin postgres --removed '\(folder)/removed' --decisions '\(folder)/decisions'")
            #expect(begun.isSuccess, "\(begun.output)")
            try await check(cases, folder, restored.environment)
        }

        /// Lets each row happen, with the backup in between, and writes the lists to `folder`.
        private func live(
            _ stack: LatchkeyStack, _ folder: String, _ backUp: () async throws -> Void
        ) async throws -> [RestoreCase] {
            let scene = RestoreScene(stack: stack, data: stack.dataDirectory)
            var cases = RestoreCase.all
            for index in cases.indices { try await cases[index].begin(scene) }
            try await backUp()
            for index in cases.indices { try await cases[index].goOn(scene) }
            let removed = cases.filter(\.isRemoved).map(\.id)
            try await eventually("the users are removed") {
                let list = try await scene.done("users removed")
                try list.write(toFile: folder + "/removed", atomically: true, encoding: .utf8)
                return removed.allSatisfy(list.contains)
            }
            try await scene.done("users decisions").write(
                toFile: folder + "/decisions", atomically: true, encoding: .utf8)
            try FileManager.default.copyItem(atPath: stack.dataDirectory + "/secrets", toPath: folder + "/data/secrets")
            return cases
        }

        private func check(_ cases: [RestoreCase], _ folder: String, _ environment: [String: String]) async throws {
            let data = folder + "/data"
            try await LatchkeyStack.run(
                name: "RestoreTableTests-after",
                environment: environment.merging(Self.fakes.merging(["LATCHKEY_DATA_DIR": data]) { $1 }) { $1 },
                policy: Self.policy
            ) { stack in
                let scene = RestoreScene(stack: stack, data: data)
                for restored in cases { try await restored.check(scene) }
            }
        }
    }
}

/// A stack, and the folder in which `deploy/ctl` finds it.
struct RestoreScene: Sendable {
    let stack: LatchkeyStack
    let data: String

    func control(_ arguments: String) async throws -> Shell.Outcome {
        try await Shell.run(
            "'\(LatchkeyStack.root)deploy/ctl' \(arguments)", in: "/", environment: ["LATCHKEY_DATA_DIR": data])
    }

    /// A token of Apple's about `subject`, or a notification, as latchkey-fakes sign them.
    func apple(_ path: String, _ wish: String, _ member: String) async throws -> String {
        let port = try String(contentsOfFile: data + "/run/fakes.port", encoding: .utf8).filter(\.isNumber)
        let answer = try await TestHTTPClient(base: "http://127.0.0.1:\(port)").post(path, wish)
        guard answer.status == 200, let text = try answer.json[member]?.stringValue else {
            throw UnexpectedAnswer(to: "POST \(path)", answer)
        }
        return text
    }

    /// The output of a command that has to succeed.
    @discardableResult
    func done(_ arguments: String) async throws -> String {
        let outcome = try await control(arguments)
        #expect(outcome.isSuccess, "\(arguments): \(outcome.output)")
        return outcome.output
    }

    /// The value of a line of `users find`, or `nil` if there is no such user.
    func shown(_ line: String, of id: String) async throws -> String? {
        let outcome = try await control("users find '\(id)'")
        guard outcome.isSuccess else { return nil }
        let found = outcome.output.split(separator: "\n").first { $0.hasPrefix("\(line):") }
        return found.map { $0.dropFirst(line.count + 1).drop { $0 == " " } }.map(String.init)
    }
}
