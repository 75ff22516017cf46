/// Times as ISO 8601 writes them, to the second.
package enum ISOTime {
    /// E.g. `2026-01-06T14:18:40`: in UTC, without saying so.
    ///
    /// - Parameter second: Unix time, after 1970; a later year than 9999 is its end.
    package static func text(_ second: Int64) -> String {
        let second = min(max(0, second), secondMax)
        let date = CivilDate(days: second / 86_400)
        let rest = second % 86_400
        return "\(date.year)-\(date.month.twoDigits)-\(date.day.twoDigits)T"
            + "\((rest / 3600).twoDigits):\((rest / 60 % 60).twoDigits):\((rest % 60).twoDigits)"
    }

    /// 9999-12-31T23:59:59.
    private static let secondMax: Int64 = 253_402_300_799
}
