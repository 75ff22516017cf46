import CryptoPrimitives
import InternalAPI
import Logging
import Policies
import RedisClient
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import UserCore

/// A signed-in user's changes of identities over an engine, with a token-service that the test commands.
struct OwnIdentityFixture: Sendable {
    static let now: Int64 = 1_010
    static let number = VerifiedIdentity.phone("+15551234567")

    let storage: StorageReplica
    let tokenService = FakeTokenService()
    let otpService = FakeOTPService()
    let keys: UserKeys
    let policy: Policy
    /// Unix time in seconds.
    var time = now
    /// Whether users without an email address get text messages.
    var sendsTexts = false
    var recyclesNumbers = false

    init(_ engine: DatabaseKind, _ more: String = "email: {}\npasswords: {}\n") async throws {
        storage = try await StorageUnderTest(engine).replica()
        keys = try UserKeys(
            storage: UserFixture.ring(), attestations: UserFixture.ring(), grants: UserFixture.ring())
        policy = try UserFixture.policy("userIDPrefix: \(UserFixture.prefix)\n\(more)")
        tokenService.setSignedIn(at: Self.now)
    }

    var users: any UserStore { storage.users }

    func courier(_ store: any OutboxStore) -> OutboxCourier {
        OutboxCourier(
            store: store, tokenService: ServiceClient(service: "token", transport: tokenService),
            otpService: ServiceClient(service: "otp", transport: otpService), seal: OutboxSeal(ring: keys.storage),
            now: { [time] in time }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// - Parameter store: the store of users; `nil` for the engine's.
    func own(
        _ ends: IdentityChangePolicy.Ends = .others, over store: (any UserStore)? = nil, secondsLater: Int64 = 0
    ) -> ChangeOwnIdentities {
        let (tags, now) = (CallTags(ring: keys.storage), time + secondsLater)
        let courier = courier(storage.outbox)
        return ChangeOwnIdentities(
            act: AccountAct(store: store ?? users, courier: courier, now: { now }),
            recent: RecentAuthentication(tokenService: courier.tokenService, now: { [time] in time }),
            withinSeconds: 300,
            ways: SignInWays(policy), ends: ends,
            move: IdentityMove(
                userIDPrefix: UserFixture.prefix, identities: IdentitySeal(ring: keys.storage), outbox: courier.seal,
                attributes: UserFixture.attributes),
            takeover: AccountTakeover(userIDPrefix: UserFixture.prefix),
            notices: AccountNotices(seal: courier.seal, sendsTexts: sendsTexts), attributes: UserFixture.attributes,
            merges: MergeSeal(ring: keys.storage), pending: PendingSeal(ring: keys.storage),
            delaySeconds: Self.delaySeconds, tags: tags,
            givenUp: GivenUpIdentities(tags: tags), attestationKeys: keys.attestations, proofKeys: keys.proofs,
            accounts: nil, recyclesNumbers: recyclesNumbers)
    }

    /// - Parameter now: the time of the job's clock.
    func job(at now: Int64) -> PendingChangeJob {
        PendingChangeJob(
            store: users, queries: storage.queries,
            rules: PendingChange.rules(
                policy, keys, OutboxSeal(ring: keys.storage), tokenService: courier(storage.outbox).tokenService),
            now: { now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func caller(_ user: User, session: String = "s-1") -> ChangeOwnIdentities.Caller {
        ChangeOwnIdentities.Caller(
            user: SignedInUser(id: user.id, sessionID: session), accessToken: "t", requestID: "r-1")
    }

    /// A proof of an identity: otp-service's for a phone number or an email address, a token's for any other.
    func proof(
        of identity: VerifiedIdentity, id: String = UUIDText.random(), for user: User,
        purpose: Purpose = .identity, method: String = "sms"
    ) throws -> String {
        guard identity.atProvider == nil else {
            let token = PresentedToken(call: [1], issuedAt: Self.now)
            let proof = SignInProof(id: id, expiresAt: Self.now + 60, identity: identity, token: token)
            return try OwnProof(proof, method: "token", now: Self.now).sealed(with: keys.proofs)
        }
        return try Attestation(
            proofID: id, method: method, identity: identity, purpose: purpose,
            userID: purpose.isBound ? user.id.text(prefix: UserFixture.prefix) : nil, expiresAt: Self.now + 60,
            challengedAt: Self.now,
            accessEndsAt: method == Attestation.reviewMethod ? Self.now + 9_000 : nil
        ).sealed(with: keys.attestations)
    }

    /// Adds an identity as the use case does.
    func add(
        _ identity: VerifiedIdentity, to user: User, _ ends: IdentityChangePolicy.Ends = .others, call: String? = nil
    ) async throws -> AccountAnswer {
        let request = AddIdentityRequest(
            proof: try proof(of: identity, for: user), callID: call ?? UUIDText.random())
        return try await own(ends).add(request, caller(user)).answered
    }

    func remove(
        _ identity: VerifiedIdentity, from user: User, _ ends: IdentityChangePolicy.Ends = .others
    ) async throws -> AccountAnswer {
        let list = try await own().list(SignedInUser(id: user.id, sessionID: "s-1")).answered
        let found = try #require(
            list.identities.first { $0.kind == identity.kind && ($0.value ?? identity.value) == identity.value })
        return try await own(ends).remove(RemoveIdentityRequest(id: found.id, callID: UUIDText.random()), caller(user))
            .answered
    }

    /// The token that merges the account with an identity, which a user verifies.
    func mergeToken(for identity: VerifiedIdentity, _ user: User) async throws -> String {
        let answer = try await add(identity, to: user)
        #expect(answer.result == .identityInUse)
        return try #require(answer.mergeToken)
    }

    func merge(
        _ token: String, _ user: User, keepsOtherPhone: Bool = false, _ ends: IdentityChangePolicy.Ends = .others,
        session: String = "s-1", secondsLater: Int64 = 0, waits: Bool = false
    ) async throws -> AccountAnswer {
        tokenService.setSession(session, of: user.id.text(prefix: UserFixture.prefix))
        let request = MergeRequest(
            mergeToken: token, keepsOtherPhone: keepsOtherPhone ? true : nil, waits: waits ? true : nil,
            callID: UUIDText.random())
        return try await own(ends, secondsLater: secondsLater)
            .merge(request, caller(user, session: session), mergeProofs).answered
    }

    /// Objects to a pending change.
    func object(to kind: PendingChange.Kind, _ user: User) async throws -> Done {
        try await Objection(store: users, now: { Self.now })(
            to: kind, SignedInUser(id: user.id, sessionID: "s-9"), requestID: "r-2"
        ).answered
    }

    /// The proofs of other accounts, without Redis: none is judged.
    var mergeProofs: MergeProofs {
        let courier = courier(storage.outbox)
        let act = AccountAct(store: users, courier: courier, now: { Self.now })
        let (tags, redis) = (CallTags(ring: keys.storage), RedisClient(RedisConfiguration(), logger: .silent))
        let prove = ProveIdentityToken(
            providers: [:], tags: tags, proofKeys: keys.proofs,
            audit: RefusedTokenAudit(store: users, now: { Self.now }, logger: .silent), exchangesCodes: false,
            now: { Self.now })
        return MergeProofs(
            reauthenticate: Reauthenticate(
                act: act, lock: ProofLock(redis: redis, tags: GuessTags(ring: keys.storage), hasRoom: { true }),
                codes: ReauthenticationCodes(
                    act: act, otpService: courier.otpService, attestationKeys: keys.attestations,
                    userIDPrefix: UserFixture.prefix),
                hasher: nil,
                tokens: OwnIdentityTokens(
                    prove: prove, store: users, givenUp: GivenUpIdentities(tags: tags), withinSeconds: 300),
                statementKeys: keys.grants, userIDPrefix: UserFixture.prefix),
            accounts: nil)
    }

    /// Schedules the deletion of a user's account on their request.
    func delete(_ user: User) async throws -> Int64? {
        let delete = DeleteAccount(
            store: users, courier: courier(storage.outbox), userIDPrefix: UserFixture.prefix, graceDays: 30,
            notices: nil, numbers: nil, now: { Self.now })
        return try await delete(SignedInUser(id: user.id, sessionID: "s-1"), requestID: nil)
    }

    /// A user whose removal is due.
    func due(_ user: User) async throws -> DueUser {
        _ = try await storage.giveUp(user, dueAt: 1_100)
        return try #require(try await storage.removals.due(limit: 9, now: 1_100).first { $0.user.id == user.id })
    }

    func holder(of identity: VerifiedIdentity) async throws -> UserID? {
        try await storage.queries.find(.identity(identity))?.user.id
    }

    func user(_ id: UserID) async throws -> User { try #require(try await storage.queries.user(id)) }

    /// The kinds of the security decisions about a user.
    func decisions(about user: User) async throws -> [SecurityDecision.Kind] {
        try await storage.queries.decisions(after: 0, limit: 99).filter { $0.subject == user.id }.map(\.kind)
    }

    var reporter: ReportNotMe {
        let time = time
        return ReportNotMe(
            act: AccountAct(store: users, courier: courier(storage.outbox), now: { time }),
            tags: CallTags(ring: keys.storage), userIDPrefix: UserFixture.prefix)
    }

    var reviews: ManageAccountReviews {
        let time = time
        return ManageAccountReviews(
            store: users, queries: storage.queries, userIDPrefix: UserFixture.prefix, now: { time })
    }

    /// The notices to a user that wait to be sent, oldest first.
    func notices(to user: User) async throws -> [MailNotice] {
        try await storage.outbox.pending(.mail, about: user.id, limit: 99).map { item in
            let opened = try #require(OutboxSeal(ring: keys.storage).open(item.message, about: user.id))
            return try StrictJSON.decode(MailNotice.self, from: opened, limits: .own)
        }
    }
}

/// Sign-ins with phone numbers that wait for their accounts, or whose users were away.
extension OwnIdentityFixture {
    static let delaySeconds: Int64 = 86_400

    private var move: IdentityMove {
        IdentityMove(
            userIDPrefix: UserFixture.prefix, identities: IdentitySeal(ring: keys.storage),
            outbox: OutboxSeal(ring: keys.storage), attributes: UserFixture.attributes)
    }
    private var notices: AccountNotices { AccountNotices(seal: OutboxSeal(ring: keys.storage)) }

    func phoneChanges(at now: Int64 = Self.now) -> PhoneChanges {
        PhoneChanges(
            store: users, seal: PendingSeal(ring: keys.storage), delaySeconds: Self.delaySeconds,
            userIDPrefix: UserFixture.prefix, defaultRegion: nil, notices: notices, now: { now })
    }

    /// - Parameter idleMonths: the policy's; `nil` if the policy has none.
    func resolver(
        at now: Int64 = Self.now, idleMonths: Int64? = nil, watch: SignInWatch? = nil
    ) -> ResolveAttestation {
        let (tags, courier) = (CallTags(ring: keys.storage), courier(storage.outbox))
        let recycled = idleMonths.map {
            RecycledNumbers(
                idleMonths: $0, store: users, tokenService: courier.tokenService, ways: SignInWays(policy), move: move,
                notices: notices,
                delete: DeleteAccount(
                    store: users, courier: courier, userIDPrefix: UserFixture.prefix, graceDays: 30, notices: notices,
                    numbers: nil, now: { now }))
        }
        return ResolveAttestation(
            store: users, rule: SignInRule(onScheduledDeletion: .restore, secondFactor: SecondFactorRule(policy.mfa)),
            grants: SessionGrants(
                userIDPrefix: UserFixture.prefix, attributes: UserFixture.attributes, keys: keys.grants),
            attestationKeys: keys.attestations, proofKeys: keys.proofs, restores: RestoreSeal(ring: keys.storage),
            courier: courier, givenUp: GivenUpIdentities(tags: tags), phoneChanges: phoneChanges(at: now),
            recycled: recycled, watch: watch, tickets: SecondFactorTicketSeal(ring: keys.storage), now: { now })
    }

    /// otp-service's proof of a code that was requested and presented at this time.
    func code(_ number: VerifiedIdentity, at now: Int64 = Self.now, method: String = "sms") throws -> String {
        try Attestation(
            proofID: UUIDText.random(), method: method, identity: number, purpose: .signIn, expiresAt: now + 60,
            challengedAt: now, accessEndsAt: method == Attestation.reviewMethod ? now + 9_000 : nil
        ).sealed(with: keys.attestations)
    }

    /// The details of the audit's records of an event, newest first.
    func records(_ event: AuditEntry.Event) async throws -> [RecordedAuditEntry] {
        try await storage.queries.audit(AuditRequest(event: event.rawValue, limit: 20), of: nil).records
    }
}
