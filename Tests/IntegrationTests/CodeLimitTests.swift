import AuthAPI
import FoundationEssentials
import InternalAPI
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for H68.

extension Live {
    /// Sends, successes and scopes of codes under attack, over two replicas (security guide, I-6 and I-8); in full by
    /// `deploy/attack`.
    @Suite(.serialized, .timeLimit(.minutes(60)), .stack(["LATCHKEY_REPLICAS": "otp=2"])) struct CodeLimitTests {
        private static let rounds = LongRun.isOn ? 50 : 3
        /// The policy howru's limit of codes sent to a phone number in an hour.
        private static let quota = 3

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private static func stranger(_ number: Int) -> String { "11.\(number / 250).\(number % 250).1" }

        @Test func `one right code sent a hundred times at once opens one session`() async throws {
            var total = 0
            for _ in 0..<Self.rounds {
                let phone = LatchkeyStack.freshPhone()
                try await stack.requestCode(for: phone)
                let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
                let gateway = stack.gateway
                let statuses = try await inParallel(100, lanes: 100) { _ in
                    try await gateway.post("/auth/otp/verify", encoding: body).status
                }
                #expect(statuses.filter { $0 == 200 }.count == 1)
                #expect(statuses.allSatisfy { [200, 401, 429].contains($0) })
                total += statuses.filter { $0 == 200 }.count
            }
            LongRun.report("codes: \(Self.rounds) right codes, each 100 times at once: \(total) sessions")
        }

        @Test func `of many requests at once, over both replicas, the sender sees as many as allowed`() async throws {
            var total = 0
            try await OTPReplicas.run(stack) { replicas in
                for _ in 0..<Self.rounds {
                    let phone = LatchkeyStack.freshPhone()
                    let results = try await inParallel(50, lanes: 50) { number in
                        try await replicas.request(phone, from: Self.stranger(number), turn: number)?.result
                    }
                    #expect(results.filter { $0 == .sent }.count == Self.quota)
                    #expect(results.filter { $0 == .rateLimited }.count == 50 - Self.quota)
                    let messages = try await stack.messages(to: phone).count
                    #expect(messages == Self.quota)
                    total += messages
                }
            }
            LongRun.report(
                "sends: \(Self.rounds) numbers, 50 requests each at once, quota \(Self.quota): \(total) sent")
        }

        @Test func `one public address cannot have codes sent to ever more numbers`() async throws {
            try await OTPReplicas.run(stack) { replicas in
                let results = try await inParallel(1_000, lanes: OTPReplicas.connectionsMax) { number in
                    // Numbers that are far apart: it is the address that is limited here.
                    let phone = "+1\(200 + number % 200)\(2_000_000 + (number % 200) * 10_000)"
                    return try await replicas.request(phone, from: "11.9.9.9", turn: number)?.result
                }
                #expect(results.filter { $0 == .sent }.count == 300)
            }
        }

        @Test func `strangers who burn every limit of a number do not stop its owner's phone`() async throws {
            for _ in 0..<Self.rounds {
                let phone = LatchkeyStack.freshPhone()
                _ = try await stack.signIn(phone: phone)
                try await OTPReplicas.run(stack) { try await burn(phone, over: $0) }
                let signIn = try await stack.signIn(phone: phone)
                #expect(!signIn.isNewUser)
            }
            LongRun.report("owner: \(Self.rounds) numbers locked by strangers, \(Self.rounds) owners signed in")
        }

        /// Uses up all limits of unrecognised clients for the phone number, and checks that they are used up.
        private func burn(_ phone: String, over replicas: OTPReplicas) async throws {
            for number in 0..<10 {
                _ = try await replicas.request(phone, from: Self.stranger(number), turn: number)
            }
            let code = try await stack.code(for: phone)
            for number in 0..<40 {
                let guess = String(100_000 + (number + (Int(code) ?? 0)) % 900_000)
                _ = try await replicas.verify(
                    phone, guess == code ? "000000" : guess, from: Self.stranger(number), turn: number)
            }
            #expect(try await replicas.request(phone, from: Self.stranger(99), turn: 0)?.result == .rateLimited)
            let right = try await replicas.verify(phone, code, from: Self.stranger(99), turn: 1)
            #expect(right?.result == .tooManyAttempts)
        }

        @Test func `an access token opens its owner's scope in a strange network`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await OTPReplicas.run(stack) { replicas in
                // Verified elsewhere, so that the gateway's client, on the loopback, stays unrecognised.
                let other = try await stack.signIn()
                for _ in 0..<3 { _ = try await replicas.request(phone, from: "127.0.0.1", turn: 0) }
                let body = #"{"phoneNumber":"\#(phone)","countryCode":"US"}"#
                #expect(try await stack.gateway.post("/auth/otp/request", body).status == 429)
                #expect(
                    try await stack.gateway.post("/auth/otp/request", body, bearer: other.tokens.accessToken).status
                        == 429)
                let code = try await stack.code(for: phone)
                let answer = try #require(try await replicas.verify(phone, code, from: Self.stranger(1), turn: 0))
                let owner = try await session(of: answer)
                #expect(try await stack.gateway.post("/auth/otp/request", body, bearer: owner).status == 200)
                #expect(try await stack.gateway.post("/auth/otp/request", body, bearer: "x" + owner).status == 429)
            }
        }

        /// The access token of a session opened with an attestation, as the gateway opens it.
        private func session(of answer: OTPVerifyAnswer) async throws -> String {
            let services = ServiceCaller(stack: stack)
            let attestation = try #require(answer.attestation)
            let resolved: ResolveAnswer = try await services.post(
                "user", UserOperations.resolve.path, ResolveRequest(attestation: attestation, name: nil)
            ).decoded()
            let tokens: TokenSet = try await services.post(
                "token", TokenOperations.issue.path, IssueRequest(grant: resolved.grant, dialect: "native")
            ).decoded()
            return tokens.accessToken
        }
    }
}
