import AccessTokens
import CryptoPrimitives
import Foundation
import InternalAPI
import Storage
import TestSupport
import Testing
import UserEvents

@testable import TokenCore

/// The events that revocations leave for the app's back end on both engines.
@Suite struct SessionEventContract {
    private static let user = StorageUnderTest.user
    private static let lease = Lease(name: "user events", holder: "a", lifetimeSeconds: 30)

    private func events(_ storage: StorageReplica) async throws -> [QueuedEvent] {
        try await storage.storage.events.turn([], besides: [], limit: 99, lease: Self.lease, now: 99_000) ?? []
    }

    @Test(arguments: DatabaseKind.allCases)
    func `each revoked session leaves one event, with the reason`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let sessions = storage.sessions
        let opened = [try await storage.opened(), try await storage.opened(), try await storage.opened()]
        _ = try await sessions.end(opened[0].id, reason: .logout, now: 1_500)
        _ = try await sessions.end(opened[0].id, reason: .admin, now: 1_501)
        #expect(try await sessions.apply(.reused(ends: true), to: opened[1], now: 1_500) == .applied)
        _ = try await sessions.endAll(
            ofUser: Self.user, below: 9, sparing: .nothing, reason: .inactive, now: 1_500)
        _ = try await sessions.endAll(ofUser: Self.user, except: nil, reason: .admin, now: 1_500)
        let events = try await events(storage)
        #expect(events.map(\.reason) == ["logout", "reuse", "inactive"])
        #expect(events.map(\.subject) == opened.map(\.id.bytes))
        #expect(
            events.allSatisfy { $0.kind == "session.revoked" }
                && events.map(\.sequence) == (0..<3).map { 1_500_000 + $0 })
        let ids = StoredUserID(prefix: "usr_")
        let body = try await SessionEventBodies(userIDs: ids, tokens: nil)(events)[0]
        #expect(body.data.sessionId == opened[0].id.text && body.data.reason == "logout")
        #expect(String(decoding: try body.encoded(), as: UTF8.self).contains(#""userId":"\#(Self.user)""#))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a displaced session leaves one, and neither a sign-in nor a refused reuse does`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica(writesEvents: true)
        let oldest = try await storage.opened(at: 1_000)
        #expect(try await storage.sessions.apply(.reused(ends: false), to: oldest, now: 1_001) == .applied)
        #expect(try await events(storage).isEmpty)
        _ = try await storage.sessions.open(storage.opening(at: 1_002, sessionsMax: 1), now: 1_002)
        #expect(try await events(storage).map(\.reason) == ["displaced"])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `sessions of one user that are revoked at once at two replicas get an order`(
        _ engine: DatabaseKind
    ) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = [try home.replica(writesEvents: true), try home.replica(writesEvents: true)]
        var opened: [SessionRecord] = []
        for _ in 0..<20 { opened.append(try await replicas[0].opened()) }
        let records = opened
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, session) in records.enumerated() {
                group.addTask {
                    _ = try await replicas[index % 2].sessions.end(session.id, reason: .logout, now: 1_500)
                }
            }
            try await group.waitForAll()
        }
        let events = try await events(replicas[0])
        #expect(events.map(\.sequence) == (0..<20).map { 1_500_000 + $0 })
        #expect(Set(events.map(\.subject)) == Set(records.map(\.id.bytes)))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `sessions of one user that other users replace on their pages at once get an order`(
        _ engine: DatabaseKind
    ) async throws {
        let home = try await StorageUnderTest(engine)
        let replicas = [try home.replica(writesEvents: true), try home.replica(writesEvents: true)]
        let pages = (0..<20).map { [UInt8](repeating: UInt8($0), count: 32) }
        for page in pages { _ = try await replicas[0].sessions.open(replicas[0].opening(page: page), now: 1_000) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, page) in pages.enumerated() {
                group.addTask {
                    let replica = replicas[index % 2]
                    let other = "usr_" + Hex.encode([UInt8](repeating: UInt8(index), count: 16))
                    _ = try await replica.sessions.open(replica.opening(user: other, replacedPage: page), now: 1_500)
                }
            }
            try await group.waitForAll()
        }
        let events = try await events(replicas[0])
        #expect(events.map(\.reason) == pages.map { _ in "replaced" })
        #expect(events.map(\.sequence) == (0..<20).map { 1_500_000 + $0 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `without a hook nothing is written`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        _ = try await storage.sessions.end(try await storage.opened().id, reason: .logout, now: 1_500)
        #expect(try await events(storage).isEmpty)
    }
}
