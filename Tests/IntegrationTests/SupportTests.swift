import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// The operator looks users up with `deploy/ctl`, which finds ports and secrets by itself.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_REPLICAS": "user=2,token=2"])) struct SupportTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        func control(
            _ arguments: String, in folder: String? = nil, variables: [String: String] = [:]
        ) async throws -> Shell.Outcome {
            try await Shell.run(
                "'\(LatchkeyStack.root)deploy/ctl' \(arguments)", in: "/",
                environment: variables.merging(["LATCHKEY_DATA_DIR": folder ?? stack.dataDirectory]) { own, _ in own })
        }

        @Test func `a user is found by number and id and stands in the list, with his sessions`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone, name: "Betty").user
            _ = try await stack.signIn(phone: phone)
            for key in [phone, user.id] {
                let found = try await control("users find '\(key)'")
                #expect(found.isSuccess, "\(found.output)")
                for text in [phone, user.id, "Betty"] { #expect(found.output.contains(text), "\(found.output)") }
                let lines = found.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
                #expect(lines.contains(["sessions:", "2"]), "\(found.output)")
            }
            let page = try await control("users list --limit 1")
            #expect(page.isSuccess && page.output.contains("more: --limit 1 --cursor usr_"), "\(page.output)")
            #expect(try await control("users list --limit 200").output.contains(user.id))
        }

        @Test func `the operator sets an attribute, and sees it`() async throws {
            let user = try await stack.signIn().user
            #expect(user.attributes["isChecker"] == .boolean(false))
            let changed = try await control("users change \(user.id) --attribute isChecker=true")
            #expect(changed.isSuccess, "\(changed.output)")
            let lines = try await control("users find \(user.id)").output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("attribute isChecker:") && $0.hasSuffix(" true") }, "\(lines)")
            for wrong in ["isChecker=1", "other=1", "id=1"] {
                #expect(try await !control("users change \(user.id) --attribute \(wrong)").isSuccess)
            }
        }

        @Test func `every record of a command has the name of its operator`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone).user
            let key = "kid-\(UUID().uuidString.prefix(8))"
            let commands = [
                "users find \(user.id)", "users list --limit 1", "users change \(user.id) --name Dora",
                "otp trace \(phone)", "otp unlock \(phone) || true", "sessions revoke --user \(user.id)",
                "keys rotate --now", "users delete \(user.id)", "users restore \(user.id)",
                "otp review-access +1555555\(Int.random(in: 1000...9999)) --until 2099-01-01 || true",
                "audit list --user \(user.id)", "sessions list --user \(user.id)", "keys list", "outbox list",
                "otp review-access", "messages clear \(phone)", "users invite \(phone) || true",
                "users renumber --from '\(phone)' --to '\(LatchkeyStack.freshPhone())' --dry-run",
                "sessions revoke --user \(user.id)",
            ]
            for command in commands {
                let outcome = try await control(command, variables: ["LATCHKEY_OPERATOR": "alice.\(key)"])
                #expect(outcome.isSuccess, "\(command): \(outcome.output)")
            }
            let wanted: Set = [
                "user.looked_up", "user.rights_changed", "user.deletion_requested", "user.restored", "otp.traced",
                "otp.unlocked", "session.revoked", "key.signing", "otp.looked_up", "otp.block_lifted",
            ]
            // The records of codes get into the database a moment later.
            try await eventually("every command in the audit") {
                let lines = try await control("audit list --limit 400").output.split(separator: "\n")
                    .filter { $0.contains("operator:alice.\(key)") }
                return wanted.allSatisfy { event in lines.contains { $0.contains(" \(event) ") } }
                    && ["sessions", "keys", "outbox", "audit", "invite", "renumber: 1"].allSatisfy { subject in
                        lines.contains { $0.contains("user.looked_up") && $0.contains(subject) }
                    }
            }
        }

        @Test func `in production a command of support needs a name, and those of timers do not`() async throws {
            let production = ["LATCHKEY_ENV": "production"]
            for command in [
                "users find x", "keys list", "audit list", "outbox list", "sessions list --user x",
                "users delete x --now", "users renumber --canonical", "users change x --phone +15551234567",
                "users change x --name Betty", "users change x --email betty@example.com", "otp unlock +15551234567",
                "otp review-access", "messages clear +15551234567",
            ] {
                let outcome = try await control("\(command); echo exit=$?", variables: production)
                #expect(
                    outcome.output.hasSuffix("exit=64\n") && outcome.output.contains("LATCHKEY_OPERATOR"),
                    "\(outcome.output)")
            }
            let wrong = production.merging(["LATCHKEY_OPERATOR": "al ice"]) { $1 }
            #expect(try await control("users list; echo exit=$?", variables: wrong).output.hasSuffix("exit=64\n"))
            for command in ["users removed", "users decisions", "users count", "users --help", "users find --help"] {
                let outcome = try await control(command, variables: production)
                #expect(outcome.isSuccess, "\(command): \(outcome.output)")
            }
            let named = production.merging(["LATCHKEY_OPERATOR": "alice"]) { $1 }
            #expect(try await control("users list", variables: named).isSuccess)
        }

        @Test func `the audit is listed through the services, and JSON is one line`() async throws {
            let user = try await stack.signIn().user
            for arguments in [
                "--user \(user.id)", "--user \(user.id) --service token --event session.opened --since 1h --limit 1",
            ] {
                let listed = try await control("audit list \(arguments)")
                #expect(listed.isSuccess && listed.output.contains("session.opened"), "\(listed.output)")
            }
            let json = try await control("audit list --user \(user.id) --service user --json")
            #expect(json.output.contains(#""event":"user.created""#) && json.output.contains(#""service":"user""#))
            #expect(try await !control("audit list --event session.opend").isSuccess)
            for command in [
                "users find \(user.id) --json", "users list --limit 1 --json", "sessions list --user \(user.id) --json",
                "keys list --json",
            ] {
                let printed = try await control(command)
                let data = Data(printed.output.utf8)
                #expect(
                    (try? JSONSerialization.jsonObject(with: data)) is [String: Any], "\(command): \(printed.output)")
            }
            #expect(try await !control("users find --legacy-id nobody").isSuccess)
            let refused = try await control("users change \(user.id) --attribute isChecker=1")
            #expect(refused.output.contains("isChecker is a boolean"), "\(refused.output)")
        }

        @Test(arguments: ["find", "find '*'", "find 123", "find +15550000000", "list --limit 0", "list --cursor x"])
        func `what names nobody fails and says so`(arguments: String) async throws {
            let outcome = try await control("users \(arguments)")
            #expect(!outcome.isSuccess && !outcome.output.isEmpty)
        }

        @Test func `a folder on which nothing runs is named`() async throws {
            let outcome = try await control("users list", in: stack.dataDirectory + "/redis")
            #expect(!outcome.isSuccess && outcome.output.contains("nothing runs on"), "\(outcome.output)")
        }

        @Test func `sessions and keys are reached too, and what asks no service needs no stack`() async throws {
            let keys = try await control("keys list")
            #expect(keys.isSuccess && keys.output.contains("KID"), "\(keys.output)")
            let user = try await stack.signIn().user
            #expect(try await control("sessions list --user \(user.id)").isSuccess)
            let policy = try await control("policy check howru", in: "/nonexistent")
            #expect(policy.isSuccess || policy.output.contains("not built"), "\(policy.output)")
        }
    }
}
