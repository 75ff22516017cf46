extension PhoneNumber {
    /// One text for all canonical numbers that reach the same handset, in E.164.
    ///
    /// Brazil's mobile numbers got a ninth digit, a `9` in front, and networks still deliver to the eight; Argentina's
    /// have a `9` before the area code where calls from abroad are concerned, and texts arrive with and without it.
    /// Whoever counts by number counts by this: two spellings would be two allowances for one phone. It is for counting
    /// alone; a message goes to the number as it was given.
    package var handset: String {
        let digits = e164.dropFirst()
        switch callingCode {
        case 54: return Self.argentine(digits) ?? e164
        case 55: return Self.brazilian(digits) ?? e164
        default: return e164
        }
    }

    /// Without the `9`: calling code, then ten digits.
    private static func argentine(_ digits: Substring) -> String? {
        guard digits.utf8.count == 13, digits.hasPrefix("549") else { return nil }
        return "+54\(digits.dropFirst(3))"
    }

    /// With the `9`: calling code, area code of two digits, then eight digits that begin with 6 to 9, as mobile numbers do.
    private static func brazilian(_ digits: Substring) -> String? {
        guard digits.utf8.count == 12, let first = digits.dropFirst(4).first, ("6"..."9").contains(first) else {
            return nil
        }
        return "+\(digits.prefix(4))9\(digits.dropFirst(4))"
    }
}
