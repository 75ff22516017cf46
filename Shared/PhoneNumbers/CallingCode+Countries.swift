/// The two countries whose mobile numbers are written in several ways that reach one handset. One of them is canonical:
/// a code that was sent to one spelling must never sign in the account of another.
extension CallingCode {
    private static let argentina = 54
    private static let brazil = 55
    /// The length of area code and number; the canonical form has a `9` in front.
    private static let argentineLength = 10

    /// Returns the number without prefixes that exist only in this country, as far as the number shows them.
    func withoutCountrysOwnPrefixes(_ digits: Substring) -> Substring {
        switch code {
        case Self.argentina: Self.withoutArgentinePrefixes(digits)
        case Self.brazil: Self.withoutBrazilianCarrier(digits) ?? digits
        default: digits
        }
    }

    /// Returns the canonical spelling: Argentina's with the `9`, Brazil's mobile numbers with the ninth digit.
    func canonical(_ national: Substring) -> Substring {
        switch code {
        case Self.argentina where national.utf8.count == Self.argentineLength: "9\(national)"
        case Self.brazil: Self.withNinthDigit(national) ?? national
        default: national
        }
    }

    /// Drops the trunk prefix `0`, the `9` of mobile numbers and the `15` that is dialled for them after the area code.
    private static func withoutArgentinePrefixes(_ digits: Substring) -> Substring {
        var (rest, hasNine) = (digits, false)
        while rest.utf8.count > argentineLength {
            if rest.hasPrefix("0") {
                rest = rest.dropFirst()
            } else if rest.hasPrefix("9"), !hasNine {
                (rest, hasNine) = (rest.dropFirst(), true)
            } else {
                break
            }
        }
        let national = withoutFifteen(rest) ?? rest
        return national.utf8.count == argentineLength ? national : digits
    }

    /// Area codes are `11`, or have three or four digits and begin with 2 or 3: `15` can be in at most one place.
    private static func withoutFifteen(_ national: Substring) -> Substring? {
        guard national.utf8.count == argentineLength + 2, let first = national.first else { return nil }
        let areaLengths = national.hasPrefix("11") ? [2] : "23".contains(first) ? [3, 4] : []
        return areaLengths.lazy.compactMap { length -> Substring? in
            let rest = national.dropFirst(length)
            return rest.hasPrefix("15") ? "\(national.prefix(length))\(rest.dropFirst(2))" : nil
        }.first
    }

    /// `0` or `90`, a carrier's two digits, then area code and number.
    private static func withoutBrazilianCarrier(_ digits: Substring) -> Substring? {
        for prefix in ["0", "90"] where digits.hasPrefix(prefix) {
            let (carrier, rest) = (
                digits.dropFirst(prefix.utf8.count).prefix(2), digits.dropFirst(prefix.utf8.count + 2)
            )
            if !carrier.hasPrefix("0"), [10, 11].contains(rest.utf8.count), !rest.prefix(2).contains("0") {
                return rest
            }
        }
        return nil
    }

    /// Adds the ninth digit to an area code of two digits, followed by eight digits that begin with 6 to 9, as only mobile
    /// numbers do.
    private static func withNinthDigit(_ national: Substring) -> Substring? {
        guard national.utf8.count == 10, let first = national.dropFirst(2).first, ("6"..."9").contains(first) else {
            return nil
        }
        return "\(national.prefix(2))9\(national.dropFirst(2))"
    }
}
