/// The names of the cookies of a page's session.
struct CookieNames: Sendable, Equatable {
    let refresh: String
    let page: String
    let access: String
    /// Whether browsers send the cookies over https only.
    let isSecure: Bool

    /// The names over https. Their prefixes make browsers refuse a copy that another host or a page without TLS sets
    /// (draft-ietf-httpbis-rfc6265bis section 4.1.3). The refresh cookie has a path, which `__Host-` does not allow.
    static let secure = CookieNames(
        refresh: "__Secure-latchkey-refresh", page: "__Host-latchkey-page", access: "__Host-latchkey-access",
        isSecure: true)

    /// The names over http on loopback, in development.
    static let plain = CookieNames(
        refresh: "latchkey-refresh", page: "latchkey-page", access: "latchkey-access", isSecure: false)
}
