import AccessTokens
import GRDB
import InternalAPI
import Logging
import Testing

@testable import SQLiteStore
@testable import TokenCore

/// Signing keys on a real file: the timer, the operator, and two replicas.
@Suite(.timeLimit(.minutes(5))) struct KeyRotationTests {
    private let fixture: TokenFixture

    init() throws { fixture = try TokenFixture() }

    private func rotation(_ replica: Replica) -> KeyRotation {
        KeyRotation(
            keys: replica.keys, publisher: replica.parts.publisher, feed: fixture.feed,
            now: { [clock = fixture.clock] in clock.now }, pause: { _ in }, logger: Logger(label: "test"))
    }

    private func timer(_ replica: Replica, holder: String = "a") -> KeyTimer {
        KeyTimer(
            keys: replica.keys, leases: replica.storage.leases, feed: fixture.feed, holder: holder,
            now: { [clock = fixture.clock] in clock.now },
            logger: Logger(label: "test"))
    }

    private func states(_ replica: Replica) async throws -> [KeyState] {
        try await rotation(replica).list().keys.map(\.state)
    }

    private func signing(_ replica: Replica) -> String { replica.keys.current.signingKey(for: .ES256)?.keyID ?? "" }

    @Test func `the schedule publishes, signs, retires and forgets, and every token stays good`() async throws {
        let replica = try await fixture.replica()
        let (timer, first) = (timer(replica), signing(replica))
        let lead = replica.keys.rule.leadSeconds
        fixture.clock.advance(90 * 86_400 - lead)
        try await timer.tick()
        #expect(try await states(replica) == [.signing, .published])
        #expect(signing(replica) == first)
        let old = try await replica.signIn(fixture).accessToken
        fixture.clock.advance(lead)
        try await timer.tick()
        #expect(try await states(replica) == [.retiring, .signing])
        #expect(signing(replica) != first)
        _ = try replica.claims(of: old, policy: fixture.policy, now: fixture.clock.now)
        fixture.clock.advance(replica.keys.rule.tokenSeconds)
        try await timer.tick()
        #expect(try await states(replica) == [.signing])
        #expect(fixture.feed.announcements == 3, "one for each change; the start's is the first of them")
    }

    @Test func `whoever is killed between publishing and using a key is followed by one who goes on`() async throws {
        let replica = try await fixture.replica()
        let lead = replica.keys.rule.leadSeconds
        fixture.clock.advance(90 * 86_400 - lead)
        try await timer(replica).tick()
        fixture.clock.advance(lead)
        // Another process, and the lease of the dead one is no hindrance for longer than it lasts.
        let next = try await fixture.replica()
        #expect(try await states(next) == [.retiring, .signing])
        try await replica.keys.reloadIfChanged()
        #expect(signing(next) == signing(replica))
    }

    @Test func `two replicas that find the same thing due do it once`() async throws {
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        fixture.clock.advance(90 * 86_400)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, replica) in replicas.enumerated() {
                group.addTask { [self] in
                    let timer = timer(replica, holder: "\(index)")
                    for _ in 0..<20 { try await timer.tick() }
                }
            }
            try await group.waitForAll()
        }
        for replica in replicas {
            try await replica.keys.reloadIfChanged()
            #expect(try await states(replica) == [.signing, .published])
        }
        #expect(signing(replicas[0]) == signing(replicas[1]))
    }

    @Test func `rotate publishes now, signs later, and is harmless when it is repeated`() async throws {
        let replica = try await fixture.replica()
        let (rotation, first) = (rotation(replica), signing(replica))
        let request = RotateKeyRequest(kid: "next", algorithm: "ES256", now: false)
        for _ in 0..<2 { try await rotation.rotate(request) }
        #expect(try await states(replica) == [.signing, .published])
        #expect(replica.keys.current.published.keys.contains { $0.kid == "next" })
        #expect(signing(replica) == first)
        await #expect(throws: KeyRefusal.isUnderWay("next")) {
            try await rotation.rotate(RotateKeyRequest(kid: "another", algorithm: "ES256", now: false))
        }
        fixture.clock.advance(replica.keys.rule.leadSeconds)
        try await timer(replica).tick()
        #expect(signing(replica) == "next")
    }

    @Test func `rotate --now lets the key sign that waits, or a new one`() async throws {
        let replica = try await fixture.replica()
        let rotation = rotation(replica)
        try await rotation.rotate(RotateKeyRequest(kid: "waits", algorithm: "ES256", now: false))
        try await rotation.rotate(RotateKeyRequest(kid: "unused", algorithm: "ES256", now: true))
        #expect(signing(replica) == "waits")
        for _ in 0..<2 { try await rotation.rotate(RotateKeyRequest(kid: "new", algorithm: "ES256", now: true)) }
        #expect(signing(replica) == "new")
        #expect(try await states(replica).filter { $0 == .signing }.count == 1)
        #expect(try await states(replica).filter { $0 == .retiring }.count == 2)
    }

    @Test func `no key signs at once of which gateways cannot be told`() async throws {
        let replica = try await fixture.replica()
        let first = signing(replica)
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) {
            try await rotation(replica).rotate(RotateKeyRequest(kid: "new", algorithm: "ES256", now: true))
        }
        #expect(signing(replica) == first)
        #expect(try await states(replica) == [.signing, .published])
    }

    @Test func `a retired key is gone and its revocation known before the answer, and another key signs`() async throws
    {
        let replica = try await fixture.replica()
        let first = signing(replica)
        try await rotation(replica).retire(RetireKeyRequest(kid: first))
        #expect(try await replica.keys.store.state(of: first) == .gone)
        #expect(replica.keys.current.verification[first] == nil)
        #expect(!signing(replica).isEmpty && signing(replica) != first)
        #expect(fixture.feed.publishedKeys.map(\.keyID) == [first])
        #expect(try await replica.keys.store.unpublishedRevocations() == [])
        // Again changes nothing; a lost list holds it once more.
        try await rotation(replica).retire(RetireKeyRequest(kid: first))
        fixture.feed.lose()
        try await replica.parts.publisher.catchUp()
        #expect(fixture.feed.restoredKeys.map(\.keyID) == [first])
    }

    @Test func `without Redis a key is retired all the same, and published as soon as it is back`() async throws {
        let replica = try await fixture.replica()
        let first = signing(replica)
        fixture.feed.setAway(true)
        await #expect(throws: RecordingFeed.Away.self) {
            try await rotation(replica).retire(RetireKeyRequest(kid: first))
        }
        #expect(try await replica.keys.store.state(of: first) == .gone)
        #expect(!signing(replica).isEmpty && signing(replica) != first)
        #expect(try await replica.keys.store.unpublishedRevocations().map(\.keyID) == [first])
        fixture.feed.setAway(false)
        try await replica.parts.publisher.catchUp()
        #expect(fixture.feed.publishedKeys.map(\.keyID) == [first])
    }

    @Test func `an imported key is published and signs after the lead time; bad ones are refused`() async throws {
        let replica = try await fixture.replica()
        let rotation = rotation(replica)
        let good = ImportKeyRequest(kid: "old-system", algorithm: "ES256", pem: Self.p256)
        for _ in 0..<2 { try await rotation.importKey(good) }
        #expect(try await states(replica).filter { $0 == .published }.count == 1)
        for bad in [
            ImportKeyRequest(kid: "x", algorithm: "ES256", pem: "nonsense"),
            ImportKeyRequest(kid: "bad kid", algorithm: "ES256", pem: Self.p256),
            ImportKeyRequest(kid: "x", algorithm: "RS256", pem: Self.p256),
            ImportKeyRequest(kid: "x", algorithm: "none", pem: Self.p256),
        ] {
            await #expect(throws: InvalidInput.self) { try await rotation.importKey(bad) }
        }
        let first = signing(replica)
        await #expect(throws: KeyRefusal.nameIsTaken(first)) {
            try await rotation.importKey(ImportKeyRequest(kid: first, algorithm: "ES256", pem: Self.p256))
        }
        fixture.clock.advance(replica.keys.rule.leadSeconds)
        try await timer(replica).tick()
        #expect(signing(replica) == "old-system")
        try await rotation.retire(RetireKeyRequest(kid: "old-system"))
        await #expect(throws: KeyRefusal.nameIsTaken("old-system")) { try await rotation.importKey(good) }
    }

    @Test func `an unknown key cannot be retired`() async throws {
        let replica = try await fixture.replica()
        await #expect(throws: KeyRefusal.unknown("nobody")) {
            try await rotation(replica).retire(RetireKeyRequest(kid: "nobody"))
        }
    }

    @Test func `every act leaves its record`() async throws {
        let replica = try await fixture.replica()
        let (rotation, first) = (rotation(replica), signing(replica))
        try await rotation.rotate(RotateKeyRequest(kid: "next", algorithm: "ES256", now: true))
        try await rotation.retire(RetireKeyRequest(kid: "next"))
        let events = try await replica.database.withReader { database in
            try String.fetchAll(
                database,
                sql: "SELECT event || ' ' || detail FROM audit WHERE detail IN (?, 'next') ORDER BY number",
                arguments: [first])
        }
        #expect(
            events == [
                "key.made \(first)", "key.published next", "key.retiring \(first)", "key.signing next",
                "key.retiring next", "key.gone next", "key.revoked next",
            ])
    }

    /// Made by `openssl genpkey` for this test alone.
    private static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgw2ZDQ0DizNLsa7F6
        /56fXNS1a9ItIozEkwFa4Z/Z0FShRANCAAS8dcW3EtoA9fZiDC6VnVYEElc3A8YO
        s9fMvtoD0Ur0yYruD6PjoYKnRNOWHkM0l5l8ugFPp24LUipa2LGH9/D8
        -----END PRIVATE KEY-----
        """
}
