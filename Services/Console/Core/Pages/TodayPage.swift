/// The state of the deployment; times are Unix seconds.
struct Today: Decodable, Sendable {
    struct Part: Decodable, Sendable {
        let name, state: String
        let problems: [Problem]
    }

    struct Problem: Decodable, Sendable {
        let code: String
        let detail: String?
    }

    struct Circuit: Decodable, Sendable {
        let provider, channel, state: String
    }

    struct Key: Decodable, Sendable {
        let kid, algorithm, state: String
    }

    /// The requests that one limit of a part has refused since the part started.
    struct Limit: Decodable, Sendable {
        let part, rule: String
        let refused: Int64
    }

    let parts: [Part]
    let circuits: [Circuit]?
    let keys: [Key]?
    let limits: [Limit]
    let revocationLagMilliseconds, lastBackupAt, lastCopyAt: Int64?
    let spend: Spend?
}

/// Counts over time, oldest first.
struct Series: Decodable, Sendable {
    struct Counts: Decodable, Sendable {
        let name: String
        let country, channel: String?
        let counts: [Int64]
    }

    let from, stepSeconds: Int64
    let series: [Counts]
    let missing: [String]

    /// Returns the sum of all series of a name, step by step.
    func sum(of name: String) -> [Int64] {
        let all = series.filter { $0.name == name }.map(\.counts)
        return all.dropFirst().reduce(all.first ?? []) { sum, counts in
            zip(sum, counts).map { Self.sum([$0, $1]) }
        }
    }

    static func sum(_ counts: [Int64]) -> Int64 {
        counts.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }
}

/// The policy that runs, and how it differs from the one that ships.
struct PolicyReport: Decodable, Sendable {
    struct Difference: Decodable, Sendable {
        let key: String
        let running, shipped: String?
    }

    let name, hash: String
    let differences: [Difference]
}

/// The page that says whether anything is wrong.
struct TodayPage: Sendable {
    /// The series that have a chart.
    private static let charts: [(name: String, text: ConsoleText)] = [
        ("sign_ins", .signIns), ("sign_ins_refused", .signInsRefused), ("new_users", .newUsers),
        ("codes_sent", .codesSent), ("codes_used", .usedCodes), ("limited", .limited), ("spend", .spent),
    ]
    /// The most differences that the page shows, and the most characters of each value, so that it stays small.
    private static let (differencesMax, valueMax) = (30, 60)

    let today: Today?
    /// The last 24 hours, and the last 30 days.
    let series: [Series?]
    let policy: PolicyReport?
    let frame: PageFrame

    var body: HTML {
        """
        \(today.map(state) ?? frame.missing(.state))
        <section><h2>\(frame.words(.hours))</h2>\(series.first?.flatMap { $0 }.map(charts) ?? frame.missing(.hours))</section>
        <section><h2>\(frame.words(.days))</h2>\(series.last?.flatMap { $0 }.map(charts) ?? frame.missing(.days))</section>
        <section><h2>\(frame.words(.codesByCountry))</h2>\
        \(series.first?.flatMap { $0 }.map(countries) ?? frame.missing(.codesByCountry))</section>
        \(policy.map(differences) ?? frame.missing(.policy))
        """
    }

    private func state(_ today: Today) -> HTML {
        let words = frame.words
        let rows: [[HTML]] = today.parts.map { part in
            let isGood = part.state == "ok"
            let problems = part.problems.map { [$0.code, $0.detail].compactMap(\.self).joined(separator: ": ") }
            return [
                "\(part.name)", "<span class=\"\(isGood ? "good" : "bad")\">\(part.state)</span>",
                "\(problems.joined(separator: "; "))",
            ]
        }
        let moments = [(ConsoleText.lastBackup, today.lastBackupAt), (.lastCopy, today.lastCopyAt)]
        let circuits = (today.circuits ?? []).map { "\($0.provider) \($0.channel): \($0.state)" }
        let limits = today.limits.map { "\($0.part) \($0.rule): \($0.refused)" }
        let keys = (today.keys ?? []).map { "\($0.kid) (\($0.algorithm)): \($0.state)" }
        return """
            <section><h2>\(words(.state))</h2>
            \(frame.table([.part, .state, .problem], rows, empty: .missing))
            <dl>
            \(moments.map { text, second in "<dt>\(words(text))</dt><dd>\(second.map(words.time) ?? "–")</dd>\n" as HTML })\
            <dt>\(words(.revocationLag))</dt><dd>\(today.revocationLagMilliseconds.map { "\($0) ms" } ?? "–")</dd>
            <dt>\(words(.circuits))</dt><dd>\(today.circuits == nil ? words(.missing) : circuits.joined(separator: ", "))</dd>
            <dt>\(words(.keys))</dt><dd>\(today.keys == nil ? words(.missing) : keys.joined(separator: ", "))</dd>
            <dt>\(words(.limited))</dt><dd>\(limits.isEmpty ? "0" : limits.joined(separator: ", "))</dd>
            <dt>\(words(.spent))</dt><dd>\(today.spend.map(MoneyPage.summary) ?? words(.missing))</dd>
            </dl></section>
            """
    }

    private func charts(_ series: Series) -> HTML {
        let all = Self.charts.map { name, text -> HTML in
            let counts = series.sum(of: name)
            return Chart(
                title: frame.words(text), counts: name == "spend" ? counts.map { $0 / MoneyPage.unit } : counts,
                from: series.from, stepSeconds: series.stepSeconds
            ).html(frame.words)
        }
        let missing: HTML =
            series.missing.isEmpty
            ? .nothing : "<p role=\"alert\">\(frame.words(.missing)): \(series.missing.joined(separator: ", "))</p>"
        return "\(missing)<div class=\"charts\">\(all)</div>"
    }

    private func countries(_ series: Series) -> HTML {
        let rows = series.series.filter { $0.name.hasPrefix("codes_") && $0.country != nil }.map { row -> [HTML] in
            [
                "\(row.country ?? "")", "\(row.channel ?? "")",
                "\(frame.words(row.name == "codes_sent" ? .codesSent : .usedCodes))", "\(Series.sum(row.counts))",
            ]
        }
        return frame.table([.country, .channel, .what, .count], rows, empty: .empty)
    }

    private func short(_ value: String?) -> String {
        guard let value else { return "–" }
        return value.count > Self.valueMax ? value.prefix(Self.valueMax) + "…" : value
    }

    private func differences(_ policy: PolicyReport) -> HTML {
        let rows: [[HTML]] = policy.differences.prefix(Self.differencesMax).map {
            ["\($0.key)", "\(short($0.running))", "\(short($0.shipped))"]
        }
        return """
            <section><h2>\(frame.words(.policy))</h2><p>\(policy.name), \(policy.hash.prefix(16).description)</p>
            <details><summary>\(frame.words(.differences)): \(policy.differences.count)</summary>
            \(frame.table([.key, .running, .shipped], rows, empty: .empty))</details></section>
            """
    }
}
