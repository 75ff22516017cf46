import AuthAPI
import InternalAPI
import Storage
import Testing

@testable import TokenCore

/// Responses that rest on a read wait until what was read is durable: a failover may undo it until then.
@Suite struct UnconfirmedTests {
    private let fixture: TokenFixture
    private let replica: Replica
    /// A replica whose store never confirms that what it has read is durable.
    private let unconfirmed: Replica

    init() async throws {
        fixture = try TokenFixture()
        replica = try await fixture.replica()
        unconfirmed = try await fixture.replica { UnconfirmedSessions(store: $0) }
    }

    private func expectUnknown(_ call: () async throws -> Void) async {
        await #expect { try await call() } throws: { ($0 as? StorageError)?.code == .unknown }
    }

    @Test func `a sign-out everywhere that finds its session ended waits for that end`() async throws {
        let tokens = try await replica.signIn(fixture)
        try await replica.logout(refresh: tokens.refreshToken, scope: .all)
        await expectUnknown { try await unconfirmed.logout(refresh: tokens.refreshToken, scope: .all) }
        #expect(try await replica.logout(refresh: tokens.refreshToken, scope: .all) == .answer(Done()))
    }

    @Test func `a refresh is refused only by a session that is durably as it was read`() async throws {
        let tokens = try await replica.signIn(fixture)
        await expectUnknown { _ = try await replica(missing: true).refresh(tokens.refreshToken) }
        #expect(try await unconfirmed.refresh(tokens.refreshToken).result == .rotated)
        try await replica.logout(refresh: tokens.refreshToken)
        await expectUnknown { _ = try await unconfirmed.refresh(tokens.refreshToken) }
        #expect(try await replica.refresh(tokens.refreshToken).reason == .signedOut)
    }

    @Test func `a refresh token that cannot be read is refused without a store`() async throws {
        let forged = "rt_" + String(repeating: "0", count: 2 * RefreshToken.byteCount)
        #expect(try await unconfirmed.refresh(forged).result == .unknown)
        #expect(try await unconfirmed.refresh("rt_short").result == .malformed)
    }

    @Test func `a sign-out that finds no session waits until that is durable`() async throws {
        let tokens = try await replica.signIn(fixture)
        let unaware = try await replica(missing: true)
        for scope in [nil, LogoutScope.others, .all] {
            await expectUnknown { try await unaware.logout(refresh: tokens.refreshToken, scope: scope) }
            await expectUnknown { try await unaware.logout(access: tokens.accessToken, scope: scope) }
        }
        #expect(try await replica.refresh(tokens.refreshToken).result == .rotated)
    }

    @Test func `an access token is refused only by a session that is durably as it was read`() async throws {
        let tokens = try await replica.signIn(fixture)
        let unaware = try await replica(missing: true)
        await expectUnknown { _ = try await unaware.parts.clientRoutes.introspect(tokens.accessToken) }
        await expectUnknown { _ = try await unaware.parts.clientRoutes.introspect(tokens.refreshToken) }
        try await replica.logout(refresh: tokens.refreshToken)
        await expectUnknown { _ = try await unconfirmed.parts.clientRoutes.introspect(tokens.refreshToken) }
    }

    /// A replica on a server that another one has replaced, which does not know the session.
    private func replica(missing: Bool) async throws -> Replica {
        try await fixture.replica { UnconfirmedSessions(store: $0, knowsSessions: !missing) }
    }

    @Test func `a change of rights that finds itself made waits for it`() async throws {
        _ = try await replica.signIn(fixture)
        try await replica.changeRights(role: "admin", version: 4)
        await expectUnknown { try await unconfirmed.changeRights(role: "admin", version: 4) }
        await expectUnknown {
            try await unconfirmed.changeRights(role: "user", version: 3, keepsTokens: true)
        }
        try await replica.changeRights(role: "admin", version: 4)
    }
}

/// Sessions whose store cannot tell whether what it reads is durable.
private struct UnconfirmedSessions: SessionStore {
    let store: any SessionStore
    /// Whether its reads find the sessions.
    var knowsSessions = true

    func confirm() async throws { throw StorageError(.unknown, "no standby answers") }

    func durableSession(at locator: Int64) async throws -> SessionRecord? {
        try await confirm()
        return nil
    }

    func durableSession(named id: SessionID) async throws -> SessionRecord? {
        try await confirm()
        return nil
    }

    func session(openedBy grantID: String) async throws -> OpenedSession? {
        try await confirm()
        return nil
    }

    func durableFloor(of id: SessionID) async throws -> Int64 {
        try await confirm()
        return 0
    }

    func reserveLocator() async throws -> Int64 { try await store.reserveLocator() }

    func open(_ opening: SessionOpening, now: Int64) async throws -> OpeningOutcome {
        try await store.open(opening, now: now)
    }

    func session(at locator: Int64) async throws -> SessionRecord? {
        knowsSessions ? try await store.session(at: locator) : nil
    }

    func session(named id: SessionID) async throws -> SessionRecord? {
        knowsSessions ? try await store.session(named: id) : nil
    }

    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord] {
        try await store.sessions(ofUser: userID, limit: limit, now: now)
    }

    func allSessions(ofUser userID: String, before: Int64?, limit: Int) async throws -> [SessionRecord] {
        try await store.allSessions(ofUser: userID, before: before, limit: limit)
    }

    func newestUse(ofUser userID: String) async throws -> NewestUse { try await store.newestUse(ofUser: userID) }

    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int] {
        try await store.liveCounts(ofUsers: userIDs, now: now)
    }

    func liveCount(now: Int64) async throws -> Int { try await store.liveCount(now: now) }

    func apply(_ change: SessionChange, to seen: SessionRecord, now: Int64) async throws -> Applied {
        try await store.apply(change, to: seen, now: now)
    }

    func noteAuthentication(
        of id: SessionID, _ statement: Reauthentication, at time: Int64, now: Int64
    ) async throws -> NotedAuthentication {
        try await store.noteAuthentication(of: id, statement, at: time, now: now)
    }

    func end(_ id: SessionID, reason: RevocationReason, now: Int64) async throws -> Revocation? {
        try await store.end(id, reason: reason, now: now)
    }

    func endAll(
        ofUser userID: String, below epoch: Int64, sparing spared: SparedSessions, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        try await store.endAll(ofUser: userID, below: epoch, sparing: spared, reason: reason, now: now)
    }

    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        try await store.endAll(ofUser: userID, except: id, reason: reason, now: now)
    }

    func endAll(
        by seen: SessionRecord, sparesOwn: Bool, reason: RevocationReason, now: Int64
    ) async throws -> Applied {
        try await store.endAll(by: seen, sparesOwn: sparesOwn, reason: reason, now: now)
    }

    func endActing(by actorID: String, now: Int64) async throws -> [Revocation] {
        try await store.endActing(by: actorID, now: now)
    }

    func rights(ofUser userID: String) async throws -> UserRights { try await store.rights(ofUser: userID) }

    func apply(_ change: RightsChange, on rights: UserRights, now: Int64) async throws -> Applied {
        try await store.apply(change, on: rights, now: now)
    }

    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int {
        try await store.removeEnded(ofUser: userID, limit: limit)
    }

    func forgetEpoch(ofUser userID: String, at forgottenAt: Int64, now: Int64) async throws {
        try await store.forgetEpoch(ofUser: userID, at: forgottenAt, now: now)
    }
}
