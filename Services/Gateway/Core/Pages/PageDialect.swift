/// A dialect whose pages have their tokens in cookies.
struct PageDialect: Sendable, Equatable {
    let name: String
    /// The host that the dialect has for itself; `nil` if any host that no other one has.
    let host: String?
    /// Whether the public URL leads to the dialect, since it has no host of its own or that of the URL.
    let isPublic: Bool
    /// Whether the access token is in a cookie too.
    let keepsAccess: Bool
    /// The path to which browsers send the refresh token.
    let refreshCookiePath: String
}
