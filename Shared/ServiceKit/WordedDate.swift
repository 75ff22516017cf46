/// Dates in words, as HTTP and mail write them (RFC 9110 §5.6.7, RFC 5322 §3.3).
package enum WordedDate {
    /// E.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameters:
    ///   - second: Unix time, after 1970.
    ///   - zone: what stands for Greenwich: `GMT` in HTTP, `+0000` in mail.
    package static func text(_ second: Int64, zone: String) -> String {
        let days = second / 86_400
        let rest = second % 86_400
        let date = civil(days: days)
        return "\(weekdays[Int((days + 4) % 7)]), \(two(date.day)) \(months[Int(date.month - 1)]) \(date.year) "
            + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) \(zone)"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Year, month and day of a day number, by counting in eras of 400 years that begin in March.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
