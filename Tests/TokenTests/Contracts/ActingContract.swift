import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The promises of every engine about sessions in which one user acts as another.
@Suite struct ActingContract {
    private static let user = StorageUnderTest.user
    private static let actor = "usr_0190a1b2c3d4e5f60718293a4b5c6d70"

    private func opening(
        _ storage: StorageReplica, user: String = user, from own: SessionRecord, by actor: String = actor,
        version: Int64 = 1
    ) async throws -> SessionOpening {
        let end: Int64 = 2_000
        let session = SessionRecord(
            locator: try await storage.sessions.reserveLocator(), id: SessionID.new(at: 1_100), userID: user, epoch: 0,
            dialect: "native", method: "acting", currentHash: [UInt8](repeating: 1, count: 32),
            salt: [UInt8](repeating: 0, count: 16), createdAt: 1_100, lastUsedAt: 1_100, idleExpiresAt: end,
            absoluteExpiresAt: end, accessExpiresAt: end, device: nil, network: nil, actorID: actor,
            sealedClaims: [3, 4, 5])
        return SessionOpening(
            grantID: session.id.text, grantExpiresAt: 1_100, version: 1, session: session, sessionsMax: .max,
            actor: .init(userID: actor, sessionID: own.id, version: version))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `all sessions of an actor end, and no others`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let (own, actors) = (try await storage.opened(), try await storage.opened(user: Self.actor))
        let others = [Self.user, "usr_0190a1b2c3d4e5f60718293a4b5c6d7f"]
        var acting: [SessionRecord] = []
        for user in others {
            let opening = try await opening(storage, user: user, from: actors)
            #expect(try await storage.sessions.open(opening, now: 1_100) == .opened(displaced: []))
            acting.append(opening.session)
            #expect(try await storage.sessions.session(named: opening.session.id) == opening.session)
        }
        for _ in 0..<2 {
            let ended = try await storage.sessions.endActing(by: Self.actor, now: 1_200)
            #expect(Set(ended.map(\.sessionID)) == Set(acting.map(\.id)))
        }
        try await storage.revocations.markPublished(acting.map(\.id))
        #expect(try await storage.sessions.endActing(by: Self.actor, now: 1_200) == [])
        #expect(try await storage.sessions.session(named: acting[0].id)?.revokedFor == .admin)
        for id in [own.id, actors.id] {
            #expect(try await storage.sessions.session(named: id)?.revokedFor == nil)
        }
        #expect(try await storage.sessions.newestUse(ofUser: Self.user).at == own.lastUsedAt)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a second one replaces the first of the same two users, and no other`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let (own, actors) = (try await storage.opened(), try await storage.opened(user: Self.actor))
        let other = try await opening(storage, user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f", from: actors)
        let (first, second) = (try await opening(storage, from: actors), try await opening(storage, from: actors))
        let colleague = "usr_0190a1b2c3d4e5f60718293a4b5c6d71"
        let theirs = try await opening(storage, from: try await storage.opened(user: colleague), by: colleague)
        let store = storage.sessions
        // josuebrunel/ezauth#149: one administrator ended what another had begun.
        for opening in [other, theirs, first] {
            #expect(try await store.open(opening, now: 1_100) == .opened(displaced: []))
        }
        let end = Revocation(sessionID: first.session.id, reason: .replaced, accessExpiresAt: 2_000)
        #expect(try await store.open(second, now: 1_200) == .opened(displaced: [end]))
        #expect(try await store.session(named: first.session.id)?.revokedFor == .replaced)
        for id in [own.id, actors.id, other.session.id, theirs.session.id, second.session.id] {
            #expect(try await store.session(named: id)?.revokedFor == nil)
        }
        // One that has expired is no longer there to be ended.
        let third = try await opening(storage, from: actors)
        #expect(try await store.open(third, now: 2_000) == .opened(displaced: []))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `many at the same time leave one of each two users`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let actors = try await storage.opened(user: Self.actor)
        var openings: [SessionOpening] = []
        for _ in 0..<8 { openings.append(try await opening(storage, from: actors)) }
        try await withThrowingTaskGroup { group in
            for opening in openings {
                group.addTask { _ = try await storage.sessions.open(opening, now: 1_100) }
            }
            try await group.waitForAll()
        }
        var live = 0
        for opening in openings where try await storage.sessions.session(named: opening.session.id)?.revokedFor == nil {
            live += 1
        }
        #expect(live == 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an end of the actor's session and an opening at the same time leave none`(_ engine: DatabaseKind) async throws
    {
        let storage = try await StorageUnderTest(engine).replica()
        for _ in 0..<8 {
            let actors = try await storage.opened(user: Self.actor)
            let opening = try await opening(storage, from: actors)
            async let opened = storage.sessions.open(opening, now: 1_100)
            _ = try await storage.sessions.endWithActing(actors, reason: .logout, now: 1_100)
            if try await opened != .grantStale {
                #expect(try await storage.sessions.session(named: opening.session.id)?.revokedFor != nil)
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the end of one session of the actor ends it, and its own end only itself`(_ engine: DatabaseKind) async throws
    {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let (own, actors) = (try await storage.opened(), try await storage.opened(user: Self.actor))
        let (another, opening) = (try await storage.opened(user: Self.actor), try await opening(storage, from: actors))
        let store = storage.sessions
        #expect(try await store.open(opening, now: 1_100) == .opened(displaced: []))
        for _ in 0..<2 {
            let ended = try await store.endWithActing(another, reason: .logout, now: 1_200)
            #expect(ended.map(\.sessionID) == [another.id, opening.session.id])
        }
        let next = try await self.opening(storage, from: actors)
        #expect(try await store.open(next, now: 1_200) == .opened(displaced: []))
        let ended = try await store.endWithActing(next.session, reason: .device, now: 1_300)
        #expect(ended.map(\.sessionID) == [next.session.id])
        for id in [own.id, actors.id] { #expect(try await store.session(named: id)?.revokedFor == nil) }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an actor who was changed meanwhile opens nothing`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let ended = try await storage.opened(user: Self.actor)
        _ = try await storage.sessions.endAll(ofUser: Self.actor, except: nil, reason: .admin, now: 1_050)
        #expect(try await storage.sessions.open(opening(storage, from: ended), now: 1_100) == .grantStale)
        let others = try await storage.opened()
        #expect(try await storage.sessions.open(opening(storage, from: others), now: 1_100) == .grantStale)
        let own = try await storage.opened(user: Self.actor)
        #expect(try await storage.sessions.open(opening(storage, from: own), now: 1_100) == .opened(displaced: []))
        let rights = try await storage.sessions.rights(ofUser: Self.actor)
        let change = RightsChange(userID: Self.actor, version: 5, sealedClaims: [:])
        #expect(try await storage.sessions.apply(change, on: rights, now: 1_100) == .applied)
        #expect(try await storage.sessions.open(opening(storage, from: own, version: 4), now: 1_100) == .grantStale)
    }
}
