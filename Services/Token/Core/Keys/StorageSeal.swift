internal import CryptoPrimitives

/// Seals what lies in `tokens.sqlite` and must not be read from a copy of it; one key for each use (HKDF).
struct StorageSeal: Sendable {
    /// What is sealed; part of the key's derivation, so that nothing sealed for one use opens for another.
    enum Use: String, Sendable {
        case signingKeys = "signing keys"
        case claims
    }

    /// The sealing key could not be used: libcrypto failed.
    struct Failure: Error {}

    /// Newest first; the first one seals.
    private let keys: [[UInt8]]

    /// - Parameter ring: `token_storage_key`.
    init(ring: KeyRing, use: Use) {
        keys = ring.all.map { HKDF.derive(from: $0.secret, info: "latchkey token storage \(use.rawValue)") }
    }

    /// - Parameter context: the row that the bytes belong to; they open nowhere else.
    func seal(_ plaintext: [UInt8], context: [UInt8]) throws(Failure) -> [UInt8] {
        guard let key = keys.first, let sealed = AESGCM.seal(plaintext, key: key, context: context) else {
            throw Failure()
        }
        return sealed
    }

    /// The plaintext, or nil when no key on the ring opens it.
    func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        for key in keys {
            if let plaintext = AESGCM.open(sealed, key: key, context: context) { return plaintext }
        }
        return nil
    }
}
