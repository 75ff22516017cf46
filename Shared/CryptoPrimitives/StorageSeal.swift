/// Encrypts database values that must not be readable in a copy of the file; each use has its own key (HKDF).
package struct StorageSeal: Sendable {
    /// The sealing key could not be used, because libcrypto failed.
    package struct Failure: Error {}

    /// The keys, newest first; the first one seals.
    private let keys: [[UInt8]]

    /// - Parameters:
    ///   - ring: The service's storage key.
    ///   - info: The service and the use; part of the key's derivation, so that nothing sealed for one use opens for
    ///     another.
    package init(ring: KeyRing, info: String) {
        keys = ring.all.map { HKDF.derive(from: $0.secret, info: info) }
    }

    /// - Parameter context: The row that the bytes belong to; they cannot be opened for another row.
    package func seal(_ plaintext: [UInt8], context: [UInt8]) throws(Failure) -> [UInt8] {
        guard let key = keys.first, let sealed = AESGCM.seal(plaintext, key: key, context: context) else {
            throw Failure()
        }
        return sealed
    }

    /// Returns the plaintext, or `nil` if no key on the ring opens it.
    package func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        for key in keys {
            if let plaintext = AESGCM.open(sealed, key: key, context: context) { return plaintext }
        }
        return nil
    }
}
