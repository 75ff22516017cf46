import Logging
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// Counts of events by the hour, in both engines.
@Suite(.timeLimit(.minutes(5))) struct HourlyCountsTests {
    private static let now: Int64 = 1_800_000_000 + 1_234

    @Test(arguments: DatabaseKind.allCases)
    func `counts add up by the hour, and are summed by hours and days`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let counts = HourlyCounts(database: test.database)
        try await counts.add(["sign_ins/sms": 2, "reuse": 1], at: Self.now)
        try await counts.add(["sign_ins/sms": 3], at: Self.now + 1)
        try await counts.add(["sign_ins/sms": 7], at: Self.now - HourlyCounts.hourSeconds)
        try await counts.add(["sign_ins/sms": 100], at: Self.now - 29 * HourlyCounts.daySeconds)
        try await counts.add(["sign_ins/sms": 999], at: Self.now - 31 * HourlyCounts.daySeconds)
        let day = try await counts.sums(steps: 24, of: HourlyCounts.hourSeconds, now: Self.now)
        #expect(day.from == Self.now - Self.now % 3_600 - 23 * 3_600)
        #expect(day.counts["sign_ins/sms"]?.suffix(2) == [7, 5] && day.counts["sign_ins/sms"]?.count == 24)
        #expect(day.counts["reuse"]?.reduce(0, +) == 1)
        let month = try await counts.sums(steps: 30, of: HourlyCounts.daySeconds, now: Self.now)
        #expect(month.from % 86_400 == 0)
        #expect(month.counts["sign_ins/sms"]?.first == 100 && month.counts["sign_ins/sms"]?.reduce(0, +) == 112)
        withExtendedLifetime(test) {}
    }

    @Test(arguments: DatabaseKind.allCases)
    func `two writers of one hour lose nothing`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let replicas = [HourlyCounts(database: test.database), HourlyCounts(database: try test.open())]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask { try await replicas[index % 2].add(["b": 1, "a": 2, "\(index % 3)": 1], at: Self.now) }
            }
            try await group.waitForAll()
        }
        let sums = try await replicas[0].sums(steps: 1, of: HourlyCounts.hourSeconds, now: Self.now)
        #expect(sums.counts["a"] == [80] && sums.counts["b"] == [40])
        #expect(sums.counts.values.reduce(0) { $0 + ($1.first ?? 0) } == 160)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an hour has a bound of series, and what is beyond it is counted as other`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let counts = HourlyCounts(database: test.database)
        try await counts.add(["a/0": 1], at: Self.now)
        try await counts.add(Dictionary(uniqueKeysWithValues: (1...60).map { ("a/\($0)", 10) }), at: Self.now)
        try await counts.add(["a/0": 1], at: Self.now)
        for country in 1...20 { try await counts.add(["codes_sent/+\(country)/sms": 5], at: Self.now) }
        let sums = try await counts.sums(steps: 1, of: HourlyCounts.hourSeconds, now: Self.now).counts
        #expect(sums["a/0"] == [2] && sums["other"] == [210])
        #expect(sums.keys.filter { $0.hasPrefix("a/") }.count == SeriesBound.seriesMax)
        #expect(sums.keys.filter { $0.hasPrefix("codes_sent/+") }.count == SeriesBound.countriesMax)
        #expect(sums["codes_sent/other/sms"] == [40])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `hours go after thirty days`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let counts = HourlyCounts(database: test.database)
        for age in [0, 29, 31, 40] as [Int64] {
            let series = Dictionary(uniqueKeysWithValues: (0..<40).map { ("s/\($0)", Int64(1)) })
            try await counts.add(series, at: Self.now - age * HourlyCounts.daySeconds)
        }
        let sweeper = Sweeper(
            database: test.database, sweeps: [], holder: "a", now: { Self.now }, logger: Logger(label: "test"),
            pause: { _ in })
        #expect(try await sweeper.pass(HourlyCounts.sweep) == 80)
        #expect(try await test.database.integer("SELECT count(*) FROM hourly_counts") == 80)
    }

    @Test func `a counter adds what grew since the last time, and what failed later`() async throws {
        let test = try await DatabaseUnderTest(.sqlite)
        let totals = Mutex<[String: Int64]>(["a": 3, "zero": 0])
        let counter = HourlyCounter(
            rows: HourlyCounts(database: test.database), totals: { totals.withLock { $0 } }, now: { Self.now },
            logger: Logger(label: "test"))
        await counter.flush()
        await counter.flush()
        try await test.database.run("ALTER TABLE hourly_counts RENAME TO elsewhere")
        totals.withLock { $0 = ["a": 5, "b": 1] }
        await counter.flush()
        try await test.database.run("ALTER TABLE elsewhere RENAME TO hourly_counts")
        let sums = try await counter.sums(steps: 1, of: HourlyCounts.hourSeconds).counts
        #expect(sums == ["a": [5], "b": [1]])
    }
}
