import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import GRDB
import InternalAPI
import Logging
import Policies
import RedisClient
import ServiceKit
import Storage
import Testing

@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// user-service's use cases over a database of their own, with a clock and a token-service that the test commands.
final class UserFixture: Sendable {
    static let prefix = "usr_"
    /// howru's, and two that are the operator's.
    static let attributes = AttributeRules(declared: [
        AttributePolicy(name: "isChecker", kind: .boolean, setBy: .user, defaultValue: .boolean(false)),
        AttributePolicy(name: "plan", kind: .string, setBy: .operator),
        AttributePolicy(name: "seats", kind: .integer, setBy: .operator, defaultValue: .integer(1)),
    ])
    static let (issuer, audience) = ("howru.app", "howru-api")

    let folder: String
    let clock = TestClock()
    let tokenService = FakeTokenService()
    let otpService = FakeOTPService()
    let storageKeys: KeyRing
    let attestationKeys: KeyRing
    let grantKeys: KeyRing
    let signingKey: SigningKey
    let database: SQLiteDatabase
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/latchkey-user-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (attestationKeys, grantKeys, storageKeys) = (try Self.ring(), try Self.ring(), try Self.ring())
        signingKey = try SigningKey.generate(keyID: "key-1", algorithm: .EdDSA)
        database = try Self.open(folder, logger)
        tokenService.publish([signingKey])
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
    }

    static func ring() throws -> KeyRing { try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))") }

    /// The database as a replica of the process opens it.
    func openReplica() throws -> SQLiteDatabase { try Self.open(folder, logger) }

    private static func open(_ folder: String, _ logger: Logger) throws -> SQLiteDatabase {
        try SQLiteDatabase.open(path: folder + "/users.sqlite", migrations: UserDatabase.fileSteps, logger: logger)
    }
}

// MARK: - Use cases

extension UserFixture {
    var store: Users { Users(database: database) }
    var outbox: Outbox { Outbox(database: database) }
    var courier: OutboxCourier {
        OutboxCourier(
            store: outbox, tokenService: ServiceClient(service: "token", transport: tokenService),
            otpService: ServiceClient(service: "otp", transport: otpService), seal: seal, now: clock.unix,
            logger: logger)
    }

    var seal: OutboxSeal { OutboxSeal(ring: storageKeys) }

    func worker(_ lane: OutboxMessage.Lane = .token, holder: String = "a") -> OutboxWorker {
        OutboxWorker(lane: lane, store: outbox, courier: courier, holder: holder, now: clock.unix, logger: logger)
    }

    func resolver(
        _ onSignIn: DeletionPolicy.SignIn = .restore, over database: SQLiteDatabase? = nil,
        newUsers: AccountPolicy.NewUsers = .open, recycled: RecycledNumbers? = nil
    ) throws -> ResolveAttestation {
        var policy = NewUsersPolicy()
        (policy.phone, policy.email, policy.apple, policy.oidc) = (newUsers, newUsers, newUsers, newUsers)
        return try ResolveAttestation(
            store: Users(database: database ?? self.database),
            rule: SignInRule(onScheduledDeletion: onSignIn, newUsers: policy),
            grants: grants, attestationKeys: attestationKeys, proofKeys: OwnProof.keys(storageKeys),
            restores: RestoreSeal(ring: storageKeys), courier: courier, givenUp: givenUp, phoneChanges: phoneChanges,
            recycled: recycled, now: clock.unix)
    }

    var phoneChanges: PhoneChanges {
        PhoneChanges(
            store: store, seal: PendingSeal(ring: storageKeys), delaySeconds: 86_400, userIDPrefix: Self.prefix,
            defaultRegion: nil, notices: AccountNotices(seal: seal), now: clock.unix)
    }

    var givenUp: GivenUpIdentities { GivenUpIdentities(tags: CallTags(ring: storageKeys)) }

    var grants: SessionGrants {
        SessionGrants(userIDPrefix: Self.prefix, attributes: Self.attributes, keys: grantKeys)
    }

    func deletion(graceDays: Int = 30) -> DeleteAccount {
        DeleteAccount(
            store: store, courier: courier, userIDPrefix: Self.prefix, graceDays: graceDays,
            notices: AccountNotices(seal: seal), numbers: givenUp, now: clock.unix)
    }

    var change: ChangeUser {
        ChangeUser(
            store: store, courier: courier, move: move, userIDPrefix: Self.prefix, attributes: Self.attributes,
            notices: AccountNotices(seal: seal), now: clock.unix)
    }

    var move: IdentityMove {
        IdentityMove(
            userIDPrefix: Self.prefix, identities: IdentitySeal(ring: storageKeys), outbox: seal,
            attributes: Self.attributes)
    }

    var confirmAddress: ConfirmAddress {
        ConfirmAddress(
            act: AccountAct(store: store, courier: courier, now: clock.unix), move: move,
            tags: CallTags(ring: storageKeys))
    }

    var lookUp: LookUpUsers {
        LookUpUsers(
            store: store, queries: store, tokenService: ServiceClient(service: "token", transport: tokenService),
            otpService: ServiceClient(service: "otp", transport: otpService),
            userIDPrefix: Self.prefix, attributes: Self.attributes, defaultRegion: nil, now: clock.unix,
            logger: logger)
    }

    var removals: Removals { Removals(database: database) }

    func removal(holder: String = "a", over database: SQLiteDatabase? = nil) -> RemovalJob {
        RemovalJob(
            store: Removals(database: database ?? self.database),
            messages: removalMessages, givenUp: givenUp, engine: database ?? self.database, holder: holder,
            now: clock.unix,
            logger: logger)
    }

    var removalMessages: RemovalMessages { RemovalMessages(userIDPrefix: Self.prefix, seal: seal) }
    var restoration: RestoreAccount { RestoreAccount(store: store, userIDPrefix: Self.prefix, now: clock.unix) }

    /// - Parameter more: lines that stand below the others.
    static func policy(_ more: String) throws -> Policy {
        try Policy.parse(
            """
            issuer: \(issuer)
            audience: \(audience)
            profiles: { p: { algorithm: EdDSA } }
            dialects: [{ name: native, profile: p }]
            countries: { allowed: all }
            \(more)
            """, file: "test.yaml")
    }

    /// The routes of a service without passwords, as the process wires them.
    ///
    /// - Parameters:
    ///   - more: further lines of the policy.
    ///   - adminKeys: lines of `supabase_keys`.
    func wiring(_ more: String = "", adminKeys: String? = nil) throws -> UserWiring {
        var bearers = authentication(keys: keyCache())
        bearers.adminKeys = try AdminKeys(try adminKeys.map { try KeyRing(parsing: $0) })
        let policy = try Self.policy(
            """
            userIDPrefix: \(Self.prefix)
            attributes: [{ name: isChecker, type: boolean, setBy: user, default: false }]
            \(more)
            """)
        return UserWiring(
            policy: policy,
            storage: UserDatabase.storage(
                over: database, policy: policy, logger: logger, wallClock: WallClock(logger: logger)),
            keys: try UserKeys(storage: storageKeys, attestations: attestationKeys, grants: grantKeys),
            bearers: bearers, courier: courier, check: nil,
            proofLock: ProofLock(
                redis: RedisClient(RedisConfiguration(), logger: logger), tags: GuessTags(ring: storageKeys),
                hasRoom: { true }),
            signInTimes: SignInTimes(logger: logger, write: store.noteUses), providers: IdentityProviders(),
            web: WebSignIn(
                providers: [:], redirects: [], seal: WebSignInSeal(ring: storageKeys),
                notes: WebSignInNotes(redis: RedisClient(RedisConfiguration(), logger: logger), hasRoom: { true })),
            previous: TokenEndpoint(), refusedTokens: RefusedTokenAudit(store: store, now: clock.unix, logger: logger),
            clientFailures: FailureLimit(limitsLocalAddresses: true), now: clock.unix, logger: logger)
    }

    var update: UpdateProfile {
        UpdateProfile(
            store: store, courier: courier, move: move, userIDPrefix: Self.prefix, attributes: Self.attributes,
            now: clock.unix)
    }
    var read: ReadProfile {
        ReadProfile(
            queries: store, userIDPrefix: Self.prefix, attributes: Self.attributes)
    }

    func authentication(keys: TokenKeyCache<VerificationKeySet>) -> BearerAuthentication {
        BearerAuthentication(
            issuer: Self.issuer, audience: Self.audience, leewaySeconds: 0, userIDPrefix: Self.prefix, keys: keys,
            now: clock.unix)
    }

    func keyCache(secrets: KeyRing? = nil) -> TokenKeyCache<VerificationKeySet> {
        let published = PublishedKeys(
            tokenService: ServiceClient(service: "token", transport: tokenService), secrets: { secrets })
        return TokenKeyCache(
            rule: TokenKeyRule(keySet: KeySetRule(ageMaxSeconds: 300)), clock: { [clock] in clock.instant },
            logger: logger, fetch: published.fetch)
    }

    func proveIdentityToken(
        _ providers: [String: IdentityProvider], exchangesCodes: Bool = false
    ) throws -> ProveIdentityToken {
        ProveIdentityToken(
            providers: providers, tags: CallTags(ring: storageKeys), proofKeys: try OwnProof.keys(storageKeys),
            audit: RefusedTokenAudit(store: store, now: clock.unix, logger: logger), exchangesCodes: exchangesCodes,
            now: clock.unix)
    }
}

// MARK: - Statements and tokens

extension UserFixture {
    /// otp-service's statement that a person has verified an identity.
    func attestation(
        _ identity: VerifiedIdentity, id: String = UUID().uuidString, by method: String = "sms",
        for purpose: Purpose = .signIn, lifetimeSeconds: Int64 = 60, challengedAt: Int64? = nil
    ) throws -> String {
        try Attestation(
            proofID: id, method: method, identity: identity, purpose: purpose,
            expiresAt: clock.seconds + lifetimeSeconds,
            challengedAt: challengedAt ?? clock.seconds,
            accessEndsAt: method == Attestation.reviewMethod ? clock.seconds + 86_400 : nil
        ).sealed(with: attestationKeys)
    }

    /// Resolves a fresh attestation for `phone`.
    func signIn(
        _ phone: String = "+15551234567", id: String = UUID().uuidString, by method: String = "sms",
        name: String? = nil
    ) async throws -> ResolveAttestation.Outcome {
        try await resolver()(try attestation(.phone(phone), id: id, by: method), name: name)
    }

    /// Returns a user who has verified `identity`, as their own token identifies them.
    func signedIn(_ identity: VerifiedIdentity) async throws -> SignedInUser {
        try signedIn(try await resolver()(try attestation(identity)).answered)
    }

    func signedIn(_ phone: String = "+15551234567", name: String? = nil) async throws -> SignedInUser {
        try signedIn(try await signIn(phone, name: name).answered)
    }

    func signedIn(_ answer: ResolveAnswer) throws -> SignedInUser {
        SignedInUser(id: try #require(UserID(text: answer.user.id, prefix: Self.prefix)), sessionID: "session-1")
    }

    /// Opens a grant and returns its contents.
    func grant(_ answer: ResolveAnswer) throws -> Grant {
        try Grant.open(answer.grant, with: grantKeys, now: clock.seconds)
    }

    func accessToken(
        _ subject: String, key: SigningKey? = nil, issuer: String = UserFixture.issuer, lifetimeSeconds: Int64 = 3600
    ) throws -> String {
        let claims = AccessTokenClaims(
            issuer: issuer, audience: [Self.audience], subject: subject, issuedAt: clock.seconds,
            expiresAt: clock.seconds + lifetimeSeconds, tokenID: UUID().uuidString, sessionID: "session-1", version: 1)
        return try AccessTokenSigner().sign(claims, with: key ?? signingKey)
    }

    struct Unexpected: Error {}
}

// MARK: - What is stored

extension UserFixture {
    func count(_ table: String) async throws -> Int {
        try await database.withReader { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    func texts(_ sql: String) async throws -> [String] {
        try await database.withReader { try String.fetchAll($0, sql: sql) }
    }

    func auditEvents() async throws -> [String] {
        try await database.withReader { try String.fetchAll($0, sql: "SELECT event FROM audit ORDER BY number") }
    }

    /// Gives a user up as a request does that ends before it has told anybody.
    func giveUp(_ id: UserID, telling message: OutboxMessage) async throws {
        guard let user = try await store.user(id) else { throw Unexpected() }
        let applied = try await store.change(
            user, to: user.givenUp(at: clock.seconds, graceDays: 30).user, telling: [message],
            dueAt: clock.seconds + OutboxLimits.ownAttemptSeconds, now: clock.seconds)
        guard applied == .applied else { throw Unexpected() }
    }

    /// From now on nothing can be queued for other services.
    func breakOutbox() async throws {
        try await execute(
            "CREATE TRIGGER broken BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'broken'); END")
    }

    func execute(_ sql: String) async throws {
        try await database.withWriter { try $0.execute(sql: sql) }
    }
}
