import CryptoPrimitives
import InternalAPI

/// The key of a page's refreshes, which makes each successor from the page's secret and the token that it replaces.
///
/// So tabs that present one cookie get one successor, and the newest token can be computed from each one before it.
struct PageKey: Sendable {
    private let secret: HMACSHA256
    /// The text before the digits of the page's tokens.
    private let prefix: String

    /// - Parameter secret: the bytes of the page cookie.
    init(secret: [UInt8], prefix: String) {
        self.secret = HMACSHA256(key: secret)
        self.prefix = prefix
    }

    /// Returns the `Idempotency-Key` of every refresh that presents `token`.
    func idempotencyKey(for token: RefreshToken) -> IdempotencyKey? {
        IdempotencyKey(Base64URL.encode(secret.authenticate(Array(token.text(prefix: prefix).utf8))))
    }
}
