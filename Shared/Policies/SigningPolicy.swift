/// Rotation and publication of signing keys.
package struct SigningPolicy: Sendable, Equatable {
    /// How long a key signs before the next one takes over.
    package var rotationDays = 90
    /// How long a gateway or client may keep the key set; a key is published at least this long before it signs.
    package var jwksMaxAgeSeconds: Int64 = 300
    /// How much clocks may differ when `exp` and `iat` are checked, in seconds.
    package var leewaySeconds: Int64 = 0

    package init() {}

    /// How long a key is published before it signs, in seconds: a cache lifetime, and a tenth of it for clocks and slow
    /// fetches.
    package var leadSeconds: Int64 { jwksMaxAgeSeconds + max(1, jwksMaxAgeSeconds / 10) }
}

extension SigningPolicy {
    /// Section `signing`:
    /// - `rotationDays` integer, 1...365, default 90
    /// - `jwksMaxAgeSeconds` integer, 10...86,400, default 300
    /// - `leewaySeconds` integer, 0...30, default 0
    init(reading section: PolicySection) {
        section.integer("rotationDays", in: 1...365, into: &rotationDays)
        section.integer("jwksMaxAgeSeconds", in: 10...86_400, into: &jwksMaxAgeSeconds)
        section.integer("leewaySeconds", in: 0...30, into: &leewaySeconds)
    }
}
