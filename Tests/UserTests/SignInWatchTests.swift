import InternalAPI
import Logging
import Storage
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

// Cited by Tests/Compat/statements.md for H33, H39, H40 and H41.

/// Sign-ins from unknown devices in unknown networks, with their rows in both databases.
@Suite(.timeLimit(.minutes(10))) struct SignInWatchTests {
    private static let number = OwnIdentityFixture.number
    private static let email = VerifiedIdentity.email("ann@example.com")
    static let day: Int64 = 86_400
    static let start: Int64 = 1_800_000_000

    /// One user's sign-ins over an engine.
    struct Watched {
        var fixture: OwnIdentityFixture
        var notifies = true

        init(_ engine: DatabaseKind) async throws {
            fixture = try await OwnIdentityFixture(engine)
            fixture.time = SignInWatchTests.start
        }

        var watch: SignInWatch {
            SignInWatch(
                rule: NewDeviceRule(notifies: notifies), tags: OriginTags(ring: fixture.keys.storage),
                notices: AccountNotices(seal: OutboxSeal(ring: fixture.keys.storage)))
        }

        func signIn(device: String?, network: Int, code: String? = nil) async throws -> ResolveAnswer {
            let now = fixture.time
            let origin = SignInOrigin(
                fingerprint: device, address: "198.\(18 + network / 256).\(network % 256).7")
            return try await fixture.resolver(at: now, watch: watch)(
                ResolveRequest(
                    attestation: try code ?? fixture.code(SignInWatchTests.number, at: now), name: nil, origin: origin),
                requestID: "r-1", logger: .silent
            ).answered
        }

        var rows: [KnownOrigin] {
            get async throws {
                try await fixture.users.facts(
                    UserQuestion(.identity(SignInWatchTests.number), askedAt: fixture.time, readsOrigins: true)
                ).knownOrigins
            }
        }

        func count(_ kind: KnownOrigin.Kind) async throws -> Int { try await rows.count { $0.kind == kind } }

        /// The user, who has an email address too.
        func user() async throws -> User {
            let user = try #require(try await fixture.storage.queries.find(.identity(SignInWatchTests.number))?.user)
            try await fixture.users.put([.assignIdentity(SignInWatchTests.email, to: user.id)], now: fixture.time)
            return try await fixture.user(user.id)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the owner is told of a sign-in elsewhere, once`(_ engine: DatabaseKind) async throws {
        var watched = try await Watched(engine)
        #expect(try await watched.signIn(device: "a", network: 1).isNewDevice == nil)
        let user = try await watched.user()
        #expect(try await watched.signIn(device: "b", network: 1).isNewDevice == nil)
        #expect(try await watched.signIn(device: "a", network: 2).isNewDevice == nil)
        #expect(try await watched.fixture.notices(to: user).isEmpty)
        let code = try watched.fixture.code(Self.number, at: watched.fixture.time)
        #expect(try await watched.signIn(device: "thief", network: 9, code: code).isNewDevice == true)
        // A repeat changes nothing.
        _ = try await watched.signIn(device: "thief", network: 9, code: code)
        #expect(try await watched.signIn(device: "thief", network: 9).isNewDevice == nil)
        let notices = try await watched.fixture.notices(to: user)
        #expect(notices.map(\.kind) == [.newDevice] && notices.first?.to == Self.email.value)
        #expect(try await watched.fixture.records(.newDevice).count == 1)
        // By its link the user reports it, which opens a review.
        let token = try #require(notices.first?.token)
        watched.fixture.time += 60
        let reporter = watched.fixture.reporter
        let secret = try #require(try await reporter.form(NotMeFormRequest(token: token)).secret)
        let report = NotMeReport(token: token, formSecret: secret)
        #expect(try await reporter(report, requestID: "r-2").result == .done)
        let open = try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews
        #expect(open.map(\.since) == [Self.start])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the third in a week opens a review, and after it was cleared the next one does not`(
        _ engine: DatabaseKind
    ) async throws {
        var watched = try await Watched(engine)
        watched.notifies = false
        _ = try await watched.signIn(device: "a", network: 1)
        let user = try await watched.user()
        for number in 2...4 {
            #expect(try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews.isEmpty)
            watched.fixture.time += Self.day
            _ = try await watched.signIn(device: "d\(number)", network: number)
        }
        let open = try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews
        #expect(open.map(\.since) == [Self.start + Self.day])
        #expect(try await watched.fixture.decisions(about: user).contains(.reviewOpened))
        #expect(try await watched.fixture.notices(to: user).isEmpty)
        let clear = ClearReviewRequest(userID: user.id.text(prefix: UserFixture.prefix))
        #expect(try await watched.fixture.reviews.clear(clear, requestID: nil).answered.wasOpen)
        #expect(try await watched.count(.anomaly) == 0)
        _ = try await watched.signIn(device: "d5", network: 5)
        #expect(try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews.isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a review after a lockout neither hides the third in a week, nor ends what was counted before it`(
        _ engine: DatabaseKind
    ) async throws {
        for isCleared in [false, true] {
            var watched = try await Watched(engine)
            _ = try await watched.signIn(device: "a", network: 1)
            let user = try await watched.user()
            for number in 2...3 {
                watched.fixture.time += Self.day
                _ = try await watched.signIn(device: "d\(number)", network: number)
            }
            watched.fixture.time += Self.day
            try await watched.fixture.users.put(
                [.openReview(of: user.id, since: watched.fixture.time)], now: watched.fixture.time)
            if isCleared {
                try await watched.fixture.users.put([.closeReview(of: user.id)], now: watched.fixture.time)
            }
            watched.fixture.time += Self.day
            _ = try await watched.signIn(device: "d4", network: 4)
            let open = try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews
            #expect(open.map(\.since) == [Self.start + Self.day])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a session that another kind of device refreshes counts once a day, without a notice`(
        _ engine: DatabaseKind
    ) async throws {
        var watched = try await Watched(engine)
        _ = try await watched.signIn(device: "a", network: 1)
        let user = try await watched.user()
        func note(_ session: String) async throws {
            let note = NoteOtherDevice(
                store: watched.fixture.users, watch: watched.watch, now: { [time = watched.fixture.time] in time })
            _ = try await note(SignedInUser(id: user.id, sessionID: session), requestID: nil).answered
        }
        for _ in 0..<3 { try await note("s-1") }
        try await note("s-2")
        #expect(try await watched.fixture.records(.otherDevice).map(\.origin.sessionID) == ["s-2", "s-1"])
        #expect(try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews.isEmpty)
        watched.fixture.time += Self.day
        for _ in 0..<2 { try await note("s-1") }
        #expect(try await watched.fixture.reviews.list(AccountReviewsRequest()).reviews.map(\.since) == [Self.start])
        #expect(try await watched.count(.anomaly) == 3)
        #expect(try await watched.fixture.notices(to: user).isEmpty)
        // Without the policy nothing is recorded.
        let off = NoteOtherDevice(store: watched.fixture.users, watch: nil, now: { 0 })
        _ = try await off(SignedInUser(id: user.id, sessionID: "s-3"), requestID: nil).answered
        #expect(try await watched.count(.anomaly) == 3)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user has at most 50 devices and networks, which go with the user`(_ engine: DatabaseKind) async throws {
        var watched = try await Watched(engine)
        for number in 0..<60 {
            watched.fixture.time += 1
            _ = try await watched.signIn(device: "d\(number)", network: number)
        }
        let rows = try await watched.rows
        #expect(KnownOrigin.Kind.allCases.map { kind in rows.count { $0.kind == kind } } == [50, 50, 50, 1])
        #expect(try await watched.signIn(device: "d10", network: 0).isNewDevice == nil)
        let user = try await watched.user()
        try await watched.fixture.storage.remove(user)
        _ = try await watched.signIn(device: "new", network: 200)
        #expect(try await watched.rows.count == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what is older than 400 days is swept`(_ engine: DatabaseKind) async throws {
        var watched = try await Watched(engine)
        for number in 0..<40 {
            watched.fixture.time += 1
            _ = try await watched.signIn(device: "d\(number)", network: number)
        }
        watched.fixture.time += KnownOrigin.keptSeconds
        let now = watched.fixture.time
        let young = KnownOrigin(.device, tag: [UInt8](repeating: 7, count: 16), seenAt: now)
        let user = try await watched.user()
        try await watched.fixture.users.put([.noteOrigins([young], of: user.id)], now: now)
        let database = try #require(watched.fixture.storage.storage.engine as? any StorageDatabase)
        func sweep(at time: Int64) async throws -> Int {
            try await Sweeper(database: database, sweeps: [], holder: "a", now: { time }, logger: .silent)
                .pass(OriginRows.expiry)
        }
        // 40 devices and networks, 39 anomalies and one notice.
        #expect(try await sweep(at: now - 40) == 0)
        #expect(try await sweep(at: now) == 120)
        #expect(try await watched.rows == [young])
    }

    @Test func `tags differ from user to user, and by fingerprint, name and network`() throws {
        let tags = OriginTags(ring: try UserFixture.ring())
        func tag(
            _ user: UserID, fingerprint: String? = nil, name: String? = nil, _ address: String = "198.51.100.7"
        ) -> [KnownOrigin] {
            tags.origins(
                of: SignInOrigin(fingerprint: fingerprint, deviceName: name, address: address), user, now: 7)
        }
        let (ann, bob) = (UserID.new(), UserID.new())
        #expect(tag(ann, fingerprint: "f", name: "x") == tag(ann, fingerprint: "f", name: "y", "198.51.100.250"))
        #expect(tag(ann, fingerprint: "f")[0] != tag(ann, name: "f")[0])
        #expect(zip(tag(ann, fingerprint: "f"), tag(bob, fingerprint: "f")).allSatisfy { $0 != $1 })
        #expect(tag(ann)[0] != tag(ann, "198.51.101.7")[0] && tag(ann).map(\.kind) == [.network])
        #expect(tag(ann, "2001:db8:1:2::1") == tag(ann, "2001:db8:1:3::1") && tag(ann, "no address").isEmpty)
    }
}
