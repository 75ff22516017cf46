import COpenSSL
import CryptoPrimitives

/// The hash parameters of a Firebase project, as its console shows them.
package struct FirebaseParameters: Sendable, Equatable {
    /// base64, as the console shows it.
    let signerKey: String
    let saltSeparator: String
    let rounds: Int
    let memoryCost: Int

    /// Reads lines of `name: value` as the console shows them, with or without the braces around them. Returns `nil` unless
    /// all four parameters are present and cost no more than a login may.
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
        do throws(ForeignHash.Problem) { _ = try ScryptCost(log2N: memoryCost, blocks: rounds, lanes: 1) } catch {
            return nil
        }
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.rounds = rounds
        self.memoryCost = memoryCost
    }

    /// The stored form of a user's hash, given as `$firebase$<salt>$<hash>` in an import's file, or `nil` for another form.
    package func kept(_ imported: String) -> String? {
        let parts = imported.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "firebase" else { return nil }
        return FirebaseHash.prefix + "v=1,n=\(memoryCost),r=\(rounds),p=1,ss=\(saltSeparator),sk=\(signerKey)"
            + "$\(parts[2])$\(parts[3])"
    }
}

/// Firebase's scrypt: the project's signer key, encrypted under a key that scrypt derives from the password.
///
/// Stored in the form that Supabase uses for users from Firebase:
/// `$fbscrypt$v=1,n=14,r=8,p=1,ss=<salt separator>,sk=<signer key>$<salt>$<hash>`. Each value is base64 of either alphabet:
/// the console shows one, and exports contain the other.
struct FirebaseHash: ForeignScheme {
    static let prefix = "$fbscrypt$"
    private static let signerBytes = 16...128
    private static let derivedBytes = 64

    private let cost: ScryptCost
    private let signer: [UInt8]
    private let salt: [UInt8]
    private let hash: [UInt8]

    init(_ text: String) throws(ForeignHash.Problem) {
        let parts = text.dropFirst(Self.prefix.count).split(separator: "$", omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.prefix), parts.count == 3, let salt = Self.decode(parts[1]), !salt.isEmpty,
            let hash = Self.decode(parts[2])
        else { throw .unknown }
        let (cost, separator, signer) = try Self.parameters(parts[0])
        guard hash.count == signer.count else { throw .unknown }
        self.cost = cost
        self.signer = signer
        self.salt = salt + separator
        self.hash = hash
    }

    private static func parameters(
        _ text: Substring
    ) throws(ForeignHash.Problem) -> (cost: ScryptCost, separator: [UInt8], signer: [UInt8]) {
        let keys = text.split(separator: ",ss=", omittingEmptySubsequences: false)
        guard keys.count == 2, let numbers = HashParameters(keys[0], named: ["v", "n", "r", "p"])?.numbers,
            numbers[0] == 1
        else { throw .unknown }
        let parts = keys[1].split(separator: ",sk=", omittingEmptySubsequences: false)
        guard parts.count == 2, let separator = decode(parts[0]), let signer = decode(parts[1]),
            signerBytes.contains(signer.count)
        else { throw .unknown }
        return (try ScryptCost(log2N: numbers[1], blocks: numbers[2], lanes: numbers[3]), separator, signer)
    }

    /// The bytes of base64 in the standard or the URL-safe alphabet, with or without padding.
    private static func decode(_ text: Substring) -> [UInt8]? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return StandardBase64.decode(standard, isPadded: standard.hasSuffix("="))
    }

    var memoryKiB: Int { cost.memoryKiB }

    func seconds(for spelling: [UInt8]) -> Double { cost.seconds }

    func matches(_ spelling: [UInt8]) throws(ForeignHash.Failure) -> Bool {
        let key = try cost.key(of: spelling, salt: salt, byteCount: Self.derivedBytes)
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
