/// PBKDF2 as Django stores it (`pbkdf2_sha256$<rounds>$<salt>$<key>`) or as passlib does
/// (`$pbkdf2-sha512$<rounds>$<salt>$<key>`).
struct PBKDF2Hash: ForeignScheme {
    let memoryKiB = 0
    private let key: PBKDF2

    /// Django hashes the salt's text; the key is padded base64.
    init(django text: String) throws(ForeignHash.Problem) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, let rounds = Self.rounds(parts[1]), let key = StandardBase64.decode(parts[3]) else {
            throw .unknown
        }
        self.key = try PBKDF2(
            parts[0] == "pbkdf2_sha1" ? .sha1 : .sha256, rounds: rounds, salt: Array(parts[2].utf8), key: key)
    }

    /// passlib writes `.` instead of base64's `+`, without padding.
    init(passlib text: String) throws(ForeignHash.Problem) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, let rounds = Self.rounds(parts[2]),
            let salt = Self.decode(parts[3]), let key = Self.decode(parts[4])
        else { throw .unknown }
        let digest: PBKDF2.Digest =
            switch parts[1] {
            case "pbkdf2-sha256": .sha256
            case "pbkdf2-sha512": .sha512
            default: .sha1
            }
        self.key = try PBKDF2(digest, rounds: rounds, salt: salt, key: key)
    }

    private static func rounds(_ digits: Substring) -> Int? { HashParameters.number(digits) }

    private static func decode(_ text: Substring) -> [UInt8]? {
        text.contains("+") ? nil : StandardBase64.decode(text.replacing(".", with: "+"), isPadded: false)
    }

    func seconds(for spelling: [UInt8]) -> Double { key.seconds }
    func matches(_ spelling: [UInt8]) throws -> Bool { try key.matches(spelling) }
}
