import COpenSSL

/// SHA-1 (FIPS 180-4), only for identifiers that other systems derive with it; nothing here relies on it for security.
package enum SHA1 {
    /// Returns the digest of `message`, 20 bytes; empty if libcrypto does not offer SHA-1.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe EVP_Digest(message, message.count, &digest, &count, EVP_sha1(), nil) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }
}
