/// Phone numbers for a load: each index another one, all possible, spread over many prefixes.
package enum SignInNumbers {
    /// Area codes of +1 (200 to 899), none of which the policies block.
    private static let areas = 200..<900
    private static let perArea = 10_000_000
    /// How many different numbers there are.
    package static let countMax = areas.count * perArea

    /// E.164; neighbours lie in different areas, since limits may count by prefix.
    package static func number(_ index: Int) -> String {
        let place = ((index % countMax) + countMax) % countMax
        let (rest, area) = place.quotientAndRemainder(dividingBy: areas.count)
        let digits = String(rest)
        return "+1\(areas.lowerBound + area)" + String(repeating: "0", count: 7 - digits.count) + digits
    }
}
