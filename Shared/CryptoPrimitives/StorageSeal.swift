/// Seals what lies in a database and must not be read from a copy of it; one key for each use (HKDF).
package struct StorageSeal: Sendable {
    /// The sealing key could not be used: libcrypto failed.
    package struct Failure: Error {}

    /// Newest first; the first one seals.
    private let keys: [[UInt8]]

    /// - Parameters:
    ///   - ring: the service's storage key.
    ///   - info: names service and use; part of the key's derivation, so that nothing sealed for one use opens for another.
    package init(ring: KeyRing, info: String) {
        keys = ring.all.map { HKDF.derive(from: $0.secret, info: info) }
    }

    /// - Parameter context: the row that the bytes belong to; they open nowhere else.
    package func seal(_ plaintext: [UInt8], context: [UInt8]) throws(Failure) -> [UInt8] {
        guard let key = keys.first, let sealed = AESGCM.seal(plaintext, key: key, context: context) else {
            throw Failure()
        }
        return sealed
    }

    /// The plaintext, or nil when no key on the ring opens it.
    package func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        for key in keys {
            if let plaintext = AESGCM.open(sealed, key: key, context: context) { return plaintext }
        }
        return nil
    }
}
