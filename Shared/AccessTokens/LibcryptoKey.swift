import COpenSSL
import Synchronization

/// An asymmetric key inside libcrypto, public or with its private half.
///
/// `@unchecked Sendable`, because the pointer is set once, owned by this object, and freed with it. libcrypto allows one
/// EVP_PKEY to sign and verify on many threads at once if each has its own context (openssl-threads(7)); each context is
/// lent to one caller at a time.
@safe
final class LibcryptoKey: @unchecked Sendable {
    let pointer: OpaquePointer
    let components: PublicComponents
    /// The verification contexts; unused by Ed25519.
    let verification: VerificationContexts

    /// Takes ownership of `pointer`, even if it throws.
    ///
    /// - Throws: `KeyError` for an unsupported type or a weak key.
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
        // The contexts have their own references to the key.
        unsafe EVP_PKEY_free(pointer)
    }

    /// Clears libcrypto's error queue for this thread, so that no later call reads an old failure as its own.
    static func clearErrors() { ERR_clear_error() }
}
