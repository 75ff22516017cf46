/// A day of the Gregorian calendar, from 1970-01-01 on.
package struct CalendarDay: Sendable, Equatable {
    private static let secondsPerDay: Int64 = 86_400

    package let year, month, day: Int64

    /// Creates the day in UTC of a time in Unix seconds.
    package init(ofSecond second: Int64) { self.init(number: second / Self.secondsPerDay) }

    /// Creates the day with so many days since 1970-01-01, by counting in eras of 400 years that begin in March.
    private init(number: Int64) {
        let shifted = number + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Reads a day from 1970 to 9999 as RFC 3339 writes it (`2026-12-31`), or returns `nil` if the text is not one.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let values = parts.compactMap { Int64($0) }
        guard values.count == 3, values[0] >= 1970, (1...12).contains(values[1]) else { return nil }
        (year, month, day) = (values[0], values[1], values[2])
        // A day that its month does not have has the number of another day.
        guard Self(number: number) == self else { return nil }
    }

    /// The number of days since 1970-01-01.
    private var number: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shiftedYear / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The end of the day in UTC, in Unix seconds.
    package var endsAt: Int64 { (number + 1) * Self.secondsPerDay }

    /// The day that ends at a time, as RFC 3339 writes it.
    static func text(endingAt second: Int64) -> String {
        let day = CalendarDay(ofSecond: second - 1)
        return "\(day.year)-\(day.month.twoDigits)-\(day.day.twoDigits)"
    }
}

extension Int64 {
    /// The number with at least two digits.
    package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
