import CArgon2
import CryptoPrimitives

/// Argon2 as a PHC string, of any kind and version (RFC 9106): `$argon2i$v=19$m=4096,t=3,p=1$<salt>$<tag>`.
struct Argon2Hash: ForeignScheme {
    /// Memory times iterations: a login may fill 1 GiB.
    private static let workKiBMax = 1_048_576
    /// All lanes run on one thread, in the same memory.
    private static let lanesMax = 16
    private static let saltBytes = 8...64
    private static let tagBytes = 16...64

    private let argon2: Argon2
    private let salt: [UInt8]
    private let tag: [UInt8]

    var memoryKiB: Int { argon2.memoryKiB }

    init(_ text: some StringProtocol) throws(ForeignHash.Problem) {
        var parts = text.split(separator: "$", omittingEmptySubsequences: false).map { Substring($0) }
        guard parts.count >= 5, parts[0].isEmpty, let kind = Self.kind(parts[1]) else { throw .unknown }
        // Version 16 may be missing.
        let version = parts[2].hasPrefix("v=") ? parts.remove(at: 2) : "v=16"
        guard parts.count == 5, ["v=16", "v=19"].contains(version),
            let salt = StandardBase64.decode(parts[3], isPadded: false), Self.saltBytes.contains(salt.count),
            let tag = StandardBase64.decode(parts[4], isPadded: false), Self.tagBytes.contains(tag.count)
        else { throw .unknown }
        let cost = try Self.cost(parts[2])
        argon2 = Argon2(
            kind: kind, version: version == "v=19" ? 0x13 : 0x10, memoryKiB: cost.memoryKiB,
            iterations: cost.iterations, lanes: cost.lanes)
        self.salt = salt
        self.tag = tag
    }

    private static func kind(_ name: Substring) -> Argon2_type? {
        switch name {
        case "argon2id": Argon2_id
        case "argon2i": Argon2_i
        case "argon2d": Argon2_d
        default: nil
        }
    }

    private static func cost(
        _ text: Substring
    ) throws(ForeignHash.Problem) -> (memoryKiB: Int, iterations: Int, lanes: Int) {
        guard let numbers = HashParameters(text, named: ["m", "t", "p"])?.numbers else { throw .unknown }
        let (memory, iterations, lanes) = (numbers[0], numbers[1], numbers[2])
        guard lanes >= 1, memory >= 1, iterations >= 1 else { throw .unknown }
        guard lanes <= lanesMax, memory <= ForeignHash.memoryKiBMax, iterations <= workKiBMax / memory else {
            throw .tooCostly
        }
        guard memory >= 8 * lanes else { throw .unknown }
        return (memory, iterations, lanes)
    }

    func seconds(for spelling: [UInt8]) -> Double { argon2.seconds }

    func matches(_ spelling: [UInt8]) throws -> Bool {
        constantTimeEqual(try argon2.tag(of: spelling, salt: salt, byteCount: tag.count), tag)
    }
}
