import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// Codes around a new password, and functions that Redis has lost, through all processes.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": PasswordPolicyFile.open]))
    struct NewPasswordAndCodesTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `a code from before a reset is void, and the next mail brings one that signs in`() async throws {
            let user = try await stack.newPasswordUser()
            let old = try await stack.askForMail(to: user.address)
            #expect(
                try await stack.gateway.post(
                    "/auth/forgot-password", encoding: AccountMailBody(email: user.address)
                ).status == 200)
            let link = try await stack.mailedLink(to: user.address, at: "/auth/reset-password")
            let body = AccountLinkBody(token: link.token, password: "quite another long one")
            #expect(try await stack.gateway.post(link.path, encoding: body).status == 200)
            #expect(try await stack.gateway.post("/auth/magic-link/verify", encoding: old.byCode).status == 401)
            try await eventually("otp-service knows of the reset") {
                try await stack.operations("user").get("/metrics").text.split(whereSeparator: \.isNewline).contains {
                    $0.hasPrefix("outbox_deliveries_total") && $0.contains("forget_networks")
                        && $0.contains("confirmed") && !$0.hasSuffix(" 0")
                }
            }
            var new = old
            try await eventually("a mail with a code arrives, and not the notice of the change") {
                new = try await stack.askForMail(to: user.address)
                return new.message.code != nil
            }
            #expect(new.message.code != old.message.code)
            let answer = try await stack.gateway.post("/auth/magic-link/verify", encoding: new.byCode)
            #expect(answer.status == 200, "\(answer.text)")
        }

        @Test func `a user-service whose functions Redis has lost says so until they are loaded`() async throws {
            func ready() async throws -> HTTPAnswer { try await stack.operations("user").get("/readyz") }
            #expect(try await ready().status == 200)
            let listed = try await redis("FUNCTION LIST LIBRARYNAME 'latchkey_user_*'")
            let name = try #require(
                listed.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("latchkey_user_") })
            _ = try await redis("FUNCTION DELETE \(name)")
            let answer = try await ready()
            #expect(answer.status == 503 && answer.text.contains("redis functions"))
            let port = try String(contentsOfFile: stack.dataDirectory + "/run/redis.port", encoding: .utf8)
            let loaded = try await Shell.run(
                "./latchkeyctl redis load", in: LatchkeyStack.binaries,
                environment: [
                    "REDIS_URL": "redis://127.0.0.1:\(port.filter(\.isNumber))", "REDIS_USER": "functions",
                    "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets",
                ])
            #expect(loaded.isSuccess, "\(loaded.output)")
            #expect(try await ready().status == 200)
        }

        private func redis(_ command: String) async throws -> String {
            let password = try String(contentsOfFile: stack.dataDirectory + "/secrets/redis_functions", encoding: .utf8)
            let port = try String(contentsOfFile: stack.dataDirectory + "/run/redis.port", encoding: .utf8)
            return try await Shell.run(
                "redis-cli -p \(port.filter(\.isNumber)) --user functions \(command)", in: "/",
                environment: ["REDISCLI_AUTH": password.filter { !$0.isNewline }]
            ).output
        }
    }
}
