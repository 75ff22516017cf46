import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import ServiceKit
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// Attestation, grant, session: none of them can be made, altered, kept or used twice on the way (design section 4).
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct ChainOfCustodyTests {
        let stack: LatchkeyStack
        let services: ServiceCaller

        init() throws {
            stack = try #require(RunningStack.current)
            services = ServiceCaller(stack: stack)
        }

        private var now: Int64 { UnixTime.milliseconds() / 1000 }
        private var claims: UserClaims { UserClaims(phone: "+15550001111", role: "user", version: 1) }

        private func attestation(phone: String = LatchkeyStack.freshPhone(), expiresAt: Int64? = nil) -> Attestation {
            Attestation(
                proofID: UUID().uuidString, method: "sms", identity: .phone(phone), purpose: .signIn,
                expiresAt: expiresAt ?? now + 60, challengedAt: now)
        }

        private func grant(expiresAt: Int64? = nil) -> Grant {
            Grant(
                id: Hex.encode(SecureRandom.bytes(16)), userID: "usr_" + Hex.encode(SecureRandom.bytes(16)), epoch: 1,
                claims: claims, method: "sms", isNewUser: false, expiresAt: expiresAt ?? now + 60)
        }

        private func resolve(_ text: String) async throws -> HTTPAnswer {
            try await services.post("user", UserOperations.resolve.path, ResolveRequest(attestation: text, name: nil))
        }

        private func issue(_ text: String) async throws -> HTTPAnswer {
            try await services.post("token", TokenOperations.issue.path, IssueRequest(grant: text, dialect: "native"))
        }

        private func expect(_ answer: HTTPAnswer, refusedAs code: some InternalRefusal, _ what: String) throws {
            #expect(answer.status == 401, "\(what) → \(answer.status) \(answer.text)")
            #expect(try answer.json["code"]?.stringValue == code.rawValue, "\(what)")
        }

        /// Returns the text with one character of each part changed.
        private func alterations(of sealed: String) -> [String] {
            let characters = Array(sealed)
            return stride(from: 3, to: characters.count, by: 17).map { index in
                var altered = characters
                altered[index] = altered[index] == "A" ? "B" : "A"
                return String(altered)
            }
        }

        @Test func `a true attestation and a true grant are taken`() async throws {
            let keys = try stack.keyRing("attestation_otp_user")
            let answer = try await resolve(try attestation().sealed(with: keys))
            #expect(answer.status == 200)
            let resolved: ResolveAnswer = try answer.decoded()
            #expect(try await issue(resolved.grant).status == 200)
        }

        @Test func `forged, altered and expired attestations are refused`() async throws {
            let keys = try stack.keyRing("attestation_otp_user")
            let forger = try KeyRing(parsing: "k1 " + Hex.encode(SecureRandom.bytes(32)))
            try expect(
                try await resolve(try attestation().sealed(with: forger)),
                refusedAs: ResolveRefusal.attestationRefused, "forged")
            try expect(
                try await resolve(try attestation(expiresAt: now - 1).sealed(with: keys)),
                refusedAs: ResolveRefusal.attestationRefused, "expired")
            for altered in alterations(of: try attestation().sealed(with: keys)) {
                try expect(try await resolve(altered), refusedAs: ResolveRefusal.attestationRefused, "altered")
            }
            try expect(try await resolve(""), refusedAs: ResolveRefusal.attestationRefused, "empty")
        }

        @Test func `forged, altered and expired grants are refused`() async throws {
            let keys = try stack.keyRing("grant_user_token")
            let forger = try KeyRing(parsing: "k1 " + Hex.encode(SecureRandom.bytes(32)))
            try expect(
                try await issue(try grant().sealed(with: forger)), refusedAs: IssueRefusal.grantRefused, "forged")
            try expect(
                try await issue(try grant(expiresAt: now - 1).sealed(with: keys)),
                refusedAs: IssueRefusal.grantRefused, "expired")
            for altered in alterations(of: try grant().sealed(with: keys)) {
                try expect(try await issue(altered), refusedAs: IssueRefusal.grantRefused, "altered")
            }
            try expect(
                try await issue(try attestation().sealed(with: keys)), refusedAs: IssueRefusal.grantRefused,
                "an attestation under the grants' key")
        }

        @Test func `a grant opens one session, also for fifty at once`() async throws {
            let text = try grant().sealed(with: try stack.keyRing("grant_user_token"))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 { group.addTask { try await self.issue(text).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 401 }.count == 49)
        }

        @Test func `an attestation resolved twice ends in the same grant, which opens one session`() async throws {
            let text = try attestation().sealed(with: try stack.keyRing("attestation_otp_user"))
            let first: ResolveAnswer = try await resolve(text).decoded()
            let second: ResolveAnswer = try await resolve(text).decoded()
            #expect(first.user.id == second.user.id)
            #expect(first.isNewUser && second.isNewUser)
            #expect(try await issue(first.grant).status == 200)
            try expect(try await issue(second.grant), refusedAs: IssueRefusal.grantRefused, "twice used")
        }

        @Test func `all of the gateway's secrets make no session for a phone whose code is unknown`() async throws {
            let victim = try await stack.signIn()
            let phone = try #require(victim.user.phoneNumber)
            for secret in ["assertion_gateway_otp", "assertion_gateway_token", "assertion_gateway_user", "jwt_hs256"] {
                let keys = try stack.keyRing(secret)
                try expect(
                    try await resolve(try attestation(phone: phone).sealed(with: keys)),
                    refusedAs: ResolveRefusal.attestationRefused, "attestation by \(secret)")
                let grant = Grant(
                    id: UUID().uuidString, userID: victim.user.id, epoch: 1, claims: claims, method: "sms",
                    isNewUser: false, expiresAt: now + 60)
                try expect(
                    try await issue(try grant.sealed(with: keys)), refusedAs: IssueRefusal.grantRefused,
                    "grant by \(secret)")
            }
            try await forgedAccessTokensAreRefused(victim)
            try await otherProcessesDoorsAreClosed(victim)
        }

        /// The gateway knows the HS256 secret, but `howru` signs with RS256.
        private func forgedAccessTokensAreRefused(_ victim: SignInReply) async throws {
            let key = try stack.keyRing("jwt_hs256").signing
            let claims = victim.tokens.accessToken.split(separator: ".")[1]
            let header = Base64URL.encode(Array(#"{"alg":"HS256","kid":"\#(key.id)","typ":"at+jwt"}"#.utf8))
            let code = HMACSHA256(key: key.secret).authenticate(Array("\(header).\(claims)".utf8))
            let forged = "\(header).\(claims).\(Base64URL.encode(code))"
            #expect(try await stack.gateway.get("/api/hello", bearer: forged).status == 401)
            let answer = try await services.send("GET", "user", UserOperations.readProfile.path, accessToken: forged)
            #expect(answer.status == 401)
        }

        /// Checks that the gateway may not call what only user-service may call at token-service.
        private func otherProcessesDoorsAreClosed(_ victim: SignInReply) async throws {
            let body = RevokeUserRequest(userID: victim.user.id, epoch: 99, reason: .admin)
            let answer = try await services.post("token", TokenOperations.revokeUser.path, body)
            #expect([401, 403, 404].contains(answer.status))
            #expect(try await stack.gateway.get("/api/hello", bearer: victim.tokens.accessToken).status == 200)
        }

        @Test(arguments: [
            "SET rev:sid:x logout", "DEL rev:generation", "GET otp:x", "KEYS otp:x", "CONFIG GET dir", "FLUSHALL",
            "XADD audit:otp 1-1 a b", "SET login:x 1", "ACL LIST", "SCAN 0", "EVAL return 0", "EVAL_RO return 0",
            "SET rl:edge:x 1", "DBSIZE", "SCRIPT LOAD x", "FUNCTION LIST", "FUNCTION FLUSH", "EVALSHA x 0",
        ])
        func `the gateway's Redis account can do only what the gateway does`(command: String) async throws {
            let password = try String(contentsOfFile: stack.dataDirectory + "/secrets/redis_gateway", encoding: .utf8)
            let port = try String(contentsOfFile: stack.dataDirectory + "/run/redis.port", encoding: .utf8)
            let outcome = try await Shell.run(
                "set -f; redis-cli -p \(port.filter(\.isNumber)) --user gateway \(command)", in: "/",
                environment: ["REDISCLI_AUTH": password.filter { !$0.isNewline }])
            #expect(outcome.output.contains("NOPERM"), "\(outcome.output)")
        }

        @Test func `Redis answers nobody without a password`() async throws {
            let port = try String(contentsOfFile: stack.dataDirectory + "/run/redis.port", encoding: .utf8)
            let outcome = try await Shell.run("redis-cli -p \(port.filter(\.isNumber)) PING", in: "/")
            #expect(outcome.output.contains("NOAUTH"))
        }
    }
}
