import CryptoPrimitives

extension StorageSeal {
    /// The kinds of sealed data in `tokens.sqlite`.
    enum Use: String, Sendable {
        case signingKeys = "signing keys"
        case claims
    }

    /// - Parameter ring: `token_storage_key`.
    init(ring: KeyRing, use: Use) { self.init(ring: ring, info: "latchkey token storage \(use.rawValue)") }
}
