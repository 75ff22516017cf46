import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Faults {
    /// `kill -9` at every write and sync of an operation (security guide F-22).
    @Suite(.serialized, .timeLimit(.minutes(120))) struct InterruptionRounds {
        /// The calls with which SQLite writes its log, then those to Redis, to the client and between threads.
        private static let calls = ["pwrite64", "fdatasync", "write", "writev"]
        /// In the suite: one of each act's first calls, at random.
        private static let shortPoints =
            (1...8).map { Tracer.Point(call: "pwrite64", number: $0) }
            + (1...4).map { Tracer.Point(call: "write", number: $0) }

        /// The operations that `LATCHKEY_FAULT_OPERATION` names; all without it.
        private static var chosen: [DurableOperation] {
            let name = ProcessInfo.processInfo.environment["LATCHKEY_FAULT_OPERATION"]
            return DurableOperation.all.filter { name == nil || $0.name == name }
        }

        @Test(
            .enabled(if: Tracer.mayAttach, "kernel.yama.ptrace_scope keeps strace from other processes"),
            arguments: ["token", "user"])
        func `an act that is killed at a write or sync stands whole or not at all, and whole once acknowledged`(
            by process: String
        ) async throws {
            let operations = Self.chosen.filter { $0.process == process }
            guard !operations.isEmpty else { return }
            let run = FaultRun("writes", shortRounds: 1)
            try await LatchkeyStack.run(
                name: "InterruptionRounds-\(process)", environment: ["LATCHKEY_FAKES": "1"],
                policy: PolicyText.unlimitedRefreshes.merging(PolicyText.passwords) { $1 }
                    .merging(PolicyText.secondFactors) { $1 }
                    .merging(["refresh: counters": "refresh: full", "idleMonths: none": "idleMonths: 4"]) { $1 }
            ) { stack in
                try await stack.untilReady()
                var rig = InterruptionRig(stack: stack, twin: try ProcessTwin(of: process, in: stack))
                try await stack.without([process]) {
                    try await Self.interrupt(operations, with: &rig, run)
                    try await rig.finish()
                }
                rig.findings += try await DatabaseCheck(of: stack).auditFindings()
                for finding in rig.findings { Issue.record("\(finding)") }
                run.report("\(rig)")
                #expect(rig.kills > 0)
            }
        }

        private static func interrupt(
            _ operations: [DurableOperation], with rig: inout InterruptionRig, _ run: FaultRun
        ) async throws {
            var generator = SeededGenerator(seed: run.seed)
            for operation in operations {
                if run.rounds > 1 {
                    for call in calls { try await rig.killAll(operation, call, upTo: run.rounds) }
                } else if let point = shortPoints.randomElement(using: &generator) {
                    try await rig.kill(operation, at: point)
                }
            }
        }

        /// `deploy/faults writes OPERATION` finds them in the sources by it.
        @Test func `operations have names of their own, of letters and hyphens`() {
            let names = DurableOperation.all.map(\.name)
            #expect(Set(names).count == names.count)
            #expect(names.allSatisfy { $0.allSatisfy { ("a"..."z").contains($0) || $0 == "-" } })
        }

        /// Bad histories: a judge that lets them pass would let everything pass.
        @Test func `a half act, a lost one and one that nobody heard of are found`() {
            let act = InterruptedAct(
                changes: ["sessions": 1, "grants": 1], records: { [:] }, perform: { _ in throw CancellationError() })
            func findings(_ after: [String: Int], acknowledged: Bool, known: Bool = true) -> Int {
                Interruption.judge(
                    act, before: ["sessions": 2], after: after, isAcknowledged: acknowledged, wasKnown: known
                ).count
            }
            let (none, half, whole) = (["sessions": 2], ["sessions": 3], ["sessions": 3, "grants": 1])
            #expect(findings(none, acknowledged: false) == 0 && findings(whole, acknowledged: true) == 0)
            #expect(findings(half, acknowledged: false) == 1)
            #expect(findings(none, acknowledged: true) == 1)
            #expect(findings(whole, acknowledged: true, known: false) == 1)
        }

        @Test func `users of one call who came without the others, or without a password, are found`() {
            let act = InterruptedAct(
                changes: ["users": 3, "passwords": 3, "user.imported": 3], records: { [:] },
                perform: { _ in throw CancellationError() })
            for (after, expected) in [
                ([:], 0), (act.changes, 0), (["users": 2, "passwords": 2, "user.imported": 2], 1),
                (["users": 3, "passwords": 2, "user.imported": 3], 1), (["users": 3, "passwords": 3], 1),
                (["users": 6, "passwords": 6, "user.imported": 6], 1),
            ] as [([String: Int], Int)] {
                let found = Interruption.judge(act, before: [:], after: after, isAcknowledged: false, wasKnown: true)
                #expect(found.count == expected, "\(after)")
            }
        }
    }
}

/// Runs one process alone on the stack's files, kills it in the midst of an act, and judges that in its next life.
private struct InterruptionRig: CustomStringConvertible {
    let stack: LatchkeyStack
    let twin: ProcessTwin
    private(set) var kills = 0
    var findings: [String] = []
    private var whole = 0
    private var acknowledged = 0
    private var last: Interruption?
    private var reached: [String] = []

    init(stack: LatchkeyStack, twin: ProcessTwin) {
        self.stack = stack
        self.twin = twin
    }

    var description: String {
        "\(kills) kills (\(reached.joined(separator: ", "))), \(whole) acts stood in whole, \(acknowledged) of them "
            + "acknowledged, \(findings.count) findings"
    }

    /// Kills at the first, second, … call until the act has no more of them.
    mutating func killAll(_ operation: DurableOperation, _ call: String, upTo last: Int) async throws {
        for number in 1...last {
            guard try await kill(operation, at: Tracer.Point(call: call, number: number)) else {
                reached.append("\(operation.name) \(call) \(number - 1)")
                return
            }
        }
        reached.append("\(operation.name) \(call) \(last) and more")
    }

    /// - Returns: whether the process was killed.
    @discardableResult
    mutating func kill(_ operation: DurableOperation, at point: Tracer.Point) async throws -> Bool {
        let previous = last
        let (interruption, found) = try await restarted { running in
            let found = try await Self.judge(previous, running)
            return (try await Interruption(operation, at: point, stack, running), found)
        }
        note(previous, found)
        last = interruption
        if interruption.isKilled { kills += 1 }
        return interruption.isKilled
    }

    /// Judges the last act.
    mutating func finish() async throws {
        let previous = last
        let found = try await restarted { try await Self.judge(previous, $0) }
        note(previous, found)
        last = nil
    }

    private typealias Found = (isWhole: Bool, findings: [String])

    private static func judge(_ interruption: Interruption?, _ running: ProcessTwin.Running) async throws -> Found {
        guard let interruption else { return (false, []) }
        let isWhole = try interruption.isWhole()
        return (isWhole, try await interruption.findings(at: running.service))
    }

    private mutating func note(_ interruption: Interruption?, _ found: Found) {
        findings += found.findings
        guard let interruption, interruption.isKilled else { return }
        if found.isWhole { whole += 1 }
        if interruption.isAcknowledged { acknowledged += 1 }
    }

    private func restarted<Value: Sendable>(
        _ body: (ProcessTwin.Running) async throws -> Value
    ) async throws -> Value {
        try await twin.run { running in
            try await eventually("it is ready") {
                do { return try await running.operations.get("/readyz").status == 200 } catch { return false }
            }
            return try await body(running)
        }
    }
}
