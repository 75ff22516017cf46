import COpenSSL

/// SHA-256 of a message that arrives in parts, computed by libcrypto.
///
/// It fails only if libcrypto cannot allocate memory, and terminates the process then: an invalid digest would be worse.
@safe
package struct SHA256Stream: ~Copyable {
    /// Fetched once, since `EVP_sha256()` searches the providers again on each call.
    ///
    /// Safe to share: an EVP_MD is immutable once fetched, and this one is never freed.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)

    private let context: OpaquePointer?

    package init() {
        unsafe context = EVP_MD_CTX_new()
        check(unsafe EVP_DigestInit_ex2(context, Self.algorithm, nil))
    }

    /// Creates a stream that has processed the same parts as `other`.
    init(from other: borrowing SHA256Stream) {
        unsafe context = EVP_MD_CTX_new()
        check(unsafe EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Processes the next part.
    package mutating func update(_ part: Span<UInt8>) {
        check(unsafe part.withUnsafeBufferPointer { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) })
    }

    /// Returns the digest of all parts, 32 bytes, and ends the stream.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { bytes, count in
            check(unsafe EVP_DigestFinal_ex(context, bytes.baseAddress, nil))
            count = SHA256.byteCount
        }
    }

    private func check(_ result: Int32) { precondition(result == 1, "libcrypto cannot digest") }
}
