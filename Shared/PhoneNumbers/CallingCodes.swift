/// One calling code of E.164 and the form of the national numbers under it.
struct CallingCode: Sendable, Equatable {
    let code: Int
    /// The possible lengths of the national number, without trunk prefix.
    let lengths: [Int]
    /// Digits that are dialled before the national number inside the country, carrier codes included; `x` is any digit.
    ///
    /// If one prefix is the start of another one, the longer one comes first.
    let trunks: [String]
    /// The possible lengths of a mobile number, and the digits that it can begin with. They only choose between two
    /// readings of a number without a plus; they refuse nothing.
    let mobileLengths: [Int]
    let mobileStarts: String

    init(_ code: Int, lengths: [Int], trunks: [String] = [], mobile: [Int] = [], starts: String = "") {
        self.code = code
        self.lengths = lengths
        self.trunks = trunks
        mobileLengths = mobile
        mobileStarts = starts
    }

    /// Returns the canonical national number, or `nil` if its length or the total length is impossible (E.164 §6.1).
    func national(_ digits: Substring) -> Substring? {
        var national = withoutCountrysOwnPrefixes(digits)
        // Repeated, so that parsing a canonical number returns it unchanged.
        while let rest = withoutTrunk(national) { national = rest }
        guard lengths.contains(national.utf8.count) else { return nil }
        let canonical = canonical(national)
        return String(code).utf8.count + canonical.utf8.count <= CallingCodes.wholeLengthMax ? canonical : nil
    }

    private func withoutTrunk(_ national: Substring) -> Substring? {
        for trunk in trunks where national.begins(with: trunk) {
            let rest = national.dropFirst(trunk.utf8.count)
            if lengths.contains(rest.utf8.count) { return rest }
        }
        return nil
    }

    /// Whether a national number has the length of a mobile number.
    func hasMobileLength(_ national: Substring) -> Bool { mobileLengths.contains(national.utf8.count) }

    /// Whether it also begins like a mobile number.
    func looksMobile(_ national: Substring) -> Bool {
        hasMobileLength(national) && (national.first.map(mobileStarts.contains) ?? false)
    }
}

extension Substring {
    /// Whether it begins with the digits of `pattern`, in which `x` is any digit.
    func begins(with pattern: String) -> Bool {
        utf8.count >= pattern.utf8.count
            && zip(utf8, pattern.utf8).allSatisfy { $0 == $1 || $1 == UInt8(ascii: "x") }
    }
}

/// The table of calling codes; a code is never the beginning of another one.
enum CallingCodes {
    /// The maximum number of digits of calling code and national number together (E.164 §6.1).
    static let wholeLengthMax = 15
    static let codeLengthMax = 3

    private static let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    static func row(region: String) -> CallingCode? { byRegion[region].flatMap { byCode[$0] } }

    /// Returns the calling code that `digits` begin with.
    static func row(startOf digits: Substring) -> CallingCode? {
        // `Int` would read "01" as 1.
        guard !digits.hasPrefix("0") else { return nil }
        for length in 1...codeLengthMax {
            if let code = Int(digits.prefix(length)), let row = byCode[code] { return row }
        }
        return nil
    }
}
