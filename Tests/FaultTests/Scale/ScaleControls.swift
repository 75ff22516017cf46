import FoundationEssentials
import TestSupport
import Testing

/// Deployments that lose what was acknowledged, or trust what they must not: the rounds have to find it.
extension Faults.ScaleRounds {
    /// `deploy/faults scale controls`.
    static var runsControls: Bool { ProcessInfo.processInfo.environment["LATCHKEY_FAULT_KIND"] == "controls" }
    /// Requests are acknowledged for so long, and then lost.
    private static let lossy = Duration.seconds(2)
    private static let naivePort = 8070

    @Test(.enabled(if: runsControls))
    func `control: what PostgreSQL acknowledged before it wrote it is lost with its host, and found to be`()
        async throws
    {
        let parameters = ["synchronous_commit: \"off\"", "wal_buffers: 16MB"]
        try await control("synchronous_commit=off", .primary, parameters: parameters) { deployment, victim in
            // A machine that has much to do may let it wait as well.
            try await deployment.cluster.network.hosts[victim].run("pkill -STOP -f '^postgres: .*walwriter'")
            try await Task.sleep(for: Self.lossy)
        }
    }

    @Test(.enabled(if: runsControls))
    func `control: what no standby has is lost with the primary, and found to be`() async throws {
        try await control("an asynchronous standby", .primary, isSynchronous: false) { deployment, victim in
            try await deployment.cluster.network.cut(1 - victim, from: victim, port: 5432)
            try await Task.sleep(for: Self.lossy)
        }
    }

    @Test(.enabled(if: runsControls))
    func `control: a gateway that trusts a replaced master lets signed-out users in, and is found to`() async throws {
        try await Deployment.with { deployment in
            let fault = try await ScaleFault.next(.isolated, 0, in: deployment)
            let master = deployment.cluster.network.address(fault.victim)
            try await deployment.start(
                "gateway", on: fault.victim, port: Self.naivePort, settings: ["REDIS_URL": "redis://\(master):6379"])
            let naive = deployment.stack(at: fault.victim, port: Self.naivePort)
            try await eventually("the gateway responds") {
                do { return try await naive.gateway.get("/healthz").status > 0 } catch { return false }
            }
            let report = try await ScaleRound(deployment: deployment, others: [naive]).run(fault)
            expectFindings(report, "I-3", "a gateway that trusts a replaced master")
        }
    }

    private func control(
        _ name: String, _ kind: ScaleKind, parameters: [String] = [], isSynchronous: Bool = true,
        _ prepare: @escaping @Sendable (Deployment, Int) async throws -> Void
    ) async throws {
        try await Deployment.with(parameters: parameters, isSynchronous: isSynchronous) { deployment in
            var fault = try await ScaleFault.next(kind, 0, in: deployment)
            let victim = fault.victim
            fault.prepare = { try await prepare(deployment, victim) }
            let report = try await ScaleRound(deployment: deployment).run(fault)
            expectFindings(report, "I-4", name)
        }
    }

    /// Prints what was found, and expects that there is a violation of an invariant.
    private func expectFindings(_ report: ScaleRound.Report, _ invariant: String, _ name: String) {
        let found = report.findings.filter { $0.contains(invariant) }
        #expect(!found.isEmpty, "\(name): nothing was found, so the rounds cannot fail: \(report)")
        FaultRun("scale, \(name)", shortRounds: 1).report("\(found.count) findings: \(found.first ?? "none")")
    }
}
