import TestSupport

/// A fault of a cluster under clients, and all that has to hold meanwhile and afterwards.
struct ScaleRound: Sendable {
    private static let clients = 16
    private static let before = Duration.seconds(4)
    /// Requests go on for so long after the cluster is whole again.
    private static let after = Duration.seconds(3)
    private static let recoveryLimit = Duration.seconds(90)

    let deployment: Deployment
    /// Other gateways, at which tokens of ended sessions are presented.
    var others: [LatchkeyStack] = []

    /// The result of a round.
    struct Report: Sendable, CustomStringConvertible {
        let fault: String
        /// From the fault until requests succeeded again where they can.
        let recovery: Duration
        /// From the fault until calls of the app's API succeeded again, which need no database.
        let calls: Duration
        let acknowledged: Int
        let failedResponses: [String: Int]
        let findings: [String]

        var description: String {
            "\(fault): sign-ins and refreshes after \(Self.seconds(recovery)), calls after \(Self.seconds(calls)); "
                + "\(acknowledged) acknowledged, \(failedResponses["503"] ?? 0) answers 503, \(findings.count) findings"
        }

        private static func seconds(_ time: Duration) -> String {
            "\(((time / .milliseconds(100)).rounded()) / 10) s"
        }
    }

    /// The moments of a fault, since the history began.
    private struct Moments {
        var began = Duration.zero
        var ended = Duration.zero
        var recovery = Duration.zero
        var calls = Duration.zero
    }

    func run(_ fault: ScaleFault) async throws -> Report {
        let recorder = HistoryRecorder()
        let stacks = Cluster.pair.map { deployment.stack(at: $0) }
        let clients = (0..<Self.clients).map {
            ScaleClient(number: $0, stacks: stacks, roams: fault.kind.roams, others: others, recorder: recorder)
        }
        let isOver = Flag()
        let services = Cluster.pair.map { deployment.otp($0) }
        return try await withThrowingTaskGroup(of: (Int, ScaleClient.Sessions).self) { group in
            for client in clients {
                group.addTask { (client.number, try await client.run(until: isOver)) }
            }
            group.addTask {
                try await clients[0].guess(until: isOver, at: services)
                return (0, ScaleClient.Sessions())
            }
            do {
                let moments = try await disturb(fault, recorder)
                isOver.set()
                var findings: [String] = []
                for try await (number, sessions) in group {
                    findings += try await clients[number].findings(in: sessions)
                }
                return report(fault, recorder, moments, findings)
            } catch {
                isOver.set()
                throw error
            }
        }
    }

    private func disturb(_ fault: ScaleFault, _ recorder: HistoryRecorder) async throws -> Moments {
        let majority = fault.kind.majority(without: fault.victim)
        var moments = Moments()
        try await Task.sleep(for: Self.before)
        moments.began = recorder.now
        try await fault.begin()
        var recovery: (all: Duration, calls: Duration)?
        try await eventually("\(fault): recovery", within: Self.recoveryLimit, every: .milliseconds(500)) {
            let progress = Recovery(
                recorder.operations.filter { majority.contains(ScaleClient.gateway(of: $0)) }, since: moments.began,
                now: recorder.now)
            recovery = progress.times
            return recovery != nil
        }
        try await Task.sleep(for: max(.zero, moments.began + fault.kind.duration - recorder.now))
        moments.ended = recorder.now
        try await fault.end()
        try await deployment.cluster.untilWhole()
        try await deployment.untilReady()
        try await Task.sleep(for: Self.after)
        (moments.recovery, moments.calls) = recovery ?? (.zero, .zero)
        return moments
    }

    private func report(
        _ fault: ScaleFault, _ recorder: HistoryRecorder, _ moments: Moments, _ found: [String]
    ) -> Report {
        let operations = recorder.operations
        var findings = found + HistoryChecker().findings(in: operations).map(\.description)
        findings += recorder.failedResponses.filter { $0.key != "503" }.map { "\($0.value) responses were \($0.key)" }
        if let host = fault.kind.cutOff(by: fault.victim) {
            findings += served(by: host, in: operations, moments).map { "h\(host + 1) served though cut off: \($0)" }
        }
        return Report(
            fault: fault.description, recovery: moments.recovery, calls: moments.calls,
            acknowledged: operations.count { $0.outcome.isSuccess }, failedResponses: recorder.failedResponses,
            findings: findings.map { "\(fault): \($0)" })
    }

    /// The requests that a cut-off host served, from the moment when it has to know that it is cut off until the cut ends.
    private func served(by host: Int, in operations: [Operation], _ moments: Moments) -> [String] {
        operations.filter { operation in
            guard let completed = operation.completed, operation.outcome.isSuccess, operation.kind != .guess else {
                return false
            }
            return ScaleClient.gateway(of: operation) == host
                && operation.invoked > moments.began + Self.loneliness && completed < moments.ended
        }.map { "\($0.kind.rawValue) at \($0.invoked)" }
    }

    /// The longest time for which a cut-off host may trust what it knows.
    private static let loneliness = Duration.seconds(5)
}
