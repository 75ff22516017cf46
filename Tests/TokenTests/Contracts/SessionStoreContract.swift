import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The promises of every engine about sessions.
@Suite struct SessionStoreContract {
    @Test(arguments: DatabaseKind.allCases)
    func `no number is given twice, at two replicas and after a start anew`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine)
        let replicas = [try storage.replica(), try storage.replica()]
        var numbers: [Int64] = []
        for index in 0..<3_000 { numbers.append(try await replicas[index % 2].sessions.reserveLocator()) }
        numbers.append(try await storage.replica().sessions.reserveLocator())
        #expect(Set(numbers).count == numbers.count)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what is opened is there as it was said, by number and by name`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened()
        #expect(try await storage.sessions.session(at: session.locator) == session)
        #expect(try await storage.sessions.session(named: session.id) == session)
        #expect(try await storage.sessions.session(at: session.locator + 1) == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two replicas that spend one grant one opens, and the other is shown that session`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine)
        let replicas = [try storage.replica(), try storage.replica()]
        for round in 0..<8 {
            let openings = [
                try await replicas[0].opening(grant: "g\(round)"), try await replicas[1].opening(grant: "g\(round)"),
            ]
            async let first = replicas[0].sessions.open(openings[0], now: 1_000)
            async let second = replicas[1].sessions.open(openings[1], now: 1_000)
            let results = [try await first, try await second]
            let winner = try #require(results.firstIndex(of: .opened(displaced: [])))
            #expect(results[1 - winner] == .used(openings[winner].session))
            #expect(try await replicas[0].sessions.session(at: openings[1 - winner].session.locator) == nil)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a grant below the user's epoch or rights opens nothing, one above raises the epoch`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        #expect(try await storage.sessions.open(storage.opening(epoch: 4), now: 1_000) == .opened(displaced: []))
        #expect(try await storage.sessions.open(storage.opening(epoch: 3), now: 1_000) == .grantStale)
        let rights = try await storage.sessions.rights(ofUser: StorageUnderTest.user)
        let change = RightsChange(userID: StorageUnderTest.user, version: 2, sealedClaims: [:])
        #expect(try await storage.sessions.apply(change, on: rights, now: 1_000) == .applied)
        #expect(try await storage.sessions.open(storage.opening(epoch: 4, version: 1), now: 1_000) == .grantStale)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the session beyond the number ends the one used longest ago, in the same act`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let oldest = try await storage.opened(at: 1_000)
        _ = try await storage.opened(at: 1_001)
        let result = try await storage.sessions.open(storage.opening(at: 1_002, sessionsMax: 2), now: 1_002)
        let end = Revocation(sessionID: oldest.id, reason: .displaced, accessExpiresAt: oldest.accessExpiresAt)
        #expect(result == .opened(displaced: [end]))
        #expect(try await storage.sessions.session(at: oldest.locator)?.revokedFor == .displaced)
        #expect(try await storage.revocations.unpublished(limit: 9) == [end])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user's newest use is the last sign-in or refresh of any session, ended ones among them`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        #expect(try await storage.sessions.newestUse(ofUser: StorageUnderTest.user).at == nil)
        let first = try await storage.opened(at: 1_000)
        let second = try await storage.opened(at: 1_001)
        #expect(try await storage.sessions.newestUse(ofUser: StorageUnderTest.user).at == 1_001)
        #expect(try await storage.sessions.apply(.rotate(.numbered(1)), to: first, now: 1_080) == .applied)
        let newest = try await storage.sessions.newestUse(ofUser: StorageUnderTest.user).at
        #expect(newest == (try await storage.sessions.session(at: first.locator)?.lastUsedAt))
        _ = try await storage.sessions.end(second.id, reason: .logout, now: 1_090)
        #expect(try await storage.sessions.newestUse(ofUser: StorageUnderTest.user).at == newest)
    }

    // MARK: - Authentication

    @Test(arguments: DatabaseKind.allCases)
    func `a later authentication raises the time once, and an earlier one leaves it`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened()
        #expect(session.authenticatedAt == 1_000)
        for (time, outcome) in [
            (1_050, NotedAuthentication.noted), (1_050, .unchanged), (1_020, .unchanged),
        ] as [(Int64, NotedAuthentication)] {
            #expect(try await storage.noted(.sms, in: session, at: time) == outcome)
            #expect(try await storage.sessions.session(at: session.locator)?.authenticatedAt == 1_050)
        }
        let records = try await storage.storage.audit.records(AuditRequest(limit: 9)).records.map(\.event)
        #expect(records.filter { $0 == AuditEvent.reauthenticated.rawValue }.count == 1)
        // A rotation keeps the time.
        let read = try #require(try await storage.sessions.session(at: session.locator))
        #expect(try await storage.sessions.apply(.rotate(.numbered(1)), to: read, now: 1_080) == .applied)
        #expect(try await storage.sessions.session(at: session.locator)?.authenticatedAt == 1_050)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a revoked session takes no authentication, nor does one that never was`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened()
        _ = try await storage.sessions.end(session.id, reason: .logout, now: 1_001)
        let statement = session.statement(.sms, at: 1_050)
        for id in [session.id, SessionID.new(at: 1_000)] {
            let outcome = try await storage.sessions.noteAuthentication(of: id, statement, at: 1_050, now: 1_050)
            #expect(outcome == .noSession)
        }
        #expect(try await storage.sessions.session(at: session.locator)?.authenticatedAt == 1_000)
    }

    // MARK: - Changes on what was read

    @Test(arguments: DatabaseKind.allCases)
    func `a rotation holds on the session as it was read, once`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let seen = try await storage.opened()
        let change = SessionChange.rotate(.numbered(1))
        #expect(try await storage.sessions.apply(change, to: seen, now: 1_500) == .applied)
        let after = seen.after(change, now: 1_500)
        #expect(try await storage.sessions.session(at: seen.locator) == after)
        #expect(try await storage.sessions.apply(.rotate(.numbered(2)), to: seen, now: 1_600) == .stale)
        #expect(try await storage.sessions.apply(.reused(ends: true), to: seen, now: 1_600) == .stale)
        #expect(try await storage.sessions.session(at: seen.locator) == after)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two replicas that rotate one token one does`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine)
        let replicas = [try storage.replica(), try storage.replica()]
        var seen = try await replicas[0].opened()
        for generation in 1...8 {
            let (next, read) = (NextToken.numbered(Int64(generation)), seen)
            async let first = replicas[0].sessions.apply(.rotate(next), to: read, now: 1_500)
            async let second = replicas[1].sessions.apply(.rotate(next), to: read, now: 1_500)
            #expect(Set([try await first, try await second]) == [.applied, .stale])
            seen = seen.after(.rotate(next), now: 1_500)
        }
        #expect(try await replicas[1].sessions.session(at: seen.locator) == seen)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `nothing is done to a session that has ended meanwhile`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let seen = try await storage.opened()
        _ = try await storage.sessions.end(seen.id, reason: .logout, now: 1_500)
        let changes: [SessionChange] = [
            .rotate(.numbered(1)), .answerAgain(accessExpiresAt: 9_000, late: LateRepeats(count: 1, generation: 1)),
            .reused(ends: true),
        ]
        for change in changes { #expect(try await storage.sessions.apply(change, to: seen, now: 1_500) == .stale) }
        let ended = try #require(try await storage.sessions.session(at: seen.locator))
        #expect(ended.revokedFor == .logout && ended.accessExpiresAt == seen.accessExpiresAt)
        // Nor does an ended one live again for who has seen it so.
        #expect(try await storage.sessions.apply(.rotate(.numbered(1)), to: ended, now: 1_500) == .stale)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the marks of a page's session are kept by each change that has some, and by none that has not`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var seen = try await storage.opened(marks: RotationMarks(beginningAt: 1_000))
        let marks = (1...3).map { number in
            RotationMarks(
                newer: .init(generation: number, at: 10 * number), older: .init(generation: number + 1, at: -number))
        }
        let changes: [SessionChange] = [
            .rotate(.numbered(1, marks: marks[0])), .rotate(.numbered(2)), .answerAgain(accessExpiresAt: 2_000),
            .answerAgain(accessExpiresAt: 2_000, late: LateRepeats(count: 1, generation: 2), marks: marks[1]),
            .answerAgain(accessExpiresAt: 2_000, late: LateRepeats(count: 2, generation: 2)),
            .answerAgain(accessExpiresAt: 2_000, marks: marks[2]), .lateCopy,
        ]
        for change in changes {
            #expect(try await storage.sessions.apply(change, to: seen, now: 1_500) == .applied)
            seen = seen.after(change, now: 1_500)
            #expect(try await storage.sessions.session(at: seen.locator) == seen)
        }
        #expect(seen.marks == marks[2])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the last access token's end never comes forward`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let seen = try await storage.opened()
        let sessions = storage.sessions
        #expect(
            try await sessions.apply(.answerAgain(accessExpiresAt: 5_000), to: seen, now: 1_500)
                == .applied)
        // `seen` is from before: the later end stays.
        let rotation = SessionChange.rotate(.numbered(1, accessExpiresAt: 4_000))
        #expect(try await sessions.apply(rotation, to: seen, now: 1_500) == .applied)
        #expect(try await sessions.session(at: seen.locator)?.accessExpiresAt == 5_000)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a used token ends the session with its revocation, where the rule says so`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let spared = try await storage.opened()
        #expect(try await storage.sessions.apply(.reused(ends: false), to: spared, now: 1_500) == .applied)
        #expect(try await storage.sessions.session(at: spared.locator) == spared)
        let ended = try await storage.opened()
        #expect(try await storage.sessions.apply(.reused(ends: true), to: ended, now: 1_500) == .applied)
        #expect(try await storage.sessions.session(at: ended.locator)?.revokedFor == .reuse)
        #expect(try await storage.revocations.unpublished(limit: 9).map(\.sessionID) == [ended.id])
    }
}
