import AccessTokens
import CryptoPrimitives
import Foundation
import InternalAPI
import Logging
import Policies
import Testing
import TokenCore
import TokenSQLite

@testable import BenchCore

struct SessionSupplyTests {
    private let policy: Policy
    private let supply: SessionSupply

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-supply-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        policy = try Policy.parse(
            """
            issuer: test.app
            audience: test-api
            profiles:
              mobile: { algorithm: ES256, claims: [phone, role], refresh: { prefix: rt_ } }
            dialects:
              - { name: native, profile: mobile }
            countries:
              allowed: all
            """, file: "test.yaml")
        let storage = try TokenSQLite.open(
            path: folder + "/tokens.sqlite", policy: policy, logger: Logger(label: "test"))
        supply = SessionSupply(
            store: storage.sessions, policy: policy,
            storageRing: try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))"))
    }

    private func grant(_ id: String, now: Int64) -> Grant {
        Grant(
            id: id, userID: "usr_0190a1b2c3d4e5f60718293a4b5c6d7e", epoch: 0,
            claims: UserClaims(phone: "+15550104477", role: "user", version: 3), method: "sms", isNewUser: false,
            expiresAt: now + 60)
    }

    @Test func `each grant opens one session, once`() async throws {
        let now: Int64 = 1_700_000_000
        let grants = (0..<3).map { grant("grant-\($0)", now: now) }
        let request = IssueRequest(grant: "", dialect: "native", userAgent: "HowRU/1.0 (iPhone)")
        #expect(Set(try await supply.open(grants, as: request, now: now)).count == 3)
        await #expect(throws: SessionSupply.NotOpened.self) { try await supply.open(grants, as: request, now: now) }
    }

    @Test func `a dialect that the policy lacks opens none`() async throws {
        await #expect(throws: SessionSupply.NotOpened.self) {
            try await supply.open([grant("grant", now: 0)], as: IssueRequest(grant: "", dialect: "unknown"), now: 0)
        }
    }
}
