/// A day of the Gregorian calendar.
struct CivilDate: Equatable {
    let year, month, day: Int64

    /// Creates the day that is `days` after 1970-01-01, by counting in eras of 400 years that begin in March.
    init(days: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension Int64 {
    /// The number with at least two digits.
    var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
