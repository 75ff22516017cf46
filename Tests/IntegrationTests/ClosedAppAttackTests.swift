import AuthAPI
import InternalAPI
import StrictJSON
import TestSupport
import Testing

private enum ClosedAppPolicy {
    static let file = KeyPolicy.write(
        "closed-phones", changing: ["newUsers: { phone: open": "newUsers: { phone: invited"])
}

extension Live {
    /// A closed app does not reveal who is invited, and a code proves the number that it was sent to; `deploy/attack` measures
    /// the times in full.
    @Suite(
        .serialized, .timeLimit(.minutes(30)),
        .stack(["LATCHKEY_POLICY": ClosedAppPolicy.file])) struct ClosedAppAttackTests
    {
        private static let rounds = LongRun.isOn ? 200 : 20

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func invite(_ phone: String) async throws {
            let answer = try await ServiceCaller(stack: stack, caller: .control).post(
                "user", AccountOperations.invite.path, InviteRequest(to: phone, role: nil))
            #expect(answer.status == 200)
        }

        private func request(_ phone: String) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone))
        }

        private func verify(_ phone: String, _ code: String) async throws -> HTTPAnswer {
            try await stack.gateway.post(
                "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: phone, code: code))
        }

        @Test func `neither words nor times tell who is invited`() async throws {
            var (invited, others, texts): ([Double], [Double], Set<String>) = ([], [], [])
            for number in 0..<Self.rounds {
                let (guest, stranger) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
                try await invite(guest)
                for phone in number.isMultiple(of: 2) ? [guest, stranger] : [stranger, guest] {
                    let start = ContinuousClock.now
                    let answer = try await request(phone)
                    let took = (ContinuousClock.now - start) / .milliseconds(1)
                    texts.insert("\(answer.status) \(answer.text)")
                    if phone == guest { invited.append(took) } else { others.append(took) }
                }
                #expect(try await stack.messages(to: guest).count == 1)
                #expect(try await stack.messages(to: stranger).isEmpty)
            }
            #expect(texts.count == 1, "\(texts)")
            // Before the first message nothing is known of how long one takes.
            let (one, other) = (Self.median(invited), Self.median(Array(others.dropFirst())))
            // Clocks compare on a machine of their own. OTPTests has the moment before which no answer comes.
            if LongRun.isOn {
                #expect(abs(one - other) <= max(2, one * 0.05), "invited \(one) ms, others \(other) ms")
            }
            LongRun.report("medians of codes: invited \(one) ms, others \(other) ms")
        }

        /// Each spelling is sent a code; any of them presents it, and all are one user.
        @Test(arguments: [
            ["+541140206271", "+5491140206271", "+54 011 15 4020-6271"],
            ["+551187654321", "+5511987654321", "+55 0 15 11 98765-4321"],
        ])
        func `spellings of one handset are one user, and the message goes to one number`(
            _ spellings: [String]
        ) async throws {
            let canonical = spellings[1]
            try await invite(spellings[0])
            var ids: Set<String> = []
            for (place, spelling) in spellings.enumerated() {
                #expect(try await request(spelling).status == 200)
                let code = try await stack.code(for: canonical)
                let answer = try await verify(spellings[(place + 1) % spellings.count], code)
                #expect(answer.status == 200)
                let user = try #require(try answer.json["user"])
                #expect(user["phoneNumber"]?.stringValue == canonical)
                ids.insert(user["id"]?.stringValue ?? "")
            }
            #expect(ids.count == 1)
            #expect(try await stack.messages(to: canonical).count == spellings.count)
        }

        @Test func `a text that cannot be a code and a region that is none are named, and cost nothing`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await invite(phone)
            #expect(try await request(phone).status == 200)
            for code in ["", "12345", "abcdef", "1234567"] {
                let answer = try await verify(phone, code)
                #expect(answer.status == 400 && answer.text.contains("'code'"))
            }
            #expect(try await verify(phone, try await stack.code(for: phone)).status == 200)
            let body = OTPRequestBody(phoneNumber: "98765 43210", countryCode: "ZZ")
            let answer = try await stack.gateway.post("/auth/otp/request", encoding: body)
            #expect(answer.status == 400 && answer.text.contains("'countryCode'"))
        }

        private static func median(_ values: [Double]) -> Double {
            values.isEmpty ? 0 : values.sorted()[values.count / 2]
        }
    }
}
