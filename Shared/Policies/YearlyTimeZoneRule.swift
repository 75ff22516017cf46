/// The rule by which a zone's offset changes each year, as POSIX's variable TZ contains it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyTimeZoneRule: Sendable, Equatable {
    /// Summer time and the days on which it begins and ends.
    private struct Summer: Sendable, Equatable {
        let offsetSeconds: Int64
        let start, end: Change
    }

    /// A change at `seconds` after midnight on a weekday (0 is Sunday) of a month; week 5 is the month's last.
    private struct Change: Sendable, Equatable {
        let month, week, weekday, seconds: Int64
    }

    /// The years for which a rule is computed, 1970 to 9999, in Unix seconds.
    private static let range: ClosedRange<Int64> = 0...253_402_300_799

    private let standardSeconds: Int64
    private let summer: Summer?

    /// Reads a rule, or returns `nil` if the text has another form.
    init?(_ text: String) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)[...]
        var names = parts.removeFirst()
        guard Self.dropName(&names), let standard = Self.clock(&names) else { return nil }
        standardSeconds = -standard
        guard !names.isEmpty else {
            summer = nil
            return
        }
        guard Self.dropName(&names), parts.count == 2, let start = parts.first.flatMap(Self.change),
            let end = parts.last.flatMap(Self.change)
        else { return nil }
        guard !names.isEmpty else {
            summer = Summer(offsetSeconds: standardSeconds + 3_600, start: start, end: end)
            return
        }
        guard let offset = Self.clock(&names) else { return nil }
        summer = Summer(offsetSeconds: -offset, start: start, end: end)
    }

    /// Seconds that local time is ahead of UTC, at a time in Unix seconds.
    func offsetSeconds(at second: Int64) -> Int64 {
        guard let summer, Self.range.contains(second) else { return standardSeconds }
        let year = CalendarDay.year(ofSecond: second + standardSeconds)
        let start = Self.second(of: summer.start, in: year) - standardSeconds
        let end = Self.second(of: summer.end, in: year) - summer.offsetSeconds
        // South of the equator summer time continues over the turn of the year.
        let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
        return isSummer ? summer.offsetSeconds : standardSeconds
    }

    /// The change's local time, as if it were UTC.
    private static func second(of change: Change, in year: Int64) -> Int64 {
        let first = CalendarDay.number(year: year, month: change.month, day: 1)
        // 1970-01-01 was a Thursday.
        let weekday = (first + 4) % 7
        var day = first + (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        if day >= first + CalendarDay.length(month: change.month, year: year) { day -= 7 }
        return day * 86_400 + change.seconds
    }

    /// Removes a name such as `CET` or `<+03>` from the text's start.
    private static func dropName(_ text: inout Substring) -> Bool {
        if text.first == "<" {
            guard let end = text.firstIndex(of: ">") else { return false }
            text = text[text.index(after: end)...]
            return true
        }
        let name = text.prefix { $0.isASCII && $0.isLetter }
        text = text.dropFirst(name.count)
        return !name.isEmpty
    }

    /// Reads `[+-]h[:m[:s]]` from the text's start, as seconds.
    private static func clock(_ text: inout Substring) -> Int64? {
        let sign: Int64 = text.first == "-" ? -1 : 1
        if text.first == "-" || text.first == "+" { text = text.dropFirst() }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ":") }
        text = text.dropFirst(digits.count)
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard (1...3).contains(parts.count) else { return nil }
        var seconds: Int64 = 0
        for (part, unit) in zip(parts, [3_600, 60, 1] as [Int64]) {
            guard let part, (0...167).contains(part) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    /// Reads `Mm.w.d` or `Mm.w.d/time`.
    private static func change(_ text: Substring) -> Change? {
        guard text.first == "M" else { return nil }
        let halves = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: ".").compactMap { Int64($0) }
        guard halves.count <= 2, parts.count == 3, (1...12).contains(parts[0]), (1...5).contains(parts[1]),
            (0...6).contains(parts[2])
        else { return nil }
        var seconds: Int64 = 7_200
        if halves.count == 2 {
            var time = halves[1]
            guard let read = clock(&time), time.isEmpty else { return nil }
            seconds = read
        }
        return Change(month: parts[0], week: parts[1], weekday: parts[2], seconds: seconds)
    }
}
