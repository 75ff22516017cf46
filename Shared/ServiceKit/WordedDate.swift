import Policies

/// Dates in words, as HTTP and mail write them (RFC 9110 §5.6.7, RFC 5322 §3.3).
package enum WordedDate {
    /// Returns a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameters:
    ///   - second: Unix time, after 1970.
    ///   - zone: The text that represents UTC: `GMT` in HTTP, `+0000` in mail.
    package static func text(_ second: Int64, zone: String) -> String {
        let days = second / 86_400
        let rest = second % 86_400
        let date = CalendarDay(ofSecond: second)
        return "\(weekdays[Int((days + 4) % 7)]), \(date.day.twoDigits) \(months[Int(date.month - 1)]) \(date.year) "
            + "\((rest / 3600).twoDigits):\((rest / 60 % 60).twoDigits):\((rest % 60).twoDigits) \(zone)"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
