import CryptoPrimitives

/// The bit of a mailed link's token that says whether its page needs the password.
///
/// The page shows its form without a request to user-service, so it reads from the token which form to show. The bit is a
/// hint: user-service decides by the link that it stored.
package enum LinkHint {
    /// Sets the hint in the bytes of a new token.
    package static func set(suffices: Bool, in bytes: [UInt8]) -> [UInt8] {
        guard let last = bytes.last else { return bytes }
        return bytes.dropLast() + [suffices ? last | 1 : last & ~1]
    }

    /// Whether the link suffices without the password, according to the token's text.
    package static func suffices(_ token: String) -> Bool {
        Base64URL.decode(token)?.last.map { $0 & 1 == 1 } ?? false
    }
}
