import CryptoPrimitives

/// The bit of a mailed link's token that says whether its page needs the password.
///
/// The page shows its form without a request to user-service, so the token has to say which one. It is a hint: user-service
/// decides by the link that it stored. Tokens from before 0.6.0 have either value.
package enum LinkHint {
    /// Sets the hint in the bytes of a new token.
    package static func set(suffices: Bool, in bytes: [UInt8]) -> [UInt8] {
        guard let last = bytes.last else { return bytes }
        return bytes.dropLast() + [suffices ? last | 1 : last & ~1]
    }

    /// Whether the link suffices without the password, as the token's text says.
    package static func suffices(_ token: String) -> Bool {
        Base64URL.decode(token)?.last.map { $0 & 1 == 1 } ?? false
    }
}
