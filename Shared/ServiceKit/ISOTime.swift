import Policies

/// Times as ISO 8601 writes them, to the second.
package enum ISOTime {
    /// Returns a time such as `2026-01-06T14:18:40`, which is in UTC and does not state its zone.
    ///
    /// - Parameter second: Unix time, after 1970. The end of 9999 replaces any later time.
    package static func text(_ second: Int64) -> String {
        let second = min(max(0, second), secondMax)
        let date = CalendarDay(ofSecond: second)
        let rest = second % 86_400
        return "\(date.year)-\(date.month.twoDigits)-\(date.day.twoDigits)T"
            + "\((rest / 3600).twoDigits):\((rest / 60 % 60).twoDigits):\((rest % 60).twoDigits)"
    }

    /// 9999-12-31T23:59:59.
    private static let secondMax: Int64 = 253_402_300_799
}
