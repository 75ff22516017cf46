import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// `latchkeyctl users decisions` and `restore --decisions`, as the operator runs them around a restore.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SecurityDecisionCommandTests {
        private struct Person {
            let phone: String
            let id: String

            init(_ stack: LatchkeyStack) async throws {
                phone = LatchkeyStack.freshPhone()
                id = try await stack.signIn(phone: phone).user.id
            }
        }

        /// A user who was deactivated after the backup, and a former administrator.
        private struct Decided {
            let deactivated: Person
            let formerAdmin: Person
        }

        @Test(.onFiles)
        func `decisions made after a backup outlive its restore with the list, and are undone without it`()
            async throws
        {
            try await withScratchFolder { folder in
                try FileManager.default.createDirectory(atPath: folder + "/written", withIntermediateDirectories: true)
                let people = try await LatchkeyStack.run(
                    name: "SecurityDecisionCommandTests-before",
                    environment: ["LATCHKEY_DECISIONS_DIR": folder + "/written"]
                ) { try await decide($0, folder) }
                for list in ["printed", "written/decisions", nil] {
                    try await restore(people, folder, list: list)
                }
            }
        }

        /// Makes a backup, then decisions, and leaves their list in `folder/printed`.
        private func decide(_ stack: LatchkeyStack, _ folder: String) async throws -> Decided {
            let people = Decided(deactivated: try await Person(stack), formerAdmin: try await Person(stack))
            func control(_ arguments: String) async throws -> String {
                let outcome = try await stack.control(arguments)
                #expect(outcome.isSuccess, "\(outcome.output)")
                return outcome.output
            }
            _ = try await control("users change \(people.formerAdmin.id) --role admin")
            _ = try await control("backup --data '\(stack.dataDirectory)' --to '\(folder)/backup'")
            _ = try await control("users change \(people.formerAdmin.id) --role user")
            _ = try await control("users change \(people.deactivated.id) --active false")
            let printed = try await control("users decisions")
            let kinds = printed.split(separator: "\n").map {
                $0.split(separator: " ").dropFirst(2).joined(separator: " ")
            }
            #expect(
                kinds.suffix(3) == [
                    "role_lost \(people.formerAdmin.id) admin", "role_given \(people.formerAdmin.id) user",
                    "deactivated \(people.deactivated.id)",
                ])
            #expect(!printed.contains(people.deactivated.phone.dropFirst()))
            #expect(try await control("users decisions --since 2001-01-01T00:00:00Z") == printed)
            #expect(try await control("users decisions --since 2999-01-01T00:00:00Z").isEmpty)
            #expect(try await !stack.control("users decisions --since yesterday").isSuccess)
            let written = folder + "/written/decisions"
            try await eventually("user-service has written the same list") {
                FileManager.default.contents(atPath: written) == Data(printed.utf8)
            }
            try printed.write(toFile: folder + "/printed", atomically: true, encoding: .utf8)
            try FileManager.default.copyItem(atPath: stack.dataDirectory + "/secrets", toPath: folder + "/secrets")
            return people
        }

        /// - Parameter list: the list below `folder`; `nil` for a restore without one.
        private func restore(_ people: Decided, _ folder: String, list: String?) async throws {
            let data = "\(folder)/data-\(list == nil ? "without" : "with")-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: folder + "/secrets", toPath: data + "/secrets")
            let command = "./latchkeyctl restore --from '\(folder)/backup' --data '\(data)'"
            try "1 yesterday deactivated x\n".write(toFile: folder + "/broken", atomically: true, encoding: .utf8)
            let refused = try await Shell.run("\(command) --decisions '\(folder)/broken'", in: LatchkeyStack.binaries)
            #expect(!refused.isSuccess && refused.output.contains("line 1"), "\(refused.output)")
            #expect(!FileManager.default.fileExists(atPath: data + "/users.sqlite"))
            let option = list.map { " --decisions '\(folder)/\($0)'" } ?? ""
            let restored = try await Shell.run(command + option, in: LatchkeyStack.binaries)
            #expect(restored.isSuccess && !restored.output.contains("older than"), "\(restored.output)")
            #expect(restored.output.contains("no --decisions") == (list == nil), "\(restored.output)")
            try await LatchkeyStack.run(
                name: "SecurityDecisionCommandTests-after", environment: ["LATCHKEY_DATA_DIR": data]
            ) { try await expect(people, kept: list != nil, $0, data) }
        }

        /// - Parameter kept: whether the decisions still apply.
        private func expect(_ people: Decided, kept: Bool, _ stack: LatchkeyStack, _ data: String) async throws {
            let found = try await Shell.run(
                "'\(LatchkeyStack.root)deploy/ctl' users find \(people.formerAdmin.id)", in: "/",
                environment: ["LATCHKEY_DATA_DIR": data])
            let lines = found.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(lines.contains(["role:", kept ? "user" : "admin"]), "\(found.output)")
            if kept {
                let refused = await #expect(throws: UnexpectedAnswer.self) {
                    try await stack.signIn(phone: people.deactivated.phone)
                }
                #expect("\(String(describing: refused))".contains("account_inactive"))
            } else {
                #expect(try await stack.signIn(phone: people.deactivated.phone).user.id == people.deactivated.id)
            }
        }
    }
}
