/// A phone number in its one canonical form (E.164), possible in calling code and length.
///
/// Printing it shows a masked form, so that a number is not logged whole by accident; `e164` is the number itself.
package struct PhoneNumber: Sendable, Hashable {
    /// `+`, calling code and national number, e.g. `+15551234567`.
    package let e164: String
    /// E.g. 1 for the United States.
    package let callingCode: Int

    /// Reads a number as a person or an app wrote it.
    ///
    /// All spellings of a number give the same value: spaces, dashes, dots, brackets, invisible marks, digits of any
    /// script, `00` for `+`, a trunk prefix after the calling code, an extension (dropped). Lengths are checked,
    /// patterns are not: whether a possible number exists is for the provider to say (integration guide 5.3).
    /// - Parameter region: Region of numbers without `+` (ISO 3166-1, e.g. `US`, in any case); ignored for others.
    package init(parsing text: String, region: String? = nil) throws(PhoneNumberProblem) {
        let dialled = try DialledText(text)
        if dialled.isInternational {
            try self.init(international: dialled.digits[...])
        } else {
            try self.init(national: dialled.digits[...], region: region)
        }
    }

    /// Whether `region` is one whose national numbers can be read; capital letters as in ISO 3166-1.
    package static func isKnown(region: String) -> Bool { CallingCodes.row(region: region) != nil }

    private init(international digits: Substring) throws(PhoneNumberProblem) {
        guard let row = CallingCodes.row(startOf: digits) else { throw .unknownCallingCode }
        guard let national = row.national(digits.dropFirst(String(row.code).utf8.count)) else {
            throw .impossibleLength
        }
        self.init(row, national)
    }

    private init(national digits: Substring, region: String?) throws(PhoneNumberProblem) {
        guard let region else { throw .regionMissing }
        guard let row = CallingCodes.row(region: region.uppercased()) else { throw .unknownRegion }
        if let national = row.national(digits) {
            self.init(row, national)
            return
        }
        // People leave out the plus: too long as a national number, right as an international one.
        let code = String(row.code)
        guard digits.hasPrefix(code), let national = row.national(digits.dropFirst(code.utf8.count)) else {
            throw .impossibleLength
        }
        self.init(row, national)
    }

    private init(_ row: CallingCode, _ national: Substring) {
        callingCode = row.code
        e164 = "+\(row.code)\(national)"
    }
}

/// Why a text is not a phone number.
package enum PhoneNumberProblem: String, Error, Sendable, CaseIterable {
    case empty, tooLong, badCharacter, unknownCallingCode, unknownRegion, regionMissing, impossibleLength
}
