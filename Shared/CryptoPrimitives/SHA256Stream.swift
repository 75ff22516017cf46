internal import COpenSSL

/// SHA-256 of a message that comes in parts.
///
/// Over libcrypto's own functions for this digest. The general ones (`EVP_Digest`, `HMAC`) look the algorithm up and
/// allocate a context for each message: for the short ones that all our protocols consist of, that costs several times
/// the digest.
package struct SHA256Stream {
    private var context = SHA256_CTX()

    package init() {
        // These functions have nothing that can fail: they return 1.
        _ = unsafe SHA256_Init(&context)
    }

    /// Takes in the next part.
    package mutating func update(_ part: Span<UInt8>) {
        _ = unsafe part.withUnsafeBufferPointer { unsafe SHA256_Update(&context, $0.baseAddress, $0.count) }
    }

    /// The digest of all parts, 32 bytes; nothing can follow.
    package consuming func finish() -> [UInt8] {
        let digest = digest()
        return [UInt8](capacity: SHA256.byteCount) { bytes in
            for index in digest.indices { bytes.append(digest[index]) }
        }
    }

    /// As `finish`, for what is digested further.
    consuming func digest() -> InlineArray<32, UInt8> {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var bytes = digest.mutableSpan
        _ = unsafe bytes.withUnsafeMutableBufferPointer { unsafe SHA256_Final($0.baseAddress, &context) }
        return digest
    }
}
