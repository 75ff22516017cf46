/// A day of the Gregorian calendar, written as RFC 3339 does (`2026-12-31`).
struct CalendarDay: Sendable, Hashable {
    private static let secondsPerDay: Int64 = 86_400

    /// The number of days since 1970-01-01.
    private let number: Int64

    /// The end of the day in UTC, in Unix seconds.
    var endsAt: Int64 { (number + 1) * Self.secondsPerDay }

    /// Reads a day from 1970 to 9999, or returns `nil` if the text is not one.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let values = parts.compactMap { Int64($0) }
        guard values.count == 3, values[0] >= 1970, (1...12).contains(values[1]),
            (1...Self.length(month: values[1], year: values[0])).contains(values[2])
        else { return nil }
        number = Self.number(year: values[0], month: values[1], day: values[2])
    }

    /// Returns the number of days from 1970-01-01 to a day of the year 1970 or later.
    static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
        daysBefore(year: year) + daysBefore(month: month, year: year) + day - 1
    }

    /// The year in UTC of a time from 1970 to 9999, in Unix seconds.
    static func year(ofSecond second: Int64) -> Int64 {
        let day = second / secondsPerDay
        var year = 1970 + day / 366
        while daysBefore(year: year + 1) <= day { year += 1 }
        return year
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Returns the number of days of a month, 1 for January to 12.
    static func length(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysBefore(year: Int64) -> Int64 {
        (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    }

    private static func daysBefore(month: Int64, year: Int64) -> Int64 {
        (1..<month).reduce(0) { $0 + length(month: $1, year: year) }
    }
}
