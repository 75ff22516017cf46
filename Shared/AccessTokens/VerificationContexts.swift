import COpenSSL
import Synchronization

/// Contexts with which one key verifies signatures of SHA-256 digests (RSASSA-PKCS1-v1_5 or ECDSA), each used by one caller
/// at a time.
///
/// Preparing a context searches libcrypto's providers, which is 4 µs of the 24 µs that an RS256 verification takes.
///
/// `@unchecked Sendable`, because the key's pointer is set once, and libcrypto allows one EVP_PKEY to verify on many
/// threads at once if each has its own context (openssl-threads(7)).
@safe
final class VerificationContexts: @unchecked Sendable {
    /// `@unchecked Sendable`, because a context is either in the list behind the mutex or lent to the caller that took it,
    /// so no two threads use it at once.
    @safe
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Fetched once, since `EVP_sha256()` searches the providers again on each call.
    ///
    /// Safe to share: an EVP_MD is immutable once fetched, and this one is never freed.
    private nonisolated(unsafe) static let sha256: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA256", nil)
    /// The maximum number of idle contexts; more concurrent callers prepare their own.
    private static let idleMax = 16

    private let key: OpaquePointer
    private let idle = Mutex<[Context]>([])

    /// - Parameter key: The key, which must outlive this object.
    init(for key: OpaquePointer) { unsafe self.key = key }

    /// Runs `body` with a context; returns `false` if there is none.
    func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
        guard let context = idle.withLock({ $0.popLast() }) ?? make() else { return false }
        let result = unsafe body(context.pointer)
        let isKept = idle.withLock { contexts in
            guard contexts.count < Self.idleMax else { return false }
            contexts.append(context)
            return true
        }
        if !isKept { unsafe EVP_PKEY_CTX_free(context.pointer) }
        return result
    }

    private func make() -> Context? {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return nil }
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            unsafe EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA
                || EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, Self.sha256) == 1
        else {
            unsafe EVP_PKEY_CTX_free(context)
            return nil
        }
        return unsafe Context(pointer: context)
    }

    deinit {
        for context in idle.withLock({ $0 }) { unsafe EVP_PKEY_CTX_free(context.pointer) }
    }
}
