import CryptoPrimitives

/// scrypt as a PHC string (`$scrypt$ln=16,r=8,p=1$<salt>$<key>`) or as Django stores it
/// (`scrypt$<N>$<salt>$<r>$<p>$<key>`).
struct ScryptHash: ForeignScheme {
    private static let saltBytes = 1...128
    private static let keyBytes = 16...128

    private let cost: ScryptCost
    private let salt: [UInt8]
    private let key: [UInt8]

    init(phc text: String) throws(ForeignHash.Problem) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty,
            let numbers = HashParameters(parts[2], named: ["ln", "r", "p"])?.numbers,
            let salt = StandardBase64.decode(parts[3], isPadded: false),
            let key = StandardBase64.decode(parts[4], isPadded: false)
        else { throw .unknown }
        try self.init(ScryptCost(log2N: numbers[0], blocks: numbers[1], lanes: numbers[2]), salt, key)
    }

    /// Django hashes the salt's text.
    init(django text: String) throws(ForeignHash.Problem) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, let count = HashParameters.number(parts[1]), count > 1, count & (count - 1) == 0,
            let blocks = HashParameters.number(parts[3]), let lanes = HashParameters.number(parts[4]),
            let key = StandardBase64.decode(parts[5])
        else { throw .unknown }
        try self.init(
            ScryptCost(log2N: count.trailingZeroBitCount, blocks: blocks, lanes: lanes), Array(parts[2].utf8), key)
    }

    private init(_ cost: ScryptCost, _ salt: [UInt8], _ key: [UInt8]) throws(ForeignHash.Problem) {
        guard Self.saltBytes.contains(salt.count), Self.keyBytes.contains(key.count) else { throw .unknown }
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    var memoryKiB: Int { cost.memoryKiB }

    func seconds(for spelling: [UInt8]) -> Double { cost.seconds }

    func matches(_ spelling: [UInt8]) throws(ForeignHash.Failure) -> Bool {
        constantTimeEqual(try cost.key(of: spelling, salt: salt, byteCount: key.count), key)
    }
}
