/// Counts of events, as rows of `hourly_counts`: one for an hour (UTC) and a series, whose name is words with slashes between them.
package struct HourlyCounts: Sendable {
    package static let hourSeconds: Int64 = 3_600
    package static let daySeconds: Int64 = 86_400
    private static let keptSeconds = 30 * daySeconds
    /// The most hours that one query reads, so that no reader is kept for long.
    private static let hoursPerReadMax: Int64 = 5 * 24

    package static let sweep = ExpirySweep(
        table: "hourly_counts", key: "hour", expiry: "hour", outlivesSeconds: keptSeconds)

    private static let ofHour: SQL = "SELECT series FROM hourly_counts WHERE hour = $1"
    private static let adding: SQL = """
        INSERT INTO hourly_counts (hour, series, amount) VALUES ($1, $2, $3)
        ON CONFLICT (hour, series) DO UPDATE SET amount = hourly_counts.amount + excluded.amount
        """
    static let sums: SQL = """
        SELECT series, (hour - $3) / $4, CAST(sum(amount) AS bigint) FROM hourly_counts
        WHERE hour >= $1 AND hour < $2 GROUP BY 1, 2
        """

    private let database: any StorageDatabase

    package init(database: any StorageDatabase) { self.database = database }

    /// Adds counts of the hour of a Unix time in seconds.
    package func add(_ counts: [String: Int64], at time: Int64) async throws {
        try await database.write { try Self.add(counts, at: time, in: $0) }
    }

    /// Adds counts of an hour inside a transaction. Two transactions at once may make a few series more than an hour's bound.
    package static func add(_ counts: [String: Int64], at time: Int64, in transaction: any Transaction) throws {
        guard !counts.isEmpty else { return }
        let hour = time - time % hourSeconds
        let known = Set(try transaction.rows(ofHour, hour).map { $0.text(0) })
        // In one order, so that transactions wait for each other and do not deadlock.
        let bounded = SeriesBound(known: known).bounded(counts).sorted { $0.key < $1.key }
        try transaction.run(bounded.map { Statement(adding, hour, $0.key, $0.value) })
    }

    /// Returns the sums of the last hours or days, the current one included, a value for each step, oldest first.
    ///
    /// - Parameter stepSeconds: `hourSeconds` or `daySeconds`.
    package func sums(
        steps: Int, of stepSeconds: Int64, now: Int64
    ) async throws -> (from: Int64, counts: [String: [Int64]]) {
        let from = now - now % stepSeconds - Int64(steps - 1) * stepSeconds
        let end = from + Int64(steps) * stepSeconds
        var counts: [String: [Int64]] = [:]
        for start in stride(from: from, to: end, by: Int(Self.hoursPerReadMax * Self.hourSeconds)) {
            let stop = min(end, start + Self.hoursPerReadMax * Self.hourSeconds)
            let sums = try await database.read { reading in
                try reading.rows(Self.sums, start, stop, from, stepSeconds).map {
                    (series: $0.text(0), step: Int(clamping: $0.integer(1)), amount: $0.integer(2))
                }
            }
            for sum in sums where (0..<steps).contains(sum.step) {
                counts[sum.series, default: Array(repeating: 0, count: steps)][sum.step] = sum.amount
            }
        }
        return (from, counts)
    }
}

/// The bound on the series of an hour: what is beyond it is counted as `other`.
struct SeriesBound {
    static let seriesMax = 40
    static let countriesMax = 12
    static let other = "other"
    private static let byCountry: Set<Substring> = ["codes_sent", "codes_used", "spend"]

    private var series: Set<String> = []
    private var countries: Set<Substring> = []

    /// - Parameter known: The series that the hour has already.
    init(known: Set<String>) {
        for name in known { note(name) }
    }

    /// Returns the counts by the names that they get. The greatest come first, so that they keep theirs.
    func bounded(_ counts: [String: Int64]) -> [String: Int64] {
        var (bound, result): (Self, [String: Int64]) = (self, [:])
        for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            result[bound.name(name), default: 0] &+= count
        }
        return result
    }

    private mutating func name(_ name: String) -> String {
        let words = name.split(separator: "/", omittingEmptySubsequences: false)
        let isKnown: Bool
        let substitute: String
        if Self.isByCountry(words) {
            isKnown = countries.contains(words[1]) || countries.count < Self.countriesMax
            substitute = ([words[0], Self.other[...]] + words.dropFirst(2)).joined(separator: "/")
        } else {
            (isKnown, substitute) = (series.contains(name) || series.count < Self.seriesMax, Self.other)
        }
        if isKnown { note(name) }
        return isKnown ? name : substitute
    }

    private mutating func note(_ name: String) {
        let words = name.split(separator: "/", omittingEmptySubsequences: false)
        if !Self.isByCountry(words) {
            if name != Self.other { series.insert(name) }
        } else if words[1] != Self.other {
            countries.insert(words[1])
        }
    }

    private static func isByCountry(_ words: [Substring]) -> Bool { words.count > 1 && byCountry.contains(words[0]) }
}
