import COpenSSL
import CryptoPrimitives

/// The parameters of a Firebase project: its console shows them beside the exported users.
package struct FirebaseParameters: Sendable, Equatable {
    /// In base64, as the console shows them.
    let signerKey: String
    let saltSeparator: String
    let rounds: Int
    let memoryCost: Int

    /// Reads what the console shows: lines of `name: value`, with or without the braces around them.
    ///
    /// - Returns: nil unless all four are there.
    package init?(_ text: String) {
        var values: [Substring: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].drop { $0 == " " || $0 == "\t" }
            values[name] = String(parts[1].filter { $0 != " " && $0 != "," && $0 != "\"" && $0 != "\t" })
        }
        guard let signerKey = values["base64_signer_key"], let saltSeparator = values["base64_salt_separator"],
            let rounds = values["rounds"].flatMap(Int.init), let memoryCost = values["mem_cost"].flatMap(Int.init)
        else { return nil }
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.rounds = rounds
        self.memoryCost = memoryCost
    }

    /// A user's hash as it is kept, out of `$firebase$<salt>$<hash>` in the file that is moved in.
    ///
    /// - Returns: nil for another form.
    package func kept(_ imported: String) -> String? {
        let parts = imported.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "firebase" else { return nil }
        return "\(FirebaseHash.prefix)n=\(memoryCost),r=\(rounds)$\(signerKey)$\(saltSeparator)$\(parts[2])$\(parts[3])"
    }
}

/// Firebase's scrypt: the project's signer key, encrypted under a key that scrypt derives from the password.
///
/// Kept as `$firebase-scrypt$n=14,r=8$<signer key>$<salt separator>$<salt>$<hash>`, each in base64.
struct FirebaseHash: ForeignScheme {
    static let prefix = "$firebase-scrypt$"
    private static let signerBytes = 16...128
    private static let derivedBytes = 64

    private let cost: ScryptCost
    private let signer: [UInt8]
    private let salt: [UInt8]
    private let hash: [UInt8]

    init?(_ text: String) {
        let parts = text.dropFirst(Self.prefix.count).split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, let cost = Self.cost(parts[0]),
            let signer = StandardBase64.decode(parts[1]), Self.signerBytes.contains(signer.count),
            let separator = StandardBase64.decode(parts[2]), let salt = StandardBase64.decode(parts[3]), !salt.isEmpty,
            let hash = StandardBase64.decode(parts[4]), hash.count == signer.count
        else { return nil }
        self.cost = cost
        self.signer = signer
        self.salt = salt + separator
        self.hash = hash
    }

    private static func cost(_ text: Substring) -> ScryptCost? {
        let members = text.split(separator: ",", omittingEmptySubsequences: false)
        guard members.count == 2, members[0].hasPrefix("n="), members[1].hasPrefix("r="),
            let log2N = Int(members[0].dropFirst(2)), let blocks = Int(members[1].dropFirst(2))
        else { return nil }
        return ScryptCost(log2N: log2N, blocks: blocks, lanes: 1)
    }

    var memoryKiB: Int { cost.memoryKiB }

    func matches(_ password: PasswordText) -> Bool {
        guard let key = cost.key(of: password.bytes, salt: salt, byteCount: Self.derivedBytes),
            let made = Self.encrypted(signer, key: Array(key.prefix(32)))
        else { return false }
        return constantTimeEqual(made, hash)
    }

    /// AES-256 in counter mode, from zero.
    private static func encrypted(_ text: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var made = [UInt8](repeating: 0, count: text.count)
        var written: Int32 = 0
        let start = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_EncryptInit_ex(cipher, EVP_aes_256_ctr(), nil, key, start) == 1,
            unsafe EVP_EncryptUpdate(cipher, &made, &written, text, Int32(clamping: text.count)) == 1,
            Int(written) == text.count
        else { return nil }
        return made
    }
}
