import AccessTokens
import AuthAPI
import CryptoPrimitives
import Foundation
import InternalAPI
import Logging
import Policies
import SQLiteStore
import ServiceKit
import Testing

@testable import TokenCore
@testable import TokenTables

/// token-service without its ports: a scratch folder, its own keys, doubles for Redis, as many replicas as a test wants.
final class TokenFixture: Sendable {
    static let phone = "+15550104477"

    let folder: String
    let policy: Policy
    let clock = TestClock()
    let feed = RecordingFeed()
    let storageRing: KeyRing
    let grantRing: KeyRing
    var databasePath: String { folder + "/tokens.sqlite" }

    /// - Parameters:
    ///   - refresh: lines of the profile's `refresh` section.
    ///   - sessions: that section of the policy.
    ///   - more: further lines of the policy.
    ///   - claims: those of the profile.
    ///   - previousUntil: the day until which the dialect supabase has an old server; `nil` for a policy without the dialect.
    init(
        refresh: String = "onReuse: revoke", sessions: String = "{}", more: String = "",
        claims: String = "phone, role, auth_time", previousUntil: String? = nil
    ) throws {
        folder = NSTemporaryDirectory() + "latchkey-token-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        policy = try Policy.parse(
            Self.policyText(refresh, claims, previousUntil) + "\nsessions: \(sessions)\n\(more)\n", file: "test.yaml")
        storageRing = try Self.ring()
        grantRing = try Self.ring()
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
    }

    static func ring(_ count: Int = 1) throws -> KeyRing {
        try ring(lines(count))
    }

    /// Lines of a key file.
    static func lines(_ count: Int) -> [String] {
        (0..<count).map { "k\($0)\(Hex.encode(SecureRandom.bytes(4))) \(Hex.encode(SecureRandom.bytes(32)))" }
    }

    static func ring(_ lines: [String]) throws -> KeyRing {
        try KeyRing(parsing: lines.joined(separator: "\n"))
    }

    /// One process on the fixture's file.
    ///
    /// - Parameters:
    ///   - wait: what the refresh limit answers.
    ///   - clients: lines of `oauth_clients`.
    ///   - sessions: puts a store of its own before the sessions' store.
    func replica(
        wait: Int64? = nil, storageRing: KeyRing? = nil, clients: String? = nil,
        feed: (any RevocationFeedWriter)? = nil, limiter: (any RefreshLimiter)? = nil,
        sessions: (any SessionStore) -> any SessionStore = { $0 }
    ) async throws -> Replica {
        let logger = Logger(label: "test")
        let ring = storageRing ?? self.storageRing
        let database = try SQLiteDatabase.open(path: databasePath, migrations: TokenDatabase.fileSteps, logger: logger)
        let stored = TokenDatabase.storage(database, policy, logger, WallClock(logger: logger))
        let storage = TokenStorage(
            sessions: sessions(stored.sessions), revocations: stored.revocations, keys: stored.keys,
            audit: stored.audit, events: stored.events, counts: stored.counts, leases: stored.leases,
            engine: stored.engine, sweeper: stored.sweeper)
        let keys = try await SigningKeys(
            store: storage.keys, rule: KeyRule(policy), storageRing: ring, secretRing: nil,
            now: clock.now)
        let parts = TokenWiring(
            policy: policy, storage: storage, keys: keys, storageRing: ring, grantKeys: grantRing,
            feed: feed ?? self.feed, limiter: limiter ?? FixedLimit(wait: wait),
            clients: try OAuthClients(try clients.map { try KeyRing(parsing: $0) }),
            clientFailures: FailureLimit(limitsLocalAddresses: true), now: { [clock] in clock.now }, logger: logger)
        return Replica(database: database, storage: storage, keys: keys, parts: parts)
    }

    /// A sealed grant.
    func grant(
        id: String = UUID().uuidString, user: String = TokenFixture.user, epoch: Int64 = 0, version: Int64 = 3,
        reviewEndsAt: Int64? = nil, factors: AuthenticationFactors? = nil
    ) throws -> String {
        try Grant(
            id: id, userID: user, epoch: epoch, claims: UserClaims(phone: Self.phone, role: "user", version: version),
            method: reviewEndsAt == nil ? "sms" : Attestation.reviewMethod, isNewUser: false,
            expiresAt: clock.now + 60, accessEndsAt: reviewEndsAt, factors: factors
        ).sealed(with: grantRing)
    }

    static let user = "usr_0190a1b2c3d4e5f60718293a4b5c6d7e"

    private static func policyText(_ refresh: String, _ claims: String, _ previousUntil: String?) -> String {
        let previous = previousUntil.map { #"{ url: "http://127.0.0.1:9/auth/v1", until: "\#($0)" }"# }
        let supabase = previous.map { "- { name: supabase, profile: supabase, previous: \($0) }" } ?? ""
        let profile =
            previous == nil ? "" : "supabase: { algorithm: ES256, refresh: { repeatWithoutKeySeconds: untilUsed } }"
        return """
            issuer: test.app
            audience: test-api
            userIDPrefix: usr_
            profiles:
              mobile:
                algorithm: ES256
                claims: [\(claims)]
                refresh:
                  prefix: rt_
                  \(refresh)
              \(profile)
            \(previous == nil ? "" : "publicURL: http://127.0.0.1:8080\nsigning: { jwksMaxAgeSeconds: 3600 }")
            dialects:
              - { name: native, profile: mobile }
              \(supabase)
            countries:
              allowed: all
            """
    }
}

/// The functions of one process, for tests.
struct Replica: Sendable {
    let database: SQLiteDatabase
    let storage: TokenStorage
    let keys: SigningKeys
    let parts: TokenWiring

    func issue(
        _ grant: String, key: String? = nil, dialect: String = "native"
    ) async throws -> IssueSession.Outcome {
        try await parts.routes.issue(
            IssueRequest(
                grant: grant, dialect: dialect, idempotencyKey: key, userAgent: "HowRU/1.0 (iPhone)",
                address: "203.0.113.77"))
    }

    /// Signs in; fails the test when no session comes of it.
    func signIn(
        _ fixture: TokenFixture, user: String = TokenFixture.user, epoch: Int64 = 0
    ) async throws -> TokenSet {
        let outcome = try await issue(try fixture.grant(user: user, epoch: epoch))
        guard case .answer(let tokens) = outcome else { throw NotIssued(outcome: outcome) }
        return tokens
    }

    func refresh(_ token: String, key: String? = nil) async throws -> RefreshAnswer {
        try await parts.routes.rotate(RefreshRequest(refreshToken: token, idempotencyKey: key))
    }

    @discardableResult
    func logout(
        refresh: String? = nil, access: String? = nil, scope: LogoutScope? = nil
    ) async throws -> EndSession.Outcome {
        try await parts.routes.end(LogoutRequest(refreshToken: refresh, accessToken: access, scope: scope))
    }

    func changeRights(
        _ user: String = TokenFixture.user, role: String, version: Int64, email: String? = nil,
        keepsTokens: Bool = false
    ) async throws {
        let claims = UserClaims(phone: TokenFixture.phone, email: email, role: role, version: version)
        try await parts.routes.changeRights(
            ChangeRightsRequest(userID: user, claims: claims, keepsTokens: keepsTokens))
    }

    func revokeUser(
        epoch: Int64, reason: RevocationReason = .logoutAll, sparing session: String? = nil
    ) async throws {
        try await parts.routes.revokeUser(
            RevokeUserRequest(userID: TokenFixture.user, epoch: epoch, reason: reason, sparedSession: session))
    }

    func claims(of token: String, policy: Policy, now: Int64) throws -> AccessTokenClaims {
        try AccessTokenVerifier(issuer: policy.issuer, audience: policy.audience, keys: keys.current.verification)
            .verify(Array(token.utf8), now: now)
    }

    struct NotIssued: Error { let outcome: IssueSession.Outcome }
}
