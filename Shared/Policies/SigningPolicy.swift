/// Rotation and publication of signing keys.
package struct SigningPolicy: Sendable, Equatable {
    package var rotationDays = 90
    package var jwksMaxAgeSeconds: Int64 = 300
    package var leewaySeconds: Int64 = 0

    package init() {}

    /// How long a key is published before it signs, in seconds: a cache lifetime, and a tenth of it for clocks and slow
    /// fetches.
    package var leadSeconds: Int64 { jwksMaxAgeSeconds + max(1, jwksMaxAgeSeconds / 10) }
}

extension SigningPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "rotationDays", \.rotationDays, .integer(1...365),
            "The days for which a key signs before the next one does."),
        Key(
            "jwksMaxAgeSeconds", \.jwksMaxAgeSeconds, .integer(10...86_400),
            "How long a gateway or client may keep the key set; a key is published at least this long before it signs."),
        Key(
            "leewaySeconds", \.leewaySeconds, .integer(0...30),
            "How much clocks may differ when `exp` and `iat` are checked."),
    ]
}
