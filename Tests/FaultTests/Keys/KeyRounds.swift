import FoundationEssentials
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Faults {
    /// Signing keys change, and are lost, under traffic at two gateways (security guide R-25, F-62).
    @Suite(.serialized, .timeLimit(.minutes(60))) struct KeyRounds {
        private static let replicas = ["token", "token-2"]
        /// How long token-service is there, and how long it is not, at each rotation.
        private static let half = Duration.seconds(3)
        private static let retirementMax = Duration.milliseconds(100)
        private static let probePause = Duration.milliseconds(2)
        private static let probeTime = Duration.milliseconds(500)

        @Test func `rotations with token-service away half of the time refuse no good token`() async throws {
            let run = FaultRun("keys", shortRounds: 1)
            try await withTwoGateways { stack, gateways in
                let control = KeyControl(stack: stack)
                let traffic = KeyTraffic(stack: stack, gateways: gateways)
                var generator = SeededGenerator(seed: run.seed)
                var kids: Set<String> = [try await control.signing()]
                let start = ContinuousClock.now
                try await traffic.run {
                    for number in 1...max(run.rounds, 1) {
                        // It goes at any moment after the new key signs.
                        let delay = generator.milliseconds(0...Int(Self.half / .milliseconds(1)))
                        try await Task.sleep(for: Self.half - delay)
                        let outcome = try await control.run("rotate --now")
                        #expect(outcome.isSuccess, "\(outcome.output)")
                        kids.insert(try await control.signing())
                        try await Task.sleep(for: delay)
                        try await stack.without(Self.replicas) { try await Task.sleep(for: Self.half) }
                        run.report("rotation \(number): \(traffic.tally)")
                    }
                }
                let tally = traffic.tally
                let perSecond = Double(tally.calls) / ((ContinuousClock.now - start) / .seconds(1))
                run.report("\(Int(perSecond)) calls a second over two gateways, \(kids.count) keys")
                #expect(tally.findings.isEmpty, "\(tally.findings)")
                #expect(kids.count == max(run.rounds, 1) + 1)
                #expect(tally.calls > 0 && tally.refreshes > 0 && tally.signIns > 0)
            }
        }

        @Test func `a retired key's tokens are refused by both gateways within 100 ms of the answer`() async throws {
            let run = FaultRun("keys, retired", shortRounds: 1)
            try await withTwoGateways { stack, gateways in
                let control = KeyControl(stack: stack)
                var latest = Duration.zero
                for number in 1...max(run.rounds, 1) {
                    let old = try await stack.openSession()
                    for gateway in gateways {
                        #expect(try await gateway.asApp.get("/api/hello", bearer: old.accessToken).status == 200)
                    }
                    let accepted = try await lastAccepted(old.accessToken, at: gateways) {
                        try await control.retire(try await control.signing())
                    }
                    latest = max(latest, accepted)
                    #expect(accepted <= Self.retirementMax, "round \(number): accepted \(accepted) after the answer")
                    let fresh = try await stack.openSession()
                    for gateway in gateways {
                        #expect(try await gateway.asApp.get("/api/hello", bearer: fresh.accessToken).status == 200)
                    }
                }
                run.report("last accepted \(latest) after the answer")
            }
        }

        /// From the end of `end` until the last request *began* that was accepted by either gateway; zero for none.
        private func lastAccepted(
            _ token: String, at gateways: [TestHTTPClient], after end: @Sendable () async throws -> Void
        ) async throws -> Duration {
            let isOver = Flag()
            return try await withThrowingTaskGroup(of: ContinuousClock.Instant?.self) { group in
                for gateway in gateways {
                    group.addTask {
                        var last: ContinuousClock.Instant?
                        while !isOver.isSet {
                            let began = ContinuousClock.now
                            let status = try await gateway.get("/api/hello", bearer: token).status
                            #expect([200, 401, 503].contains(status))
                            if status == 200 { last = began }
                            // Asked without a pause, two gateways take a small machine's time from Redis, and who has not
                            // heard of it for 100 ms answers 503.
                            try await Task.sleep(for: Self.probePause)
                        }
                        return last
                    }
                }
                defer { isOver.set() }
                try await end()
                let answered = ContinuousClock.now
                try await Task.sleep(for: Self.probeTime)
                isOver.set()
                var latest = Duration.zero
                for try await last in group { if let last { latest = max(latest, last - answered) } }
                return latest
            }
        }

        private func withTwoGateways(
            _ body: (LatchkeyStack, [TestHTTPClient]) async throws -> Void
        ) async throws {
            try await LatchkeyStack.run(name: "KeyRounds", environment: ["LATCHKEY_REPLICAS": "token=2"]) { stack in
                try await ProcessTwin(of: "gateway", in: stack).run { twin in
                    try await eventually("the second gateway is ready") {
                        do { return try await twin.operations.get("/readyz").status == 200 } catch { return false }
                    }
                    try await body(stack, [stack.gateway, twin.service])
                }
            }
        }
    }
}
