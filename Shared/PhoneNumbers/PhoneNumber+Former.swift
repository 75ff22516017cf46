extension PhoneNumber {
    /// The maximum number of leading digits that can be a calling code without a plus and a trunk prefix.
    private static let prefixDigitsMax = 4

    /// The forms that a release before 0.6.0 could give the number in a text: prefixes that are dropped now stayed, and
    /// Argentina's `9` and Brazil's ninth digit were not added. The canonical form is left out.
    ///
    /// For values that were derived from a number when they were stored, and cannot be derived again.
    package static func formerForms(of text: String, region: String? = nil) throws(PhoneNumberProblem) -> Set<String> {
        let number = try PhoneNumber(parsing: text, region: region)
        let dialled = try DialledText(text, region: region)
        let code = "\(number.callingCode)"
        let digits = dialled.digits.dropFirst(dialled.isInternational ? code.utf8.count : 0)
        let typed = (0...prefixDigitsMax).map { "+\(code)\(digits.dropFirst($0))" }
        return Set(typed + [number.handset, number.withoutNinthDigit]).subtracting([number.e164])
    }

    /// The number without the ninth digit if it is a Brazilian mobile number; other numbers unchanged.
    private var withoutNinthDigit: String {
        let digits = e164.dropFirst()
        let isMobile = callingCode == 55 && digits.utf8.count == 13 && digits.dropFirst(4).hasPrefix("9")
        return isMobile ? "+\(digits.prefix(4))\(digits.dropFirst(5))" : e164
    }
}
