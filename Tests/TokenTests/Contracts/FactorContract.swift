import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The factors of sessions, on both engines.
@Suite struct FactorContract {
    private func session(_ record: SessionRecord, of storage: StorageReplica) async throws -> SessionRecord {
        try #require(try await storage.sessions.session(at: record.locator))
    }

    private func lower(
        _ storage: StorageReplica, toVersion version: Int64, lowers: Bool = true, keepsTokens: Bool = false
    ) async throws -> Applied {
        let rights = try await storage.sessions.rights(ofUser: StorageUnderTest.user)
        let sealed = Dictionary(uniqueKeysWithValues: rights.sessions.map { ($0.id, [UInt8(version)]) })
        let change = RightsChange(
            userID: StorageUnderTest.user, version: version, keepsTokens: keepsTokens, lowersFactors: lowers,
            sealedClaims: sealed)
        return try await storage.sessions.apply(change, on: rights, now: 1_500)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a session begins with the factors of its grant, or else of its method, and keeps them`(
        _ engine: DatabaseKind
    ) async throws {
        let home = try await StorageUnderTest(engine)
        let storage = try home.replica()
        for (method, given, expected) in [
            ("sms", nil, AuthenticationFactors.sms), ("sms", [.sms, .otp], [.sms, .otp]), ("apple", nil, .fed),
            ("passkey:1f", [.pop, .user], [.pop, .user]), ("passkey:1f", .restore, .restore), ("passkey:1f", nil, .pop),
        ] as [(String, AuthenticationFactors?, AuthenticationFactors)] {
            let opened = try await storage.opened(method: method, factors: given)
            #expect(try await storage.sessions.apply(.rotate(.numbered(1)), to: opened, now: 1_010) == .applied)
            // Another process reads what this one wrote.
            let read = try await session(opened, of: try home.replica())
            #expect(read.factors == expected && read.latestFactors == expected)
            #expect(try await storage.sessions.session(named: opened.id) == read)
            #expect(try await storage.sessions.durableSession(at: opened.locator) == read)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a step-up adds factors and takes none away, and the latest are those of the latest time`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let opened = try await storage.opened()
        for (shown, time, all, latest) in [
            (.pwd, 1_000, [.sms, .pwd], [.sms, .pwd]), (.otp, 1_050, [.sms, .pwd, .otp], .otp),
            (.sms, 1_060, [.sms, .pwd, .otp], .sms), (.fed, 1_055, [.sms, .pwd, .otp, .fed], .sms),
            ([], 1_070, [.sms, .pwd, .otp, .fed], []),
        ] as [(AuthenticationFactors, Int64, AuthenticationFactors, AuthenticationFactors)] {
            #expect(try await storage.noted(shown, in: opened, at: time) == .noted)
            let read = try await session(opened, of: storage)
            #expect(read.factors == all && read.latestFactors == latest)
        }
        #expect(try await session(opened, of: storage).authenticatedAt == 1_070)
        let events = try await storage.storage.audit.records(AuditRequest(limit: 9)).records.map(\.event)
        #expect(events.filter { $0 == AuditEvent.steppedUp.rawValue }.count == 1)
        #expect(events.filter { $0 == AuditEvent.reauthenticated.rawValue }.count == 4)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a time from a clock that was ahead is replaced`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let opened = try await storage.opened(at: 900_000)
        #expect(try await storage.noted(.pwd, in: opened, at: 1_050) == .noted)
        let read = try await session(opened, of: storage)
        #expect(read.authenticatedAt == 1_050 && read.latestFactors == .pwd)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a challenge raises one session once, among calls at the same time too`(_ engine: DatabaseKind) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = try (0..<2).map { _ in try home.replica() }
        let opened = try await replicas[0].opened()
        let outcomes = try await withThrowingTaskGroup(of: NotedAuthentication.self) { group in
            for call in 0..<8 {
                group.addTask {
                    let storage = replicas[call % 2]
                    return try await storage.noted([.pop, .user], in: opened, at: 1_050 + Int64(call), id: "c1")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .noted }.count == 1)
        #expect(outcomes.filter { $0 == .unchanged }.count == 7)
        let time = try await session(opened, of: replicas[0]).authenticatedAt
        #expect(try await replicas[1].noted([.pop, .user], in: opened, at: 1_900, id: "c1") == .unchanged)
        #expect(try await session(opened, of: replicas[0]).authenticatedAt == time)
        // A challenge is no grant of the same id, and another challenge counts.
        #expect(
            try await replicas[0].sessions.open(replicas[0].opening(grant: "c1"), now: 1_900)
                == .opened(displaced: []))
        #expect(try await replicas[1].noted([.pop, .user], in: opened, at: 1_900, id: "c2") == .noted)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `when a second factor is gone, each session falls to those with which it began`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let steppedUp = try await storage.opened()
        #expect(try await storage.noted([.otp, .pop, .user], in: steppedUp, at: 1_050) == .noted)
        let both = try await storage.opened(factors: [.sms, .otp])
        let passkey = try await storage.opened(method: "passkey:1f", factors: [.pop, .user])
        #expect(try await storage.noted(.otp, in: passkey, at: 1_050) == .noted)
        let others = try await storage.opened(user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f", factors: [.sms, .otp])
        // A change that removes nothing leaves all.
        #expect(try await lower(storage, toVersion: 2, lowers: false) == .applied)
        #expect(try await session(steppedUp, of: storage).factors == [.sms, .otp, .pop, .user])
        #expect(try await lower(storage, toVersion: 3) == .applied)
        for (record, all, latest) in [
            (steppedUp, .sms, []), (both, .sms, .sms), (passkey, [.pop, .user], []),
            (others, [.sms, .otp], [.sms, .otp]),
        ] as [(SessionRecord, AuthenticationFactors, AuthenticationFactors)] {
            let read = try await session(record, of: storage)
            #expect(read.factors == all && read.latestFactors == latest)
        }
        // The tokens from before are refused.
        #expect(try await storage.sessions.durableFloor(of: steppedUp.id) == 3)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a statement from before the factor was removed is refused`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let opened = try await storage.opened()
        #expect(try await storage.noted(.otp, in: opened, at: 1_050, version: 2) == .noted)
        #expect(try await lower(storage, toVersion: 3) == .applied)
        #expect(try await storage.noted(.otp, in: opened, at: 1_060, version: 2) == .stale)
        #expect(try await session(opened, of: storage).factors == .sms)
        #expect(try await storage.noted(.pwd, in: opened, at: 1_060, version: 3) == .noted)
        #expect(try await session(opened, of: storage).factors == [.sms, .pwd])
    }
}
