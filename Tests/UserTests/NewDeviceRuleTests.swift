import Testing

@testable import UserCore

@Suite struct NewDeviceRuleTests {
    /// The rows of one user, changed as the rule decides.
    private struct Book {
        var rule = NewDeviceRule(notifies: true)
        var rows: [KnownOrigin] = []
        var reviewedSince: Int64?
        var now: Int64 = 1_000_000_000

        /// Signs in; 0 stands for no device or no network.
        mutating func signIn(device: Int = 0, network: Int = 0) -> NewDeviceRule.Decision {
            let here = [(KnownOrigin.Kind.device, device), (.network, network)].filter { $0.1 > 0 }
                .map { KnownOrigin($0, tag: NewDeviceRuleTests.tag($1), seenAt: now) }
            let decision = rule.signIn(here, rows, reviewedSince: reviewedSince, now: now)
            for row in decision.forgotten + decision.noted { rows.removeAll { $0.isSame(as: row) } }
            rows += decision.noted
            return decision
        }

        func count(_ kind: KnownOrigin.Kind) -> Int { rows.count { $0.kind == kind } }
    }

    private static let day: Int64 = 86_400

    private static func tag(_ number: Int) -> [UInt8] {
        (0..<KnownOrigin.tagByteCount).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> ($0 * 8) : 0) }
    }

    @Test func `the first sign-in is no anomaly, and is recorded`() {
        var book = Book()
        let first = book.signIn(device: 1, network: 1)
        #expect(!first.isAnomaly && first.noted.map(\.kind) == [.device, .network])
        #expect(book.signIn(device: 1, network: 1) == NewDeviceRule.Decision())
    }

    @Test func `two devices and a month of roaming are no anomaly`() {
        var book = Book()
        _ = book.signIn(device: 1, network: 1)
        #expect(!book.signIn(device: 2, network: 1).isAnomaly)
        for day in 1...30 {
            book.now += Self.day
            #expect(!book.signIn(device: 1 + day % 2, network: 100 + day).isAnomaly)
        }
    }

    @Test func `an unknown device in an unknown network is one, with a notice a day`() {
        var book = Book()
        _ = book.signIn(device: 1, network: 1)
        let first = book.signIn(device: 2, network: 2)
        #expect(first.isAnomaly && first.isNotified && first.reviewSince == nil)
        #expect(!book.signIn(device: 2, network: 2).isAnomaly)
        book.now += Self.day - 1
        let second = book.signIn(device: 3, network: 3)
        #expect(second.isAnomaly && !second.isNotified)
        book.now += 1
        #expect(book.signIn(device: 4, network: 4).isNotified)
        book.rule = NewDeviceRule(notifies: false)
        book.now += 2 * Self.day
        let recorded = book.signIn(device: 5, network: 5)
        #expect(recorded.isAnomaly && !recorded.isNotified && book.count(.notice) == 1)
    }

    @Test func `without a device only the network counts, and without both nothing is recorded`() {
        var book = Book()
        #expect(book.signIn() == NewDeviceRule.Decision())
        _ = book.signIn(device: 1, network: 1)
        #expect(!book.signIn(network: 1).isAnomaly && book.signIn(network: 2).isAnomaly)
        #expect(book.signIn(device: 2).isAnomaly && !book.signIn(device: 1).isAnomaly)
    }

    @Test func `the third anomaly in seven days opens a review since the first`() {
        var book = Book()
        _ = book.signIn(device: 1, network: 1)
        var since: [Int64?] = []
        for number in 2...4 {
            since.append(book.signIn(device: number, network: number).reviewSince)
            book.now += 3 * Self.day
        }
        #expect(since == [nil, nil, 1_000_000_000])
        book.reviewedSince = 1_000_000_000
        #expect(book.signIn(device: 5, network: 5).reviewSince == nil)
    }

    @Test func `an open review that begins after the first anomaly goes back to it`() {
        var book = Book()
        let start = book.now
        _ = book.signIn(device: 1, network: 1)
        _ = book.signIn(device: 2, network: 2)
        book.now += Self.day
        _ = book.signIn(device: 3, network: 3)
        // Somebody locked the number.
        book.reviewedSince = book.now + Self.day
        book.now += 2 * Self.day
        #expect(book.signIn(device: 4, network: 4).reviewSince == start)
    }

    @Test func `three anomalies in eight days open none`() {
        var book = Book()
        _ = book.signIn(device: 1, network: 1)
        for number in 2...9 {
            #expect(book.signIn(device: number, network: number).reviewSince == nil)
            book.now += 4 * Self.day
        }
    }

    @Test func `what was seen longer than a day ago is written again`() {
        var book = Book()
        _ = book.signIn(device: 1, network: 1)
        book.now += Self.day - 1
        #expect(book.signIn(device: 1, network: 1).noted.isEmpty)
        book.now += 1
        #expect(book.signIn(device: 1, network: 1).noted.count == 2)
    }

    @Test func `what was seen more than 400 days ago is unknown, and the next sign-in the first`() {
        var book = Book()
        _ = book.signIn(device: 1, network: 1)
        book.now += KnownOrigin.keptSeconds - 1
        #expect(book.signIn(device: 2, network: 2).isAnomaly)
        book.rows.removeAll { $0.seenAt == book.now }
        book.now += 1
        #expect(!book.signIn(device: 3, network: 3).isAnomaly)
    }

    @Test func `10,000 devices leave 50 of each kind, those that were seen last`() {
        var book = Book()
        for number in 1...10_000 {
            book.now += 1
            _ = book.signIn(device: number, network: number)
        }
        #expect(KnownOrigin.Kind.allCases.map(book.count) == [50, 50, 50, 1])
        #expect(!book.signIn(device: 9_951).isAnomaly && book.signIn(device: 9_950).isAnomaly)
    }
}
