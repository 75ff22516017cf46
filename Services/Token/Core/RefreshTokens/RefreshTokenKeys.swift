import CryptoPrimitives

/// The server keys of refresh tokens: the newest makes tokens, and the two newest recognise them.
struct RefreshTokenKeys: Sendable {
    /// The number of keys that recognise tokens. Further keys on the ring serve for data sealed at rest.
    static let acceptedCountMax = 2

    let newest: RefreshTokenKey
    /// All keys that recognise tokens, newest first.
    let accepted: [RefreshTokenKey]

    /// - Parameter ring: `token_storage_key`.
    init(ring: KeyRing) {
        newest = RefreshTokenKey(secret: ring.signing.secret)
        accepted = ring.all.prefix(Self.acceptedCountMax).map { RefreshTokenKey(secret: $0.secret) }
    }

    /// Returns the token in `bytes`, or `nil` if none of our keys made it.
    func open(_ bytes: [UInt8]) -> RefreshToken? {
        for key in accepted {
            if let token = key.open(bytes) { return token }
        }
        return nil
    }

    /// Returns the successor of `token` made from `seed`, or `nil` if its hash is not `hash`.
    func successor(of token: RefreshToken, seed: [UInt8], hash: [UInt8]) -> RefreshToken? {
        accepted.lazy.map { $0.successor(of: token, seed: seed) }.first { constantTimeEqual($0.hash, hash) }
    }

    /// Returns the secret of the page whose session begins with `token`, or `nil` if its hash is not `hash`.
    func pageSecret(of token: RefreshToken, hash: [UInt8]) -> [UInt8]? {
        accepted.lazy.map { $0.pageSecret(of: token) }.first { constantTimeEqual(SHA256.hash($0), hash) }
    }

    /// Returns the first token of a session by the same rule.
    func first(locator: Int64, grantID: String, idempotencyKey: String, hash: [UInt8]) -> RefreshToken? {
        accepted.lazy.map { $0.first(locator: locator, grantID: grantID, idempotencyKey: idempotencyKey) }
            .first { constantTimeEqual($0.hash, hash) }
    }
}
