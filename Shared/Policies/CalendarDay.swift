/// A day of the Gregorian calendar, written as RFC 3339 does (`2026-12-31`).
struct CalendarDay: Sendable, Hashable {
    private static let secondsPerDay: Int64 = 86_400

    /// Days since 1970-01-01.
    private let number: Int64

    /// When the day ends in UTC, in Unix seconds.
    var endsAt: Int64 { (number + 1) * Self.secondsPerDay }

    /// Nil for what is no day from 1970 to 9999.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let values = parts.compactMap { Int64($0) }
        guard values.count == 3, values[0] >= 1970, let length = Self.length(month: values[1], year: values[0]),
            (1...length).contains(values[2])
        else { return nil }
        number = Self.daysBefore(year: values[0]) + Self.daysBefore(month: values[1], year: values[0]) + values[2] - 1
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(month: Int64, year: Int64) -> Int64? {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1, 3, 5, 7, 8, 10, 12: 31
        default: nil
        }
    }

    private static func daysBefore(year: Int64) -> Int64 {
        (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    }

    private static func daysBefore(month: Int64, year: Int64) -> Int64 {
        (1..<month).reduce(0) { $0 + (length(month: $1, year: year) ?? 0) }
    }
}
