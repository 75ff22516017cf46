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
    /// - Returns: nil unless all four are there, and ask for no more than a login may cost.
    package init?(_ text: String) {
        var values: [Substring: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].drop { $0 == " " || $0 == "\t" }
            values[name] = String(parts[1].filter { $0 != " " && $0 != "," && $0 != "\"" && $0 != "\t" })
        }
        guard let signerKey = values["base64_signer_key"], let saltSeparator = values["base64_salt_separator"],
            let rounds = values["rounds"].flatMap(Int.init), let memoryCost = values["mem_cost"].flatMap(Int.init),
            ScryptCost(log2N: memoryCost, blocks: rounds, lanes: 1) != nil
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
        return FirebaseHash.prefix + "v=1,n=\(memoryCost),r=\(rounds),p=1,ss=\(saltSeparator),sk=\(signerKey)"
            + "$\(parts[2])$\(parts[3])"
    }
}

/// Firebase's scrypt: the project's signer key, encrypted under a key that scrypt derives from the password.
///
/// Kept in the form that Supabase has for those who came to it from Firebase:
/// `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer key>$<salt>$<hash>`, each in base64.
struct FirebaseHash: ForeignScheme {
    static let prefix = "$fbscrypt$"
    private static let signerBytes = 16...128
    private static let derivedBytes = 64

    private let cost: ScryptCost
    private let signer: [UInt8]
    private let salt: [UInt8]
    private let hash: [UInt8]

    init?(_ text: String) {
        let parts = text.dropFirst(Self.prefix.count).split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 3, let (cost, separator, signer) = Self.parameters(parts[0]),
            let salt = StandardBase64.decode(parts[1]), !salt.isEmpty,
            let hash = StandardBase64.decode(parts[2]), hash.count == signer.count
        else { return nil }
        self.cost = cost
        self.signer = signer
        self.salt = salt + separator
        self.hash = hash
    }

    private static func parameters(
        _ text: Substring
    ) -> (cost: ScryptCost, separator: [UInt8], signer: [UInt8])? {
        let keys = text.split(separator: ",ss=", omittingEmptySubsequences: false)
        guard keys.count == 2, let numbers = HashParameters(keys[0], named: ["v", "n", "r", "p"])?.numbers,
            numbers[0] == 1, let cost = ScryptCost(log2N: numbers[1], blocks: numbers[2], lanes: numbers[3])
        else { return nil }
        let parts = keys[1].split(separator: ",sk=", omittingEmptySubsequences: false)
        guard parts.count == 2, let separator = StandardBase64.decode(parts[0]),
            let signer = StandardBase64.decode(parts[1]), signerBytes.contains(signer.count)
        else { return nil }
        return (cost, separator, signer)
    }

    var memoryKiB: Int { cost.memoryKiB }

    func matches(_ password: PasswordText) throws(ForeignHash.Failure) -> Bool {
        let key = try cost.key(of: password.typed, salt: salt, byteCount: Self.derivedBytes)
        return constantTimeEqual(try Self.encrypted(signer, key: Array(key.prefix(32))), hash)
    }

    /// AES-256 in counter mode, from zero.
    private static func encrypted(_ text: [UInt8], key: [UInt8]) throws(ForeignHash.Failure) -> [UInt8] {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { throw .ofLibcrypto }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var made = [UInt8](repeating: 0, count: text.count)
        var written: Int32 = 0
        let start = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_EncryptInit_ex(cipher, EVP_aes_256_ctr(), nil, key, start) == 1,
            unsafe EVP_EncryptUpdate(cipher, &made, &written, text, Int32(clamping: text.count)) == 1,
            Int(written) == text.count
        else { throw .ofLibcrypto }
        return made
    }
}
