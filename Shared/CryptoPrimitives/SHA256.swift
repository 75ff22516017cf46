internal import COpenSSL

/// SHA-256 (FIPS 180-4) over libcrypto.
package enum SHA256 {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// The SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: [UInt8]) -> [UInt8] { hash(message.span) }

    /// The SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        var length: UInt32 = 0
        let status = unsafe message.withUnsafeBufferPointer { input in
            unsafe EVP_Digest(input.baseAddress, input.count, &digest, &length, LibcryptoDigest.sha256, nil)
        }
        // Fails only without memory or without the algorithm. A digest of zeros would equal any other such digest.
        guard status == 1, length == UInt32(byteCount) else { fatalError("libcrypto cannot compute SHA-256") }
        return digest
    }
}
