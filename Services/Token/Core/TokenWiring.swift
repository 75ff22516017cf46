import CryptoPrimitives
import Logging
import Policies
import ServiceCalls
import ServiceHTTP
import ServiceKit

/// The service's use cases and routes, built once; tests build the same ones.
struct TokenWiring: Sendable {
    let store: any SessionStore
    let publisher: RevocationPublisher
    let routes: TokenRoutes
    let keyRotation: KeyRotation
    let noteLookUp: NoteLookUp
    let sessionRoutes: SessionRoutes
    let clientRoutes: ClientRoutes
    let now: @Sendable () -> Int64

    init(
        policy: Policy, storage: TokenStorage, keys: SigningKeys, storageRing: KeyRing, grantKeys: KeyRing,
        feed: any RevocationFeedWriter, limiter: any RefreshLimiter, clients: OAuthClients,
        clientFailures: FailureLimit, now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        let (store, revocations) = (storage.sessions, storage.revocations)
        let publisher = RevocationPublisher(
            store: revocations, keys: storage.keys, feed: feed, now: now, logger: logger)
        let claims = ClaimsSeal(ring: storageRing)
        let tokenKeys = RefreshTokenKeys(ring: storageRing)
        let forms = policy.tokenForms
        let mint = AccessTokenMint(issuer: policy.issuer, audience: policy.audience, keys: keys, forms: forms)
        let tokens = SessionTokens(claims: claims, mint: mint)
        let bearers = BearerSessions(
            forms: Array(forms.values), policy: policy, keys: keys, claims: claims, store: store)
        let end = EndSession(
            policy: policy, keys: tokenKeys, accessTokens: AccessTokenReader(keys: keys), bearers: bearers,
            store: store, revocations: revocations, publisher: publisher, now: now)
        self.store = store
        self.publisher = publisher
        self.now = now
        noteLookUp = NoteLookUp(audit: storage.audit, now: now)
        keyRotation = KeyRotation(
            keys: keys, publisher: publisher, feed: feed, now: now, pause: { try await Task.sleep(for: $0) },
            logger: logger)
        routes = TokenRoutes(
            issue: IssueSession(
                policy: policy, grantKeys: grantKeys,
                openings: SessionOpenings(
                    ring: storageRing, sessionsMax: policy.sessions.perUserMax, web: policy.web,
                    previousUntil: policy.dialects.compactMap(\.previous?.until).max() ?? 0),
                tokenKeys: tokenKeys, store: store, publisher: publisher, tokens: tokens, now: now),
            rotate: RotateRefreshToken(
                policy: policy, prefixes: Set(policy.profiles.map(\.refresh.prefix)), keys: tokenKeys, store: store,
                limiter: limiter, publisher: publisher, tokens: tokens, now: now),
            repeatPrevious: RepeatPrevious(
                policy: policy, keys: tokenKeys, store: store, tokens: tokens, now: now),
            end: end, revokeUser: RevokeUser(store: store, publisher: publisher, now: now),
            changeRights: ChangeRights(
                store: store, revocations: revocations, claims: claims, publisher: publisher, now: now),
            removeUser: RemoveUser(
                store: store, publisher: publisher, engine: storage.engine, now: now), keys: keys)
        sessionRoutes = SessionRoutes(
            list: ListSessions(bearers: bearers, store: store, now: now),
            authentication: NoteAuthentication(
                statementKeys: grantKeys, bearers: bearers, store: store, now: now),
            endOwn: EndOwnSession(bearers: bearers, store: store, publisher: publisher, now: now),
            endOthers: EndOtherSessions(bearers: bearers, store: store, publisher: publisher, now: now),
            endAsOperator: EndSessionsAsOperator(store: store, publisher: publisher, now: now),
            openActing: OpenActingSession(
                policy: policy, claims: claims, store: store, mint: mint, publisher: publisher, now: now),
            listAudit: ListAudit(queries: storage.audit, noteLookUp: noteLookUp),
            export: ExportUserData(store: store, audit: storage.audit), noteLookUp: noteLookUp)
        clientRoutes = ClientRoutes(
            gate: ClientGate(clients: clients, failures: clientFailures, now: now),
            introspect: IntrospectToken(policy: policy, keys: tokenKeys, bearers: bearers, store: store, now: now),
            end: end, issue: IssueClientToken(policy: policy, grantKeys: grantKeys, mint: mint, now: now),
            revoke: RevokeClient(store: revocations, publisher: publisher, now: now))
    }

    /// Adds all of the service's routes.
    func add(to table: inout ServiceRoutes) {
        routes.add(to: &table)
        sessionRoutes.add(to: &table)
        clientRoutes.add(to: &table)
    }
}
