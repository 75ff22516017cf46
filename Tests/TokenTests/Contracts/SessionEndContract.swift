import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The promises of every engine about revocations, rights and removals.
@Suite struct SessionEndContract {
    private static let user = StorageUnderTest.user
    private static let stranger = "usr_0190a1b2c3d4e5f60718293a4b5c6d7f"

    @Test(arguments: DatabaseKind.allCases)
    func `an end is told until Redis knows it, and a second one changes nothing`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened()
        let end = Revocation(sessionID: session.id, reason: .logout, accessExpiresAt: session.accessExpiresAt)
        #expect(try await storage.sessions.end(session.id, reason: .logout, now: 1_500) == end)
        #expect(try await storage.sessions.end(session.id, reason: .admin, now: 1_500) == end)
        try await storage.revocations.markPublished([session.id])
        #expect(try await storage.sessions.end(session.id, reason: .admin, now: 1_500) == nil)
        #expect(try await storage.sessions.session(named: session.id)?.revokedFor == .logout)
        #expect(try await storage.revocations.live(after: nil, limit: 9, now: 1_100) == [end])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an epoch ends what began below it, here and for grants on their way`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let old = try await storage.opened(epoch: 1)
        let new = try await storage.opened(epoch: 2)
        let other = try await storage.opened(user: Self.stranger)
        let ends = try await storage.sessions.endAll(
            ofUser: Self.user, below: 2, sparing: .nothing, reason: .logoutAll, now: 1_500)
        #expect(ends.map(\.sessionID) == [old.id])
        #expect(try await storage.sessions.open(storage.opening(epoch: 1), now: 1_500) == .grantStale)
        for session in [new, other] {
            #expect(try await storage.sessions.session(named: session.id)?.revokedFor == nil)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a spared session is of the new epoch, so that a repeat which names none leaves it alive`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let sessions = storage.sessions
        let spared = try await storage.opened(epoch: 1)
        let other = try await storage.opened(epoch: 1)
        func revoke(_ epoch: Int64, sparing id: SessionID?) async throws -> [SessionID] {
            try await sessions.endAll(
                ofUser: Self.user, below: epoch, sparing: id.map { .one($0) } ?? .nothing, reason: .passwordChange,
                now: 1_500
            ).map(\.sessionID)
        }
        #expect(try await revoke(2, sparing: spared.id) == [other.id])
        #expect(try await revoke(2, sparing: nil) == [other.id])
        #expect(try await sessions.session(named: spared.id)?.epoch == 2)
        // A later epoch ends it, and a repeat of the earlier act brings nothing back.
        #expect(try await revoke(3, sparing: nil).contains(spared.id))
        _ = try await revoke(2, sparing: spared.id)
        #expect(try await sessions.session(named: spared.id)?.revokedFor == .passwordChange)
        #expect(try await sessions.session(named: spared.id)?.epoch == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `sessions of one method end, and those of others are of the new epoch`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let sessions = storage.sessions
        let (old, apple) = (try await storage.opened(epoch: 1), try await storage.opened(epoch: 2, method: "apple"))
        let (sms, stranger) = (try await storage.opened(epoch: 2), try await storage.opened(user: Self.stranger))
        func revoke(_ epoch: Int64) async throws -> Set<SessionID> {
            Set(
                try await sessions.endAll(
                    ofUser: Self.user, below: epoch, sparing: .otherMethods(than: "apple"), reason: .provider,
                    now: 1_500
                ).map(\.sessionID))
        }
        // The message that revokes the oldest session has not arrived yet: it is not spared either.
        #expect(try await revoke(3) == [apple.id, old.id])
        #expect(try await sessions.session(named: apple.id)?.revokedFor == .provider)
        #expect(try await sessions.session(named: sms.id)?.epoch == 3)
        #expect(try await sessions.session(named: stranger.id)?.epoch == stranger.epoch)
        // A repeat ends nothing, not even a session that began with the method since.
        let later = try await storage.opened(epoch: 3, method: "apple")
        #expect(try await revoke(3) == [apple.id, old.id])
        for session in [sms, later] { #expect(try await sessions.session(named: session.id)?.revokedFor == nil) }
        #expect(try await sessions.open(storage.opening(epoch: 2), now: 1_500) == .grantStale)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `nobody spares a session of somebody else`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let foreign = try await storage.opened(user: Self.stranger)
        let own = try await storage.opened()
        let ends = try await storage.sessions.endAll(
            ofUser: Self.user, below: 9, sparing: .one(foreign.id), reason: .passwordChange, now: 1_500)
        #expect(ends.map(\.sessionID) == [own.id])
        #expect(try await storage.sessions.session(named: foreign.id)?.epoch == foreign.epoch)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a rotation that was decided before a session was spared still holds`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let seen = try await storage.opened()
        _ = try await storage.sessions.endAll(
            ofUser: Self.user, below: 9, sparing: .one(seen.id), reason: .passwordChange, now: 1_500)
        #expect(try await storage.sessions.apply(.rotate(.numbered(1)), to: seen, now: 1_500) == .applied)
        #expect(try await storage.sessions.session(named: seen.id)?.epoch == 9)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a holder ends the others as long as his session is as it was seen`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let sessions = storage.sessions
        let own = try await storage.opened()
        let other = try await storage.opened()
        let rotation = SessionChange.rotate(.numbered(1))
        #expect(try await sessions.apply(rotation, to: own, now: 1_500) == .applied)
        #expect(try await sessions.endAll(by: own, sparesOwn: true, reason: .device, now: 1_500) == .stale)
        #expect(try await sessions.session(named: other.id)?.revokedFor == nil)
        let present = own.after(rotation, now: 1_500)
        #expect(try await sessions.endAll(by: present, sparesOwn: true, reason: .device, now: 1_500) == .applied)
        #expect(try await sessions.session(named: other.id)?.revokedFor == .device)
        #expect(try await sessions.session(named: own.id)?.revokedFor == nil)
        #expect(try await sessions.endAll(by: present, sparesOwn: false, reason: .logoutAll, now: 1_500) == .applied)
        #expect(try await sessions.session(named: own.id)?.revokedFor == .logoutAll)
        #expect(try await storage.revocations.unpublished(ofUser: Self.user).count == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `new rights hold on the sessions that were read, and leave a floor for each`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let sessions = storage.sessions
        let first = try await storage.opened()
        let seen = try await sessions.rights(ofUser: Self.user)
        #expect(seen == UserRights(version: 0, sessions: [first]))
        let change = RightsChange(userID: Self.user, version: 5, sealedClaims: [first.id: [9]])
        // A session that began meanwhile has old claims too.
        let second = try await storage.opened()
        #expect(try await sessions.apply(change, on: seen, now: 1_500) == .stale)
        #expect(try await sessions.session(named: first.id)?.sealedClaims == first.sealedClaims)
        let both = try await sessions.rights(ofUser: Self.user)
        let all = RightsChange(userID: Self.user, version: 5, sealedClaims: [first.id: [9], second.id: [8]])
        #expect(try await sessions.apply(all, on: both, now: 1_500) == .applied)
        #expect(try await sessions.session(named: second.id)?.sealedClaims == [8])
        let floors = try await storage.revocations.unpublishedFloors(ofUser: Self.user)
        #expect(Set(floors.map(\.sessionID)) == [first.id, second.id] && floors.allSatisfy { $0.version == 5 })
        // Another version was told meanwhile, and the claims are new.
        #expect(try await sessions.apply(all, on: both, now: 1_500) == .stale)
        // A rotation that was decided on the old claims must not bring them back.
        #expect(try await sessions.apply(.rotate(.numbered(1)), to: first, now: 1_500) == .stale)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a floor that rises while it is published is to be published again`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened()
        for version in [2, 3] as [Int64] {
            let rights = try await storage.sessions.rights(ofUser: Self.user)
            let change = RightsChange(userID: Self.user, version: version, sealedClaims: [session.id: [9]])
            #expect(try await storage.sessions.apply(change, on: rights, now: 1_500) == .applied)
        }
        let late = VersionFloor(sessionID: session.id, version: 2, accessExpiresAt: session.accessExpiresAt)
        try await storage.revocations.markPublished([late])
        #expect(try await storage.revocations.unpublishedFloors(limit: 9).map(\.version) == [3])
        #expect(try await storage.revocations.liveFloors(after: nil, limit: 9, now: 1_100).map(\.version) == [3])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of a removed user stays what Redis may not know, and then nothing`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened()
        _ = try await storage.sessions.endAll(
            ofUser: Self.user, below: 9, sparing: .nothing, reason: .deleted, now: 1_500)
        #expect(try await storage.sessions.removeEnded(ofUser: Self.user, limit: 64) == 0)
        try await storage.revocations.markPublished([session.id])
        #expect(try await storage.sessions.removeEnded(ofUser: Self.user, limit: 64) == 1)
        #expect(try await storage.sessions.session(named: session.id) == nil)
        // The user's epoch applies until it is forgotten.
        try await storage.sessions.forgetEpoch(ofUser: Self.user, at: 9_000, now: 1_500)
        #expect(try await storage.sessions.open(storage.opening(epoch: 1), now: 1_500) == .grantStale)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `pages of revocations go by name and leave out what matters no more`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var names: [SessionID] = []
        for second in 0..<5 {
            let session = try await storage.opened(at: Int64(1_000 + second))
            names.append(session.id)
            _ = try await storage.sessions.end(session.id, reason: .logout, now: 1_500)
        }
        #expect(try await storage.revocations.unpublishedCount() == 5)
        let page = try await storage.revocations.live(after: names[0], limit: 2, now: 1_000)
        #expect(page.map(\.sessionID) == [names[1], names[2]])
        // The access tokens end at 1,100 to 1,104.
        let late = try await storage.revocations.live(after: nil, limit: 9, now: 1_102 + Revocation.extraSeconds)
        #expect(late.map(\.sessionID) == [names[3], names[4]])
    }
}
