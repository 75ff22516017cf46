/// A phone number in its canonical form (E.164), with a valid calling code and a possible length.
///
/// Spellings that reach one handset give one value: Argentina's have the `9`, Brazil's mobile numbers the ninth digit. Its
/// description is masked, so that a number is not logged in full by accident; `e164` is the number itself.
package struct PhoneNumber: Sendable, Hashable {
    /// `+`, calling code and national number, e.g. `+15551234567`.
    package let e164: String
    /// The calling code, e.g. 1 for the United States.
    package let callingCode: Int

    /// Reads a number as a person or an app wrote it.
    ///
    /// All spellings of a number give the same value: spaces, dashes, dots, slashes, brackets, invisible marks, digits of
    /// any script, `tel:`, the region's prefix for calls abroad or `00` for `+`, a trunk prefix after the calling code, an
    /// extension (dropped). Lengths are checked, patterns are not: whether a possible number exists is for the provider to say (integration guide 5.3).
    /// - Parameter region: The region of numbers without `+` (ISO 3166-1, e.g. `US`, in any case); ignored for others.
    package init(parsing text: String, region: String? = nil) throws(PhoneNumberProblem) {
        let dialled = try DialledText(text, region: region)
        if dialled.isInternational {
            try self.init(international: dialled.digits[...])
        } else {
            try self.init(national: dialled.digits[...], region: region)
        }
    }

    /// Whether national numbers of `region` can be parsed; capital letters as in ISO 3166-1.
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
        guard let national = Self.national(digits, row) else { throw .impossibleLength }
        self.init(row, national)
    }

    /// Chooses between two readings: the digits are a national number, or begin with the calling code and lack the plus.
    private static func national(_ digits: Substring, _ row: CallingCode) -> Substring? {
        let code = String(row.code)
        let whole = row.national(digits)
        let hasTrunk = !digits.hasPrefix(code)
        guard let coded = hasTrunk ? whole : digits, coded.hasPrefix(code),
            let rest = row.national(coded.dropFirst(code.utf8.count))
        else { return whole }
        guard let whole else { return rest }
        // A calling code is rarely written after a trunk prefix: it is read so only if the number cannot be a mobile one.
        let isCode =
            row.hasMobileLength(whole)
            ? !hasTrunk && row.looksMobile(rest) && !row.looksMobile(whole)
            : hasTrunk ? row.looksMobile(rest) : row.hasMobileLength(rest)
        return isCode ? rest : whole
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
