import COpenSSL
import Synchronization

/// An asymmetric key inside libcrypto, public or with its private half.
///
/// `@unchecked Sendable`, because: the pointer is set once, owned by this object alone and freed when nobody refers to it
/// any more; libcrypto allows one EVP_PKEY to sign and verify on many threads at once as long as each has a context of
/// its own (openssl-threads(7)); contexts are lent to one user at a time.
@safe
final class LibcryptoKey: @unchecked Sendable {
    let pointer: OpaquePointer
    let components: PublicComponents
    /// For all but Ed25519.
    let verification: VerificationContexts

    /// Takes ownership of `pointer`, also when it throws.
    ///
    /// - Throws: `KeyError` for a type that we do not use, and for a weak key.
    init(owning pointer: OpaquePointer) throws(KeyError) {
        do {
            let components = unsafe try Self.components(of: pointer)
            try components.checkStrength()
            self.components = components
        } catch {
            unsafe EVP_PKEY_free(pointer)
            throw error
        }
        unsafe self.pointer = pointer
        verification = unsafe VerificationContexts(for: pointer)
    }

    deinit {
        // The contexts hold references of their own to the key.
        unsafe EVP_PKEY_free(pointer)
    }

    /// Forgets what libcrypto noted about a failure on this thread, so that no later call takes it for its own.
    static func clearErrors() { ERR_clear_error() }
}
