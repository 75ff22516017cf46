import Glibc
import TestSupport
import Testing

extension Faults {
    /// `kill -9` at every write and sync of an act of token-service (security guide F-22).
    @Suite(.serialized, .timeLimit(.minutes(30))) struct InterruptionRounds {
        /// What SQLite writes its log with, then what goes to Redis, to the client and between threads.
        private static let calls = ["pwrite64", "fdatasync", "write", "writev"]
        /// In the suite: one of each act's first calls, at random.
        private static let shortPoints =
            (1...8).map { Tracer.Point(call: "pwrite64", number: $0) }
            + (1...4).map { Tracer.Point(call: "write", number: $0) }

        @Test(.enabled(if: Tracer.mayAttach, "kernel.yama.ptrace_scope keeps strace from other processes"))
        func `an act that is killed at a write or sync stands whole or not at all, and whole once acknowledged`()
            async throws
        {
            let run = FaultRun("writes", shortRounds: 1)
            try await LatchkeyStack.run(
                name: "InterruptionRounds",
                policy: PolicyText.unlimitedRefreshes.merging(["refresh: counters": "refresh: full"]) { $1 }
            ) { stack in
                try await stack.untilReady()
                var bench = InterruptionBench(stack: stack, twin: try ProcessTwin(of: "token", in: stack))
                var generator = SeededGenerator(seed: run.seed)
                try await stack.without(["token"]) {
                    for kind in InterruptedAct.Kind.allCases {
                        if run.rounds > 1 {
                            for call in Self.calls { try await bench.killAll(kind, call, upTo: run.rounds) }
                        } else if let point = Self.shortPoints.randomElement(using: &generator) {
                            try await bench.kill(kind, at: point)
                        }
                    }
                    try await bench.finish()
                }
                bench.findings += try await DatabaseCheck(of: stack).auditFindings()
                for finding in bench.findings { Issue.record("\(finding)") }
                run.report("\(bench)")
                #expect(bench.kills > 0)
            }
        }
    }
}

/// Runs token-service alone on the stack's files, kills it in the midst of an act, and judges that in its next life.
private struct InterruptionBench: CustomStringConvertible {
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
    mutating func killAll(_ kind: InterruptedAct.Kind, _ call: String, upTo last: Int) async throws {
        for number in 1...last {
            guard try await kill(kind, at: Tracer.Point(call: call, number: number)) else {
                reached.append("\(kind) \(call) \(number - 1)")
                return
            }
        }
        reached.append("\(kind) \(call) \(last) and more")
    }

    /// - Returns: whether the process was killed.
    @discardableResult
    mutating func kill(_ kind: InterruptedAct.Kind, at point: Tracer.Point) async throws -> Bool {
        let previous = last
        let (interruption, found) = try await restarted { running in
            let found = try await Self.judge(previous, running)
            return (try await Interruption(kind, at: point, stack, running), found)
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
            try await eventually("token-service is ready") {
                do { return try await running.operations.get("/readyz").status == 200 } catch { return false }
            }
            return try await body(running)
        }
    }
}
