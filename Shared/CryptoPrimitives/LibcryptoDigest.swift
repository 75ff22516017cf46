internal import COpenSSL

/// Digests of libcrypto, looked up once: every call that names one by `EVP_sha256()` searches the providers again.
package enum LibcryptoDigest {
    // Safe to share: an EVP_MD is immutable once fetched, and this one is never freed.
    package nonisolated(unsafe) static let sha256: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA256", nil)
}
