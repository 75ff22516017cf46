import AuthAPI
import Foundation
import GRDB
import Glibc
import Synchronization
import TestSupport
import Testing

extension Faults {
    /// The copier and the services are killed while users sign in, and then the whole host; a restore on another one has all that
    /// was acknowledged 10 s before (sqlite-writer.md, backup.md).
    @Suite(.serialized, .timeLimit(.minutes(120))) struct CopyRounds {
        private static let victims = [
            ["copier"], ["token"], ["user"], ["token", "user"], ["copier", "token", "user"],
        ]
        private static let clients = 6
        /// How long the host lives on after a kill, in milliseconds.
        private static let laterMilliseconds = 0...9_000
        private static let lossSecondsMax = 10.0

        @Test func `a restore has all that was acknowledged ten seconds before the host was lost`() async throws {
            let run = FaultRun("copies", shortRounds: 2)
            try await withScratchFolder { folder in
                let key = folder + "/copy.key"
                try Data("\(UUID().uuidString)\(UUID().uuidString)\n".utf8).write(to: URL(filePath: key))
                try FileManager.default.createDirectory(
                    atPath: folder + "/target", withIntermediateDirectories: false)
                let environment = ["LATCHKEY_COPY_TO": folder + "/target", "LATCHKEY_COPY_KEY_FILE": key]
                try await LatchkeyStack.run(name: "CopyRounds", environment: environment) { stack in
                    var generator = SeededGenerator(seed: run.seed)
                    let signIns = SignInLog()
                    // A host that is lost before the first copy is complete has none.
                    try await eventually("the target has a point") {
                        FileManager.default.subpaths(atPath: folder + "/target")?
                            .contains { $0.hasPrefix("points/") && $0.dropFirst(7).first?.isNumber == true } == true
                    }
                    for number in 0..<max(run.rounds, 1) {
                        let victims = Self.victims[number % Self.victims.count]
                        let delays = [0...5_000, Self.laterMilliseconds].map { generator.milliseconds($0) }
                        let report = try await round(stack, folder, victims, delays, signIns)
                        for finding in report.findings { Issue.record("round \(number), \(victims): \(finding)") }
                        run.report("round \(number), \(victims): \(report)")
                    }
                    #expect(signIns.all.count > run.rounds)
                }
            }
        }

        private struct Report: CustomStringConvertible {
            var findings: [String] = []
            var due = 0
            var restored = 0
            var lostSeconds = 0.0

            var description: String {
                "\(restored) users restored, \(due) due; the newest is \(Int(lostSeconds * 10) / 10) s older than the loss; "
                    + "\(findings.count) findings"
            }
        }

        /// Lets clients sign in, kills the victims, and later everything; then restores and looks for what is missing.
        private func round(
            _ stack: LatchkeyStack, _ folder: String, _ victims: [String], _ delays: [Duration], _ signIns: SignInLog
        ) async throws -> Report {
            let isOver = Flag()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.clients {
                    group.addTask {
                        while !isOver.isSet {
                            // A kill ends some requests; they are not acknowledged.
                            do { signIns.add(try await stack.signIn().user.id) } catch {
                                try await Task.sleep(for: .milliseconds(100))
                            }
                        }
                    }
                }
                defer { isOver.set() }
                try await Task.sleep(for: delays[0])
                for victim in victims { try stack.signal(victim, SIGKILL) }
                try await Task.sleep(for: delays[1])
                try await stack.untilReady(within: LatchkeyStack.recoveryLimit)
                try await eventually("the copier runs again") { stack.processID(of: "copier") != nil }
                var report = Report()
                try await stack.without(["copier", "token", "user"]) {
                    isOver.set()
                    report = try await restore(folder, signIns, lostAt: Date())
                }
                try await group.waitForAll()
                return report
            }
        }

        private func restore(_ folder: String, _ signIns: SignInLog, lostAt: Date) async throws -> Report {
            let data = folder + "/restored"
            defer { try? FileManager.default.removeItem(atPath: data) }
            let program = "'\(LatchkeyStack.binaries)/latchkeyctl'"
            let restored = try await Shell.run(
                "\(program) restore --from '\(folder)/target' --key-file '\(folder)/copy.key' --data '\(data)'",
                in: folder)
            guard restored.isSuccess else { return Report(findings: ["restore: \(restored.output)"]) }
            var report = Report()
            for file in ["tokens.sqlite", "users.sqlite"] {
                let verified = try await Shell.run("\(program) audit verify '\(data)/\(file)'", in: folder)
                if !verified.isSuccess { report.findings.append("audit verify: \(verified.output)") }
            }
            let users = try ids(data + "/users.sqlite", "SELECT lower(hex(id)) FROM users")
            let sessions = try ids(data + "/tokens.sqlite", "SELECT DISTINCT lower(hex(user_id)) FROM sessions")
            let due = signIns.all.filter { lostAt.timeIntervalSince($0.at) > Self.lossSecondsMax }
            for signIn in due {
                if !users.contains(signIn.user) { report.findings.append("user \(signIn.user) is lost") }
                if !sessions.contains(signIn.user) { report.findings.append("the session of \(signIn.user) is lost") }
            }
            (report.due, report.restored) = (due.count, users.count)
            let newest = signIns.all.filter { users.contains($0.user) && sessions.contains($0.user) }.map(\.at).max()
            report.lostSeconds = newest.map { lostAt.timeIntervalSince($0) } ?? 0
            return report
        }

        private func ids(_ file: String, _ query: String) throws -> Set<String> {
            try DatabaseQueue(path: file).read { Set(try String.fetchAll($0, sql: query)) }
        }
    }
}

/// The sign-ins that were acknowledged, and when.
private final class SignInLog: Sendable {
    private let entries = Mutex<[(user: String, at: Date)]>([])

    var all: [(user: String, at: Date)] { entries.withLock { $0 } }

    func add(_ user: String) {
        let now = Date()
        entries.withLock { $0.append((String(user.suffix(32)), now)) }
    }
}
