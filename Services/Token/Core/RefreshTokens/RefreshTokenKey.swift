import CryptoPrimitives

/// The keys for refresh tokens that are derived from one server secret, one for each use (HKDF).
struct RefreshTokenKey: Sendable {
    private let tagKey: HMACSHA256
    private let maskKey: HMACSHA256
    private let successorKey: HMACSHA256
    private let openingKey: HMACSHA256
    private let pageKey: HMACSHA256

    init(secret: [UInt8]) {
        func key(_ use: String) -> HMACSHA256 {
            HMACSHA256(key: HKDF.derive(from: secret, info: "latchkey refresh-token \(use)"))
        }
        (tagKey, maskKey, successorKey, openingKey) = (key("tag"), key("mask"), key("successor"), key("opening"))
        pageKey = key("page")
    }

    /// Returns the successor of `token` for the client's `Idempotency-Key`, or for the random bytes that replace it.
    func successor(of token: RefreshToken, seed: [UInt8]) -> RefreshToken {
        make(
            locator: token.locator, generation: token.generation + 1,
            secret: secret(token.bytes + seed, key: successorKey))
    }

    /// Returns the first token of the session that a grant opens. The same `Idempotency-Key` gives the same token.
    func first(locator: Int64, grantID: String, idempotencyKey: String) -> RefreshToken {
        // The key consists of visible characters, so that a zero byte separates the two.
        let message = Array(grantID.utf8) + [0] + Array(idempotencyKey.utf8)
        return make(locator: locator, generation: 0, secret: secret(message, key: openingKey))
    }

    /// Returns the secret of the page whose session begins with `token`.
    func pageSecret(of token: RefreshToken) -> [UInt8] { pageKey.authenticate(token.bytes) }

    /// Makes a token with the given secret part.
    func make(locator: Int64, generation: Int64, secret: [UInt8]) -> RefreshToken {
        let number = BigEndian.bytes(UInt64(bitPattern: generation), count: RefreshToken.generationByteCount)
        let plain = BigEndian.bytes(UInt64(bitPattern: locator), count: RefreshToken.locatorByteCount)
        let body = masked(plain, by: number + secret) + number + secret
        return RefreshToken(bytes: body + tag(of: body), locator: locator, generation: generation)
    }

    /// Returns the token in `bytes`, or `nil` if this key did not make its tag.
    func open(_ bytes: [UInt8]) -> RefreshToken? {
        guard bytes.count == RefreshToken.byteCount else { return nil }
        let body = Array(bytes.dropLast(RefreshToken.tagByteCount))
        guard constantTimeEqual(Array(bytes.suffix(RefreshToken.tagByteCount)), tag(of: body)) else { return nil }
        let rest = Array(body.dropFirst(RefreshToken.locatorByteCount))
        let locator = masked(Array(body.prefix(RefreshToken.locatorByteCount)), by: rest)
        return RefreshToken(
            bytes: bytes, locator: Int64(bitPattern: BigEndian.number(locator[...])),
            generation: Int64(bitPattern: BigEndian.number(rest.prefix(RefreshToken.generationByteCount))))
    }

    private func tag(of body: [UInt8]) -> [UInt8] {
        Array(tagKey.authenticate(body).prefix(RefreshToken.tagByteCount))
    }

    private func secret(_ message: [UInt8], key: HMACSHA256) -> [UInt8] {
        Array(key.authenticate(message).prefix(RefreshToken.secretByteCount))
    }

    /// Masks or unmasks a locator.
    private func masked(_ locator: [UInt8], by rest: [UInt8]) -> [UInt8] {
        zip(locator, maskKey.authenticate(rest)).map { $0 ^ $1 }
    }
}
