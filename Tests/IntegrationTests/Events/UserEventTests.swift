import AuthAPI
import FoundationEssentials
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// The events for the app's back end, with real processes on both engines.
    @Suite(.serialized, .timeLimit(.minutes(20))) struct UserEventTests {
        /// How often the receiver is killed, and user-service as often.
        private static let kills = LongRun.isOn ? 20 : 3

        enum Engine: String, CaseIterable, Sendable {
            case sqlite, postgreSQL
        }

        private static func stack(
            _ engine: Engine, _ name: String, _ backEnd: EventBackEnd, _ body: (LatchkeyStack) async throws -> Void
        ) async throws {
            var database: StackDatabase?
            if engine == .postgreSQL {
                let server = try await PostgreSQLServer.sharedServer()
                let schema = "events_" + UUID().uuidString.lowercased().filter { $0 != "-" }
                _ = try await server.psql("CREATE DATABASE \(schema)")
                database = StackDatabase(on: server, name: schema)
            }
            try await LatchkeyStack.run(
                name: "\(name) \(engine)", environment: ["USER_HOOK_URL": backEnd.url],
                policy: ["include: []": "include: [role, name]"],
                secrets: ["user_hook_secret": EventBackEnd.secret + "\n"], database: database, body)
        }

        /// Returns our table, in the form of the back end's.
        private static func table(_ stack: LatchkeyStack, revoked: Set<String>) async throws -> [String] {
            let listed = try await stack.control("users list --limit 200 --json")
            try #require(listed.isSuccess, "\(listed.output)")
            let users = try JSONDecoder().decode(UserPage.self, from: Data(listed.output.utf8)).users
            return
                (users.map { "\($0.id) \($0.role) \($0.name ?? "None") \($0.isActive ? 1 : 0)" }
                + revoked.map { "revoked \($0)" }).sorted()
        }

        /// Runs an operator's command until it succeeds: user-service may be down.
        private static func change(_ stack: LatchkeyStack, _ command: String) async throws {
            try await eventually(command) { try await stack.control(command).isSuccess }
        }

        @Test(
            .enabled(if: ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == nil), arguments: Engine.allCases
        )
        func `a back end that is killed again and again, with user-service beside it, ends with our table`(
            _ engine: Engine
        ) async throws {
            let backEnd = try await EventBackEnd()
            try await backEnd.start()
            try await Self.stack(engine, "UserEventTests", backEnd) { stack in
                var people: [SignInReply] = []
                for index in 0..<6 { people.append(try await stack.signIn(name: "Person\(index)")) }
                for kill in 0..<Self.kills {
                    try await backEnd.kill()
                    for (index, person) in people.enumerated() {
                        try await Self.change(stack, "users change \(person.user.id) --name Name\(kill)\(index)")
                    }
                    async let restarted: Void = stack.restart("user", by: SIGKILL)
                    try await backEnd.start()
                    try await Self.change(
                        stack, "users change \(people[0].user.id) --role \(kill.isMultiple(of: 2) ? "admin" : "user")")
                    try await Self.change(
                        stack, "users change \(people[1].user.id) --active \(!kill.isMultiple(of: 2))")
                    try await restarted
                    people.append(try await stack.signIn(name: "Late\(kill)"))
                }
                try await Self.change(stack, "sessions revoke --user \(people[2].user.id)")
                try await Self.change(stack, "users delete \(people[3].user.id) --now")
                try await Self.compare(backEnd, stack)
                #expect(try !backEnd.log().contains("unsigned"))
            }
            try await backEnd.kill()
            try backEnd.remove()
        }

        @Test(.enabled(if: ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == nil))
        func `a response 410 stops the hook, which the operator sees, until events are replayed`() async throws {
            let backEnd = try await EventBackEnd()
            try await backEnd.start()
            try await Self.stack(.sqlite, "StoppedHook", backEnd) { stack in
                let user = try await stack.signIn(name: "Ann").user
                try await Self.compare(backEnd, stack)
                try backEnd.setGone(true)
                try await Self.change(stack, "users change \(user.id) --name Bea")
                let operations = try stack.operations("user")
                try await eventually("the hook is stopped") {
                    let ready = try await operations.get("/readyz")
                    return ready.status == 200 && ready.text.contains("410")
                }
                try await eventually("the metric says so") {
                    try await operations.get("/metrics").text.contains("user_hook_stopped 1")
                }
                try backEnd.setGone(false)
                try await Self.change(stack, "users change \(user.id) --name Cleo")
                #expect(try await backEnd.table().contains("\(user.id) user Ann 1"))
                let replayed = try await stack.control("outbox replay --since 1h")
                #expect(
                    replayed.isSuccess && replayed.output.contains("user-service posts 3 events again"),
                    "\(replayed.output)")
                try await Self.compare(backEnd, stack)
            }
            try await backEnd.kill()
            try backEnd.remove()
        }

        /// Waits until the back end's table equals ours.
        private static func compare(_ backEnd: EventBackEnd, _ stack: LatchkeyStack) async throws {
            var (own, other): ([String], [String]) = ([], [])
            do {
                try await eventually("the tables are equal", within: .seconds(120), every: .milliseconds(500)) {
                    let audit = try await stack.control("audit list --event session.revoked --limit 1000 --json")
                    let sessions = audit.output.matches(of: /"sessionID":"([0-9a-f]+)"/).map { String($0.output.1) }
                    own = try await table(stack, revoked: Set(sessions))
                    other = try await backEnd.table()
                    return own == other
                }
            } catch let error as NeverTrue {
                Issue.record("\(error)\nours: \(own)\ntheirs: \(other)\nlog: \(try backEnd.log().suffix(800))")
            }
        }
    }
}
