import AuthAPI
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// Whether an address has an account shows in no time and no words. Clocks compare on a machine of their own: in `deploy/attack`.
    /// Here a wrong password costs as much processor time with an account as without.
    @Suite(
        .serialized, .timeLimit(.minutes(30)),
        .stack(["LATCHKEY_POLICY": PasswordPolicyFile.open, "LATCHKEY_LIMIT_LOCAL": "1"])) struct PasswordTimeTests
    {
        private static let rounds = LongRun.isOn ? 500 : 12
        /// A mailbox gets three mails an hour at most, and an account a hundred guesses a day.
        private static let roundsPerAccount = 3

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        enum Way: String, CaseIterable, Sendable { case login, register, resend, forgot }

        @Test(arguments: Way.allCases)
        func `a stranger and an account take the same time, in the same words`(way: Way) async throws {
            var (known, unknown, texts): ([Double], [Double], Set<String>) = ([], [], [])
            var worked = [true: 0.0, false: 0.0]
            var owner = ""
            for number in 0..<Self.rounds {
                if number % Self.roundsPerAccount == 0 { owner = try await account() }
                let network = "100.\(80 + number / 250).\(number % 250).7"
                // Each first in turn.
                for isKnown in number.isMultiple(of: 2) ? [true, false] : [false, true] {
                    let address = isKnown ? owner : LatchkeyStack.freshAddress()
                    let (start, before) = (ContinuousClock.now, try stack.processorSeconds(of: "user"))
                    let answer = try await ask(way, address, from: network)
                    let took = (ContinuousClock.now - start) / .milliseconds(1)
                    guard answer.status != 503 else { continue }
                    worked[isKnown, default: 0] += try stack.processorSeconds(of: "user") - before
                    #expect(answer.status == (way == .login ? 401 : 200))
                    texts.insert(answer.text)
                    if isKnown { known.append(took) } else { unknown.append(took) }
                }
            }
            #expect(texts.count == 1, "\(texts)")
            let (one, other) = (median(known), median(unknown))
            // One hash each, and none would be a tenth.
            if way == .login {
                let times = worked.values.sorted()
                #expect(times[0] > 0 && times[1] < 3 * times[0], "\(worked)")
            }
            if LongRun.isOn {
                #expect(abs(one - other) <= max(2, one * 0.05), "known \(one) ms, unknown \(other) ms")
            }
            LongRun.report("medians of \(way): known \(one) ms, unknown \(other) ms")
        }

        /// An address that has an account.
        private func account() async throws -> String {
            let address = LatchkeyStack.freshAddress()
            let answer = try await ServiceCaller(stack: stack, caller: .control).post(
                "user", AccountOperations.createAdmin.path,
                CreateAdminRequest(email: address, password: LatchkeyStack.freshPassword))
            #expect(answer.status == 200)
            return address
        }

        private func ask(_ way: Way, _ address: String, from network: String) async throws -> HTTPAnswer {
            let headers = [("X-Forwarded-For", network)]
            switch way {
            case .login:
                let body = LoginBody(email: address, password: "wrong password")
                return try await stack.gateway.post("/auth/login", encoding: body, headers: headers)
            case .register:
                let body = RegisterBody(email: address, password: LatchkeyStack.freshPassword, name: nil)
                return try await stack.gateway.post("/auth/register", encoding: body, headers: headers)
            case .resend:
                let body = AccountMailBody(email: address)
                return try await stack.gateway.post("/auth/verify-email/resend", encoding: body, headers: headers)
            case .forgot:
                let body = AccountMailBody(email: address)
                return try await stack.gateway.post("/auth/forgot-password", encoding: body, headers: headers)
            }
        }

        private func median(_ values: [Double]) -> Double {
            let sorted = values.sorted()
            return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        }
    }
}
