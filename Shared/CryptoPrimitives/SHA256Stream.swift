internal import COpenSSL

/// SHA-256 of a message that comes in parts, for files that do not fit into memory.
///
/// Safe: the context is its own alone, and freed with it.
@safe
package final class SHA256Stream {
    private let context: OpaquePointer

    /// libcrypto has no memory, or lacks the algorithm.
    package struct Unavailable: Error {}

    package init() throws(Unavailable) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw Unavailable() }
        unsafe self.context = context
        guard unsafe EVP_DigestInit_ex(context, LibcryptoDigest.sha256, nil) == 1 else { throw Unavailable() }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Takes in the next part.
    package func update(_ part: Span<UInt8>) throws(Unavailable) {
        let status = unsafe part.withUnsafeBufferPointer { input in
            unsafe EVP_DigestUpdate(context, input.baseAddress, input.count)
        }
        guard status == 1 else { throw Unavailable() }
    }

    /// The digest of all parts, 32 bytes; nothing can follow.
    package func finish() throws(Unavailable) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw Unavailable() }
        return digest
    }
}
