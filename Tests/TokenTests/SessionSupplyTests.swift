import AccessTokens
import InternalAPI
import Logging
import Testing

@testable import TokenCore

struct SessionSupplyTests {
    @Test func `supplied sessions are as good as those that clients opened`() async throws {
        let bench = try TokenBench()
        let replica = try await bench.replica()
        let supply = try SessionSupply(
            path: bench.databasePath, policy: bench.policy, storageRing: bench.storageRing,
            logger: Logger(label: "test"))
        let now = bench.clock.now
        let grants = (0..<3).map { number in
            Grant(
                id: "grant-\(number)", userID: TokenBench.user, epoch: 0,
                claims: UserClaims(phone: TokenBench.phone, role: "user", version: 3), method: "sms", isNewUser: false,
                expiresAt: now + 60)
        }
        let request = IssueRequest(grant: "", dialect: "native", userAgent: "HowRU/1.0 (iPhone)")
        let tokens = try await supply.open(grants, as: request, now: now)
        #expect(Set(tokens).count == 3)
        for token in tokens {
            let answer = try await replica.refresh(token)
            #expect(answer.result == .rotated)
            let claims = try replica.claims(
                of: try #require(answer.tokens).accessToken, policy: bench.policy, now: now)
            #expect(claims.subject == TokenBench.user)
        }
        // A spent grant opens nothing, here as there.
        await #expect(throws: SessionSupply.NotOpened.self) { try await supply.open(grants, as: request, now: now) }
        await #expect(throws: SessionSupply.NotOpened.self) {
            try await supply.open(grants, as: IssueRequest(grant: "", dialect: "unknown"), now: now)
        }
    }
}
