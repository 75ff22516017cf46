/// The prefixes that a region dials before a calling code, among them those with the code of a carrier.
///
/// Numbers are often written with `00` where another prefix is dialled, so it counts everywhere unless it may be the beginning of one
/// of the region's own: `008 1 415 555 2671` is a number of the United States in Korea, and not one of Japan.
struct InternationalPrefixes {
    private static let usual = "00"
    private static let byRegion = Dictionary(
        CallingCodes.abroad.flatMap { entry in entry.regions.split(separator: " ").map { (String($0), entry.prefixes) }
        },
        uniquingKeysWith: { first, _ in first })

    /// The region's prefixes, longer ones first; `x` is any digit.
    private let prefixes: [String]
    /// The calling code of the region; `nil` if no region is known.
    private let home: CallingCode?

    init(region: String?) {
        let region = region?.uppercased()
        home = region.flatMap { CallingCodes.row(region: $0) }
        prefixes = region.flatMap { Self.byRegion[$0] } ?? [Self.usual]
    }

    /// Returns the digits from the calling code on, or `nil` if the digits are a national number.
    ///
    /// - Throws: `unknownCallingCode` if the digits may be a number of the region or of another country, or have the code of an
    ///   unknown carrier.
    func called(by digits: Substring) throws(PhoneNumberProblem) -> Substring? {
        let usual = digits.hasPrefix(Self.usual) ? digits.dropFirst(Self.usual.utf8.count) : nil
        let own = prefixes.first { digits.begins(with: $0) }
        if own == Self.usual { return usual }
        // A calling code does not begin with 0.
        let abroad = own.map { digits.dropFirst($0.utf8.count) }.flatMap { $0.isEmpty || $0.hasPrefix("0") ? nil : $0 }
        let homeNumber = usual.flatMap(Self.number).flatMap { $0.row == home ? $0 : nil }
        if let abroad {
            guard let homeNumber else { return abroad }
            guard let number = Self.number(abroad) else { return usual }
            guard number.isMobile, !homeNumber.isMobile else { throw .unknownCallingCode }
            return abroad
        }
        guard usual != nil, own != nil || mayNameCarrier(digits) else { return usual }
        guard homeNumber != nil else { throw .unknownCallingCode }
        return usual
    }

    /// Whether the digits begin like the region's prefixes that are longer than `00`.
    private func mayNameCarrier(_ digits: Substring) -> Bool {
        let longer = prefixes.filter { $0.hasPrefix(Self.usual) }
        guard let first = longer.first, !longer.contains(Self.usual) else { return false }
        let shared = longer.dropFirst().reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
        return digits.hasPrefix(shared.prefix { $0 != "x" })
    }

    /// Returns the calling code of a possible number and whether it looks like a mobile number, or `nil` if the number is impossible.
    private static func number(_ digits: Substring) -> (row: CallingCode, isMobile: Bool)? {
        guard let row = CallingCodes.row(startOf: digits),
            let national = row.national(digits.dropFirst(String(row.code).utf8.count))
        else { return nil }
        return (row, row.looksMobile(national))
    }
}
