import CArgon2
import CryptoPrimitives

/// Argon2 in the words of a PHC string, of any kind and version (RFC 9106): `$argon2i$v=19$m=4096,t=3,p=1$<salt>$<tag>`.
struct Argon2Hash: ForeignScheme {
    /// Memory times iterations: what of it a login may fill, 1 GiB.
    private static let workKiBMax = 1_048_576
    private static let lanesMax = 4
    private static let saltBytes = 8...64
    private static let tagBytes = 16...64

    private let argon2: Argon2
    private let salt: [UInt8]
    private let tag: [UInt8]

    var memoryKiB: Int { argon2.memoryKiB }

    init?(_ text: String) {
        var parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].isEmpty, let kind = Self.kind(parts[1]) else { return nil }
        // Version 16 may go without saying.
        let version = parts[2].hasPrefix("v=") ? parts.remove(at: 2) : "v=16"
        guard parts.count == 5, ["v=16", "v=19"].contains(version), let cost = Self.cost(parts[2]),
            let salt = StandardBase64.decode(parts[3], isPadded: false), Self.saltBytes.contains(salt.count),
            let tag = StandardBase64.decode(parts[4], isPadded: false), Self.tagBytes.contains(tag.count)
        else { return nil }
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

    private static func cost(_ text: Substring) -> (memoryKiB: Int, iterations: Int, lanes: Int)? {
        guard let numbers = HashParameters(text, named: ["m", "t", "p"])?.numbers else { return nil }
        let (memory, iterations, lanes) = (numbers[0], numbers[1], numbers[2])
        guard (1...lanesMax).contains(lanes), (8 * lanes...ForeignHash.memoryKiBMax).contains(memory),
            (1...workKiBMax / memory).contains(iterations)
        else { return nil }
        return (memory, iterations, lanes)
    }

    func matches(_ password: PasswordText) throws -> Bool {
        constantTimeEqual(try argon2.tag(of: password.typed, salt: salt, byteCount: tag.count), tag)
    }
}
