import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// Unrecognised clients that request mails by the hundred, to delay an owner's mails or to use up the owner's limits;
    /// `deploy/attack mails quotas` runs them in full.
    @Suite(
        .serialized, .timeLimit(.minutes(20)),
        .stack(["LATCHKEY_POLICY": PasswordPolicyFile.open, "LATCHKEY_LIMIT_LOCAL": "1"])) struct MailFloodTests
    {
        private static let home = "203.0.113.77"

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func post(_ path: String, _ address: String, from client: String) async throws -> Int {
            try await stack.gateway.post(
                path, encoding: AccountMailBody(email: address), headers: [("X-Forwarded-For", client)]
            ).status
        }

        private func forgot(_ address: String, from client: String) async throws -> Int {
            try await post("/auth/forgot-password", address, from: client)
        }

        private func logIn(_ address: String, _ password: String, from client: String) async throws -> Int {
            try await stack.gateway.post(
                "/auth/login", encoding: LoginBody(email: address, password: password),
                headers: [("X-Forwarded-For", client)]
            ).status
        }

        private func reset(
            _ address: String, to password: String, from client: String, after seen: Set<String> = []
        )
            async throws -> Int
        {
            let link = try await stack.mailedLink(to: address, at: "/auth/reset-password", after: seen)
            return try await stack.gateway.post(
                link.path, encoding: AccountLinkBody(token: link.token, password: password),
                headers: [("X-Forwarded-For", client)]
            ).status
        }

        private static func network(_ number: Int) -> String { "100.\(64 + number / 250).\(number % 250).7" }

        /// Creates users with an address, to which a reset mail would go.
        private func victims(_ count: Int) async throws -> [String] {
            let addresses = (0..<count).map { _ in LatchkeyStack.freshAddress() }
            let file = stack.dataDirectory + "/flood-\(UUID().uuidString).jsonl"
            let lines = addresses.map { #"{"email":"\#($0)","emailVerified":true}"# }
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await stack.control("users import '\(file)'")
            #expect(outcome.isSuccess, "\(outcome.output)")
            return addresses
        }

        @Test(arguments: [1, 24]) func `a flood of resets leaves an owner's mail on time and its link good`(
            networks: Int
        ) async throws {
            let owner = try await stack.newPasswordUser()
            // Together below `mails.inTotal` without the part of recognised clients, since this owner is not recognised.
            let count = networks == 1 ? 280 : LongRun.isOn ? 1_600 : 480
            let addresses = try await victims(count)
            let sent = try await inParallel(addresses.count, lanes: 32) { number in
                try await forgot(addresses[number], from: "198.\(networks == 1 ? 18 : 19).\(number % networks).7")
            }
            #expect(sent.allSatisfy { $0 == 200 || $0 == 429 }, "\(Set(sent))")
            let start = ContinuousClock.now
            #expect(try await forgot(owner.address, from: "203.0.\(networks).9") == 200)
            #expect(try await reset(owner.address, to: "the next password", from: "203.0.\(networks).9") == 200)
            let took = ContinuousClock.now - start
            // Behind all these mails it would be minutes.
            #expect(took < (LongRun.isOn ? .seconds(10) : Patience.limit), "\(took)")
            LongRun.report("\(sent.count) resets from \(networks) networks: the owner's was set after \(took)")
            try await eventually("all mails went out", within: .seconds(120)) {
                try await stack.operations("user").get("/metrics").text
                    .contains("outbox_pending{lane=\"mail\"} 0")
            }
        }

        @Test func `resets that strangers request leave a registration, the owner and other networks their mails`()
            async throws
        {
            let owner = try await stack.newPasswordUser()
            #expect(try await logIn(owner.address, owner.password, from: Self.home) == 200)
            for number in 0..<(LongRun.isOn ? 500 : 60) {
                #expect(try await forgot(owner.address, from: Self.network(number)) == 200)
            }
            // The owner's network has its own quota, and a newcomer's registration with the mailbox too.
            #expect(try await forgot(owner.address, from: Self.home) == 200)
            #expect(try await reset(owner.address, to: "the next password", from: Self.home) == 200)
            let newcomer = owner.address.replacing("@", with: "+new@")
            #expect(try await stack.register(newcomer).status == 200)
            _ = try await stack.mailedLink(to: newcomer, at: "/auth/verify-email")
        }

        @Test func `the response tells nothing of an account, whatever was spent`() async throws {
            let owner = try await stack.newPasswordUser()
            #expect(try await logIn(owner.address, owner.password, from: Self.home) == 200)
            let nobody = LatchkeyStack.freshAddress()
            for (place, address) in [owner.address, nobody].enumerated() {
                for path in ["/auth/forgot-password", "/auth/verify-email/resend", "/auth/magic-link/request"] {
                    for number in 0..<12 {
                        let client = "198.\(51 + place).\(number).7"
                        #expect(try await post(path, address, from: client) == 200, "\(path)")
                    }
                    #expect(try await post(path, address, from: Self.home) == 200, "\(path)")
                }
            }
        }

        @Test func `a reset opens an account that strangers shut, and closes it to a thief's network`() async throws {
            let owner = try await stack.newPasswordUser()
            let thief = "198.51.100.9"
            #expect(try await logIn(owner.address, owner.password, from: thief) == 200)
            func shut(_ from: Int) async throws {
                let statuses = try await inParallel(140, lanes: 8) { number in
                    try await patiently {
                        try await stack.gateway.post(
                            "/auth/login", encoding: LoginBody(email: owner.address, password: "wrong \(number)"),
                            headers: [("X-Forwarded-For", Self.network(from + number))])
                    }.status
                }
                #expect(statuses.contains(429), "\(Set(statuses))")
            }
            try await shut(0)
            #expect(try await logIn(owner.address, owner.password, from: Self.home) == 429)
            #expect(try await forgot(owner.address, from: Self.home) == 200)
            #expect(try await reset(owner.address, to: "the next password", from: Self.home) == 200)
            try await Task.sleep(for: .seconds(1))
            #expect(try await logIn(owner.address, "the next password", from: "192.0.2.55") == 200)
            try await shut(200)
            // The network of the reset is known, the thief's is not any more.
            #expect(try await logIn(owner.address, "the next password", from: Self.home) == 200)
            #expect(try await logIn(owner.address, "the next password", from: thief) == 429)
        }
    }
}
