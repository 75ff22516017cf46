import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Faults {
    /// `kill -9` of what hands notices on, while accounts with an address are given up.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct NoticeRounds {
        private static let victims = ["user", "otp"]
        private static let clients = 8
        private static let deliveryLimit = Duration.seconds(60)

        @Test func `whoever gives an account up hears of it once, whatever is killed`() async throws {
            let run = FaultRun("notices", shortRounds: 1)
            let environment = ["LATCHKEY_FAKES": "1", "MAIL_SENDER": "resend"]
            try await LatchkeyStack.run(name: "NoticeRounds", environment: environment) { stack in
                let fakes = try FakeProviders(of: stack)
                var generator = SeededGenerator(seed: run.seed)
                var (told, findings) = (0, 0)
                for number in 1...max(run.rounds, 1) {
                    for victim in Self.victims {
                        let delay = generator.milliseconds(0...400)
                        let gone = try await Self.disturbed(stack, fakes, .kill(victim), after: delay)
                        let wrong = try await Self.wronglyTold(gone, stack, fakes)
                        for finding in wrong { Issue.record("round \(number), \(victim): \(finding)") }
                        told += gone.count
                        findings += wrong.count
                    }
                }
                run.report("\(told) accounts given up, \(findings) findings")
                #expect(told > 0)
            }
        }

        /// The addresses of the accounts that are given up while the fault is done.
        private static func disturbed(
            _ stack: LatchkeyStack, _ fakes: FakeProviders, _ fault: ProcessFault, after delay: Duration
        ) async throws -> [String] {
            var accounts: [(address: String, token: String)] = []
            for _ in 0..<clients {
                let address = LatchkeyStack.freshAddress()
                accounts.append((address, try await stack.signInByMail(address, through: fakes).tokens.accessToken))
            }
            return try await withThrowingTaskGroup(of: String?.self) { group in
                for (number, account) in accounts.enumerated() {
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(number * 50))
                        return try await giveUp(account.token, stack) ? account.address : nil
                    }
                }
                try await Task.sleep(for: delay)
                try await stack.inflict(fault)
                return try await group.reduce(into: []) { if let address = $1 { $0.append(address) } }
            }
        }

        /// Whether the account is to be deleted, asked until there is an answer; 401: a lost answer had said so.
        private static func giveUp(_ token: String, _ stack: LatchkeyStack) async throws -> Bool {
            let bearer = [("Authorization", "Bearer \(token)")]
            let isGivenUp: Bool? = try await untilAnswered {
                // A connection that breaks is no answer.
                do {
                    let status = try await stack.gateway.send("DELETE", "/users/me", headers: bearer).status
                    return status == 200 || status == 401 ? true : nil
                } catch is CancellationError { throw CancellationError() } catch { return nil }
            }
            return isGivenUp ?? false
        }

        private static func wronglyTold(
            _ addresses: [String], _ stack: LatchkeyStack, _ fakes: FakeProviders
        ) async throws -> [String] {
            var findings: [String] = addresses.count == clients ? [] : ["\(clients - addresses.count) never answered"]
            do {
                try await eventually("no notice waits", within: deliveryLimit) {
                    try DatabaseCheck(of: stack).waitingMessages() == 0
                }
            } catch let error as NeverTrue { findings.append(error.description) }
            for address in addresses {
                let notices = try await fakes.mails(to: address).count { $0.subject.contains("will be deleted") }
                if notices != 1 { findings.append("\(notices) notices to one address") }
            }
            return findings + (try await DatabaseCheck(of: stack).findings())
        }
    }
}
