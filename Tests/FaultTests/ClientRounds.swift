import TestSupport
import Testing

@testable import BenchCore

extension Faults {
    /// Crowds of hostile clients, each drawn out of a seed, on a gateway with 256 MB.
    @Suite(.serialized, .timeLimit(.minutes(120))) struct ClientRounds {
        /// In its long form, with release processes, others have to be served too.
        @Test func `no crowd of clients makes the gateway hold too much or end`() async throws {
            let run = FaultRun("clients", shortRounds: 2)
            let fuzz = ClientFuzz(
                seed: run.seed, rounds: run.rounds, seconds: FaultRun.isLong ? 8 : 4, judgesService: FaultRun.isLong)
            let outcome = try await fuzz.run { run.report($0) }
            for finding in outcome.findings { Issue.record("\(finding)") }
        }
    }
}
