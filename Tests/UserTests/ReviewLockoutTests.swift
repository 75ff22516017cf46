import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// The review of an account after a lockout of a day, on both engines.
@Suite(.timeLimit(.minutes(5))) struct ReviewLockoutTests {
    private static let number = OwnIdentityFixture.number
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")

    /// The record of a lockout of a phone number.
    private static func lockout(
        _ id: String, of identity: VerifiedIdentity = number, at time: Int64, _ fixture: OwnIdentityFixture
    ) throws -> AuditStreamEntry {
        AuditStreamEntry(
            id: id,
            fields: [
                "at": Array("\(time)".utf8), "event": Array("otp.locked".utf8), "subject": Pseudonym.zero.bytes,
                "detail": Array("stranger 86400".utf8),
                "identity": try LockoutSeal(ring: fixture.keys.attestations).seal(identity),
            ])
    }

    private static func review(_ fixture: OwnIdentityFixture) -> ReviewLockout {
        ReviewLockout(
            store: fixture.users, keys: fixture.keys, now: { [time = fixture.time] in time }, logger: .silent)
    }

    private static func mover(_ fixture: OwnIdentityFixture, _ stream: any AuditStream) -> AuditMover {
        AuditMover(
            review: review(fixture), stream: stream, store: fixture.storage.storage.audit, holder: "a",
            now: { [time = fixture.time] in time }, logger: .silent)
    }

    private static func open(_ fixture: OwnIdentityFixture) async throws -> [Int64] {
        try await fixture.reviews.list(AccountReviewsRequest()).reviews.map(\.since)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lockout opens a review once, of what is changed after it`(_ engine: DatabaseKind) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let locked = fixture.time
        let stream = HeldStream([try Self.lockout("1-0", at: locked, fixture)])
        stream.keepsWhatIsRemoved = true
        fixture.time += 10
        #expect(await Self.mover(fixture, stream).round() == 1)
        #expect(try await Self.open(fixture) == [locked])
        #expect(try await fixture.records(.accountReviewOpened).map(\.detail) == ["lockout"])
        // It ends by itself, so a restore does not open it again.
        #expect(try await !fixture.decisions(about: user).contains(.reviewOpened))

        #expect(try await fixture.add(Self.apple, to: user).result == .done)
        #expect(try await fixture.storage.signIn(Self.apple) == .refused(.underReview))
        #expect(try await fixture.storage.signIn(Self.number).user.id == user.id)

        let clear = ClearReviewRequest(userID: user.id.text(prefix: UserFixture.prefix))
        #expect(try await fixture.reviews.clear(clear, requestID: nil).answered.wasOpen)
        // The process ended before it had removed the record.
        #expect(await Self.mover(fixture, stream).round() == 1)
        #expect(try await Self.open(fixture).isEmpty)
        // Somebody locks the number every day.
        fixture.time = locked + ReviewLockout.memorySeconds
        stream.add(try Self.lockout("2-0", at: fixture.time, fixture))
        #expect(await Self.mover(fixture, stream).round() == 2)
        #expect(try await Self.open(fixture).isEmpty)
        fixture.time += 10
        let later = HeldStream([try Self.lockout("3-0", at: fixture.time + 9, fixture)])
        #expect(await Self.mover(fixture, later).round() == 1)
        // A clock that is ahead begins no review in the future.
        #expect(try await Self.open(fixture) == [fixture.time])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lockout's review ends by itself, unless the user reports something`(_ engine: DatabaseKind) async throws {
        for isReported in [false, true] {
            var fixture = try await OwnIdentityFixture(engine)
            let user = try await fixture.storage.user()
            let locked = fixture.time
            try await Self.review(fixture)(try Self.lockout("1-0", at: locked, fixture))
            if isReported { try await fixture.users.put([.openReview(of: user.id, since: locked)], now: locked) }
            let database = try #require(fixture.storage.storage.engine as? any StorageDatabase)
            func sweep(at time: Int64) async throws -> Int {
                try await Sweeper(database: database, sweeps: [], holder: "a", now: { time }, logger: .silent)
                    .pass(ExpiredRows.reviews)
            }
            fixture.time += ReviewLockout.reviewSeconds
            #expect(try await sweep(at: fixture.time - 1) == 0)
            #expect(try await sweep(at: fixture.time) == (isReported ? 0 : 1))
            #expect(try await Self.open(fixture) == (isReported ? [locked] : []))
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lockout of nobody, or one that another key encrypted, opens none`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        _ = try await fixture.storage.user()
        let other = try await OwnIdentityFixture(engine)
        let entries = [
            try Self.lockout("1-0", of: .phone("+15557654321"), at: fixture.time, fixture),
            try Self.lockout("2-0", at: fixture.time, other),
            AuditStreamEntry(id: "3-0", fields: ["event": Array("otp.locked".utf8), "identity": []]),
            AuditStreamEntry(id: "4-0", fields: ["event": Array("otp.locked".utf8)]),
        ]
        #expect(await Self.mover(fixture, HeldStream(entries)).round() == entries.count)
        #expect(try await Self.open(fixture).isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lockout of long ago, without a time, or of an earlier holder opens none`(
        _ engine: DatabaseKind
    ) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        fixture.time = 1_800_000_000
        let user = try await fixture.storage.user()
        let other = VerifiedIdentity.email("ann@example.com")
        try await fixture.users.put([.assignIdentity(other, to: user.id)], now: fixture.time)
        let oldest = fixture.time - ReviewLockout.memorySeconds
        let entries = [
            try Self.lockout("1-0", at: oldest - 1, fixture), try Self.lockout("2-0", at: 0, fixture),
            try Self.lockout("3-0", of: other, at: fixture.time, fixture),
        ]
        for entry in entries { try await Self.review(fixture)(entry) }
        #expect(try await Self.open(fixture).isEmpty)
        try await Self.review(fixture)(try Self.lockout("4-0", at: oldest, fixture))
        #expect(try await Self.open(fixture) == [oldest])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an open review goes on as it is`(_ engine: DatabaseKind) async throws {
        var fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        try await fixture.users.put([.openReview(of: user.id, since: 500)], now: fixture.time)
        fixture.time += 60
        try await Self.review(fixture)(try Self.lockout("1-0", at: fixture.time, fixture))
        #expect(try await Self.open(fixture) == [500])
        #expect(try await fixture.records(.accountReviewOpened).isEmpty)
    }
}
