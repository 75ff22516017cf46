import CryptoPrimitives

/// The server keys that refresh tokens are made and recognised with: the newest makes, the two newest recognise.
struct RefreshTokenKeys: Sendable {
    /// A further key on the ring serves what is sealed at rest, not tokens.
    static let acceptedCountMax = 2

    let newest: RefreshTokenKey
    /// All that recognise, newest first.
    let accepted: [RefreshTokenKey]

    /// - Parameter ring: `token_storage_key`.
    init(ring: KeyRing) {
        newest = RefreshTokenKey(secret: ring.signing.secret)
        accepted = ring.all.prefix(Self.acceptedCountMax).map { RefreshTokenKey(secret: $0.secret) }
    }

    /// The token that `bytes` are, or nil when none of our keys made it.
    func open(_ bytes: [UInt8]) -> RefreshToken? {
        for key in accepted {
            if let token = key.open(bytes) { return token }
        }
        return nil
    }

    /// The successor of `token` from `seed` whose hash is `hash`; nil when another seed made the successor.
    func successor(of token: RefreshToken, seed: [UInt8], hash: [UInt8]) -> RefreshToken? {
        accepted.lazy.map { $0.successor(of: token, seed: seed) }.first { constantTimeEqual($0.hash, hash) }
    }

    /// The first token of a session by the same rule.
    func first(locator: Int64, grantID: String, idempotencyKey: String, hash: [UInt8]) -> RefreshToken? {
        accepted.lazy.map { $0.first(locator: locator, grantID: grantID, idempotencyKey: idempotencyKey) }
            .first { constantTimeEqual($0.hash, hash) }
    }
}
