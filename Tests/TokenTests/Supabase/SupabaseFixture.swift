import AccessTokens
import CryptoPrimitives
import Foundation
import InternalAPI
import Logging
import Policies
import ServiceCalls
import ServiceHTTP
import ServiceKit
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import TokenCore

/// token-service of a deployment with native clients and clients of the dialect `supabase`, on either engine.
struct SupabaseFixture: Sendable {
    static let user = "usr_0190a1b2c3d4e5f60718293a4b5c6d7e"
    static let uuid = "0190a1b2-c3d4-e5f6-0718-293a4b5c6d7e"

    let home: StorageUnderTest
    let storage: StorageReplica
    let policy: Policy
    let clock = TestClock()
    let feed = RecordingFeed()
    let keys: SigningKeys
    let parts: TokenWiring
    let grantRing: KeyRing

    init(_ engine: DatabaseKind = .sqlite) async throws {
        let home = try await StorageUnderTest(engine)
        let (storage, policy) = (try home.replica(), try Policy.parse(Self.policyText, file: "test.yaml"))
        let (ring, grantRing) = (try TokenFixture.ring(), try TokenFixture.ring())
        let keys = try await SigningKeys(
            store: storage.keys, rule: KeyRule(policy), storageRing: ring, secretRing: nil, now: clock.now)
        parts = TokenWiring(
            policy: policy, storage: storage.storage, keys: keys, storageRing: ring, grantKeys: grantRing, feed: feed,
            limiter: FixedLimit(wait: nil), clients: try OAuthClients(nil),
            clientFailures: FailureLimit(limitsLocalAddresses: true), now: { [clock] in clock.now },
            logger: Logger(label: "test"))
        (self.home, self.storage, self.policy, self.keys, self.grantRing) = (home, storage, policy, keys, grantRing)
    }

    /// Signs in; the key makes a lost response repeatable.
    func signIn(
        _ claims: UserClaims = UserClaims(phone: "+14155552671", role: "user", version: 3), method: String = "sms",
        factors: AuthenticationFactors? = nil, dialect: String = Dialect.supabase, key: String? = nil,
        grant: String = UUID().uuidString
    ) async throws -> TokenSet {
        let grant = Grant(
            id: grant, userID: Self.user, epoch: 0, claims: claims, method: method, isNewUser: false,
            expiresAt: clock.now + 60, factors: factors)
        let request = IssueRequest(
            grant: try grant.sealed(with: grantRing), dialect: dialect, idempotencyKey: key, userAgent: "app",
            address: "203.0.113.77")
        guard case .answer(let tokens) = try await parts.routes.issue(request) else { throw Unexpected() }
        return tokens
    }

    func refresh(_ token: String, key: String? = nil) async throws -> RefreshAnswer {
        try await parts.routes.rotate(RefreshRequest(refreshToken: token, idempotencyKey: key))
    }

    /// The next tokens; fails the test if the token is refused.
    func rotated(_ token: String) async throws -> TokenSet { try #require(try await refresh(token).tokens) }

    /// The payload as a back end reads it.
    func payload(_ token: String) throws -> JSONObject {
        let bytes = try CompactJWS(Array(token.utf8)).unverifiedPayload()
        return try #require(try StrictJSON.parse(bytes, limits: .own).objectValue)
    }

    /// The claims as the gateway reads them.
    func verified(_ token: String) throws -> AccessTokenClaims {
        try AccessTokenVerifier(
            policy, forms: Array(policy.tokenForms.values), keys: keys.current.verification
        ).verify(Array(token.utf8), now: clock.now)
    }

    struct Unexpected: Error {}

    private static let policyText = """
        issuer: test.app
        audience: test-api
        userIDPrefix: usr_
        publicURL: https://auth.example.com
        profiles:
          mobile: { algorithm: RS256, claims: [phone, role, auth_time], refresh: { prefix: rt_ } }
          supabase:
            algorithm: ES256
            accessLifetimeSeconds: 3600
            refresh: { repeatWithoutKeySeconds: untilUsed, limit: none }
        dialects:
          - { name: native, profile: mobile }
          - { name: supabase, profile: supabase }
        signing: { jwksMaxAgeSeconds: 600 }
        countries: { allowed: all }
        """
}
