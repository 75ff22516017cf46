import COpenSSL

/// SHA-256 of a message that comes in parts, by libcrypto.
///
/// It fails only where libcrypto finds no memory, and then ends the process: a digest that is none would be worse.
@safe
package struct SHA256Stream: ~Copyable {
    /// Looked up once: every call that names it by `EVP_sha256()` searches the providers again.
    ///
    /// Safe to share: an EVP_MD is immutable once fetched, and this one is never freed.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)

    private let context: OpaquePointer?

    package init() {
        unsafe context = EVP_MD_CTX_new()
        check(unsafe EVP_DigestInit_ex2(context, Self.algorithm, nil))
    }

    /// A stream that has taken in what `other` has.
    init(from other: borrowing SHA256Stream) {
        unsafe context = EVP_MD_CTX_new()
        check(unsafe EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Takes in the next part.
    package mutating func update(_ part: Span<UInt8>) {
        check(unsafe part.withUnsafeBufferPointer { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) })
    }

    /// The digest of all parts, 32 bytes; nothing can follow.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { bytes, count in
            check(unsafe EVP_DigestFinal_ex(context, bytes.baseAddress, nil))
            count = SHA256.byteCount
        }
    }

    private func check(_ result: Int32) { precondition(result == 1, "libcrypto cannot digest") }
}
