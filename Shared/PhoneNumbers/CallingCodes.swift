/// One calling code of E.164 and what national numbers under it look like.
struct CallingCode: Sendable, Equatable {
    let code: Int
    /// Possible lengths of the national number, without trunk prefix.
    let lengths: [Int]
    /// What is dialled before the national number inside the country; empty: nothing.
    let trunk: String

    init(_ code: Int, lengths: [Int], trunk: String = "") {
        self.code = code
        self.lengths = lengths
        self.trunk = trunk
    }

    /// The national number without a trunk prefix; nil when its length is impossible, or the whole's (E.164 §6.1).
    func national(_ digits: Substring) -> Substring? {
        var national = digits
        // Again and again, so that the canonical form read anew is itself.
        while !trunk.isEmpty, national.hasPrefix(trunk), lengths.contains(national.utf8.count - trunk.utf8.count) {
            national = national.dropFirst(trunk.utf8.count)
        }
        guard lengths.contains(national.utf8.count) else { return nil }
        return String(code).utf8.count + national.utf8.count <= CallingCodes.wholeLengthMax ? national : nil
    }
}

/// The table of calling codes; a code is never the beginning of another one.
enum CallingCodes {
    /// Digits of calling code and national number together (E.164 §6.1).
    static let wholeLengthMax = 15
    static let codeLengthMax = 3

    private static let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    static func row(region: String) -> CallingCode? { byRegion[region].flatMap { byCode[$0] } }

    /// The calling code that `digits` begin with.
    static func row(startOf digits: Substring) -> CallingCode? {
        // `Int` would read "01" as 1.
        guard !digits.hasPrefix("0") else { return nil }
        for length in 1...codeLengthMax {
            if let code = Int(digits.prefix(length)), let row = byCode[code] { return row }
        }
        return nil
    }
}
