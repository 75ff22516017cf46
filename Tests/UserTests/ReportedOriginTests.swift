import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The known devices and networks of users who report a sign-in, and of users who are merged, on both engines.
@Suite(.timeLimit(.minutes(5))) struct ReportedOriginTests {
    private typealias Watched = SignInWatchTests.Watched
    private static let day = SignInWatchTests.day

    /// Reports the newest notice to a user as not theirs.
    private static func report(_ watched: Watched, _ user: User) async throws {
        let token = try #require(try await watched.fixture.notices(to: user).last?.token)
        let reporter = watched.fixture.reporter
        let secret = try #require(try await reporter.form(NotMeFormRequest(token: token)).secret)
        #expect(
            try await reporter(NotMeReport(token: token, formSecret: secret), requestID: "r").result == .done)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a reported device and its network are unknown again, the user's own stay known`(
        _ engine: DatabaseKind
    ) async throws {
        var watched = try await Watched(engine)
        _ = try await watched.signIn(device: "own", network: 1)
        let user = try await watched.user()
        watched.fixture.time += 8 * Self.day
        #expect(try await watched.signIn(device: "thief", network: 9).isNewDevice == true)
        // A later sign-in from the same device changes nothing: it counts from when it was first seen.
        watched.fixture.time += 2 * Self.day
        #expect(try await watched.signIn(device: "thief", network: 9).isNewDevice == nil)
        _ = try await watched.signIn(device: "own", network: 1)
        try await Self.report(watched, user)
        #expect(try await [watched.count(.device), watched.count(.network)] == [1, 1])
        #expect(try await watched.signIn(device: "own", network: 2).isNewDevice == nil)
        #expect(try await watched.signIn(device: "other", network: 1).isNewDevice == nil)
        #expect(try await watched.signIn(device: "thief", network: 9).isNewDevice == true)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a reported change forgets the devices of the days before it`(_ engine: DatabaseKind) async throws {
        var watched = try await Watched(engine)
        _ = try await watched.signIn(device: "own", network: 1)
        let user = try await watched.user()
        // The thief is in a network that the user knows, so this is no anomaly.
        watched.fixture.time += 8 * Self.day
        #expect(try await watched.signIn(device: "thief", network: 1).isNewDevice == nil)
        watched.fixture.time += 2 * Self.day
        let notices = AccountNotices(seal: OutboxSeal(ring: watched.fixture.keys.storage))
        let notice = try notices.ofChange(.identityChanged, to: user, watched.fixture.time)
        try await watched.fixture.users.put(notice, now: watched.fixture.time)
        try await Self.report(watched, user)
        #expect(try await watched.signIn(device: "own", network: 3).isNewDevice == nil)
        #expect(try await watched.signIn(device: "thief", network: 9).isNewDevice == true)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `if everything was reported, the next sign-in is no first one`(_ engine: DatabaseKind) async throws {
        for notifies in [false, true] {
            var watched = try await Watched(engine)
            watched.notifies = notifies
            _ = try await watched.signIn(device: "first", network: 1)
            let user = try await watched.user()
            try await watched.fixture.users.put(
                [.forgetReportedOrigins(of: user.id, since: 0)], now: watched.fixture.time)
            #expect(try await [watched.count(.device), watched.count(.network)] == [0, 0])
            #expect(try await watched.signIn(device: "second", network: 2).isNewDevice == true)
            #expect(try await watched.fixture.notices(to: user).count == (notifies ? 1 : 0))
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a report of a user without devices records nothing`(_ engine: DatabaseKind) async throws {
        let watched = try await Watched(engine)
        let user = try await watched.fixture.storage.user()
        try await watched.fixture.users.put(
            [.forgetReportedOrigins(of: user.id, since: 0)], now: watched.fixture.time)
        #expect(try await watched.rows.isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a merged person's phone is known to the account that remains`(_ engine: DatabaseKind) async throws {
        var watched = try await Watched(engine)
        _ = try await watched.signIn(device: "a", network: 1)
        let user = try await watched.user()
        let tags = OriginTags(ring: watched.fixture.keys.storage)
        func origins(_ number: Int, of other: User) -> [KnownOrigin] {
            let origin = SignInOrigin(fingerprint: "b\(number)", address: "203.\(number / 250).\(number % 250).7")
            return tags.origins(of: origin, other.id, now: watched.fixture.time + Int64(number))
        }
        // Two merges, one after the other, of accounts with many devices.
        for (round, number) in ["+15551234568", "+15551234569"].enumerated() {
            let other = try await watched.fixture.storage.user(number)
            let known = (0..<40).flatMap { origins(100 * round + $0, of: other) }
            let more = [KnownOrigin(.anomaly, tag: known[0].tag, seenAt: 5), KnownOrigin.notice(at: 5)]
            try await watched.fixture.users.put([.noteOrigins(known + more, of: other.id)], now: watched.fixture.time)
            try await watched.fixture.users.put([.merge(other, into: user.id)], now: watched.fixture.time)
        }
        let kinds: [KnownOrigin.Kind] = [.device, .network, .anomaly, .notice]
        let rows = try await watched.rows
        #expect(kinds.map { kind in rows.count { $0.kind == kind } } == [50, 50, 2, 0])
        watched.fixture.time += 200
        // The user's own are kept, and the newest of the others: of the first account, those from the 32nd on.
        #expect(try await watched.signIn(device: "a", network: 303).isNewDevice == nil)
        #expect(try await watched.signIn(device: "b139", network: 300).isNewDevice == nil)
        #expect(try await watched.signIn(device: "b39", network: 301).isNewDevice == nil)
        #expect(try await watched.signIn(device: "new", network: 302).isNewDevice == true)
        #expect(try await watched.signIn(device: "b5", network: 304).isNewDevice == true)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a report of a merge forgets the other account's phone, however old it is`(
        _ engine: DatabaseKind
    ) async throws {
        var watched = try await Watched(engine)
        _ = try await watched.signIn(device: "own", network: 1)
        let user = try await watched.user()
        let thief = try await watched.fixture.storage.user("+15551234568")
        let origins = OriginTags(ring: watched.fixture.keys.storage).origins(
            of: SignInOrigin(fingerprint: "thief", address: "203.0.113.7"), thief.id, now: watched.fixture.time)
        try await watched.fixture.users.put([.noteOrigins(origins, of: thief.id)], now: watched.fixture.time)
        watched.fixture.time += 30 * Self.day
        let notice = try AccountNotices(seal: OutboxSeal(ring: watched.fixture.keys.storage))
            .ofChange(.identityChanged, to: user, watched.fixture.time)
        try await watched.fixture.users.put([.merge(thief, into: user.id)] + notice, now: watched.fixture.time)
        #expect(try await watched.signIn(device: "thief", network: 8).isNewDevice == nil)
        watched.fixture.time += 60
        try await Self.report(watched, user)
        #expect(try await watched.signIn(device: "thief", network: 9).isNewDevice == true)
        #expect(try await watched.signIn(device: "own", network: 2).isNewDevice == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of thousands of devices at one user at most 50 are kept`(_ engine: DatabaseKind) async throws {
        var watched = try await Watched(engine)
        _ = try await watched.signIn(device: "a", network: 1)
        let user = try await watched.user()
        // Rows that got in by another way, such as an import into the table, go with the next sign-in too.
        let tags = OriginTags(ring: watched.fixture.keys.storage)
        let crowd = (0..<(LongRun.isOn ? 10_000 : 2_000)).flatMap { number in
            tags.origins(
                of: SignInOrigin(fingerprint: "c\(number)", address: ""), user.id,
                now: watched.fixture.time - Int64(number))
        }
        try await watched.fixture.users.put([.noteOrigins(crowd, of: user.id)], now: watched.fixture.time)
        watched.fixture.time += 1
        _ = try await watched.signIn(device: "last", network: 1)
        #expect(try await watched.count(.device) == KnownOrigin.countMax)
    }
}
