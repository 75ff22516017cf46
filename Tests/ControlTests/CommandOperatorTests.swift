import ArgumentParser
import InternalAPI
import Testing

@testable import ControlCore

@Suite struct CommandOperatorTests {
    private static let production = ["LATCHKEY_ENV": "production"]

    /// The path of each command that can be run, such as `users find`.
    private static func paths(
        below command: any ParsableCommand.Type = LatchkeyControl.self, _ path: [String] = []
    ) -> [(path: String, command: any ParsableCommand.Type)] {
        command.configuration.subcommands.flatMap { below -> [(path: String, command: any ParsableCommand.Type)] in
            let path = path + [below._commandName]
            return below.configuration.subcommands.isEmpty
                ? [(path.joined(separator: " "), below)] : paths(below: below, path)
        }
    }

    private func decide(
        _ command: any ParsableCommand.Type, _ variables: [String: String], login: String? = "carla"
    ) -> CommandOperator.Decision { CommandOperator.decide(command, variables: variables, login: login) }

    @Test func `every command that reads or changes a person, a session or a key needs a name`() {
        let needing = Self.paths().filter { CommandOperator.isNeeded(by: $0.command) }.map(\.path)
        #expect(
            Set(needing) == [
                "audit follow", "audit list", "clients create", "clients key", "clients remove", "clients revoke",
                "clients rotate", "database begin-epoch", "keys import", "keys list", "keys retire", "keys rotate",
                "messages clear", "otp review-access", "otp trace", "otp unlock", "outbox drop", "outbox list",
                "outbox replay", "outbox retry", "passkeys list", "passkeys remove", "reviews block", "reviews clear",
                "reviews list", "sessions list",
                "sessions revoke", "users change", "users create-admin", "users delete", "users export", "users find",
                "users import", "users inactive", "users invite", "users list", "users renumber", "users replace-phone",
                "users reset-second-factor", "users restore", "users resubject", "users story",
            ])
        // A command in the list that does not exist would be one that was renamed.
        let all = CommandOperator.leaves(of: LatchkeyControl.self)
        for command in CommandOperator.nameless { #expect(all.contains { $0 == command }, "\(command)") }
    }

    @Test func `what compose and timers run needs none in production`() throws {
        let known = Dictionary(uniqueKeysWithValues: Self.paths().map { ($0.path, $0.command) })
        for path in ["redis load", "database migrate", "healthcheck", "backup", "users removed", "users decisions"] {
            #expect(decide(try #require(known[path]), Self.production) == .runs(nil), "\(path)")
        }
        // Help is no command that could be refused.
        #expect(decide(UsersCommand.self, Self.production) == .runs(nil))
    }

    @Test func `in production a command without a name is refused, also with an empty one`() {
        for variables in [Self.production, Self.production.merging(["LATCHKEY_OPERATOR": ""]) { $1 }] {
            guard case .refused(let line) = decide(UsersFind.self, variables) else {
                Issue.record("it runs")
                continue
            }
            #expect(line.contains("LATCHKEY_OPERATOR") && line.contains("exec -e"), "\(line)")
            #expect(!line.contains("\n"))
        }
    }

    @Test func `outside production the login name is the default`() throws {
        let carla = try #require(OperatorName("carla"))
        for variables in [[:], ["LATCHKEY_ENV": "uat"], ["LATCHKEY_ENV": "development"]] {
            #expect(decide(KeysRetire.self, variables) == .runs(carla))
        }
        #expect(decide(KeysRetire.self, [:], login: #"ACME\jörg"#) == .runs(OperatorName("ACME-j--rg")))
        #expect(decide(KeysRetire.self, [:], login: nil) == .runs(nil))
        #expect(
            decide(KeysRetire.self, ["LATCHKEY_OPERATOR": "al.ice_B-7@acme"])
                == .runs(OperatorName("al.ice_B-7@acme")))
    }

    @Test(arguments: [
        "a b", "a:b", "alice;bob", "jörg", "a\nb", String(repeating: "a", count: 65), "a\u{0}", "alice/..", " ",
    ])
    func `what is no name is refused everywhere`(text: String) {
        for environment in ["development", "production"] {
            let decision = decide(UsersFind.self, ["LATCHKEY_ENV": environment, "LATCHKEY_OPERATOR": text])
            guard case .refused(let line) = decision else {
                Issue.record("it runs")
                continue
            }
            #expect(line.contains("1 to 64 of"), "\(line)")
        }
        #expect(decide(UsersRemoved.self, ["LATCHKEY_OPERATOR": text]) == .runs(nil))
    }

    @Test func `64 characters are a name`() {
        #expect(OperatorName(String(repeating: "a", count: 64)) != nil && OperatorName("") == nil)
    }
}
