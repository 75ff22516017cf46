/// A `Set-Cookie` field (RFC 6265 section 4.1).
struct SetCookie: Sendable, Equatable {
    enum SameSite: String, Sendable {
        case lax = "Lax"
        case strict = "Strict"
    }

    let name: String
    let value: String
    let path: String
    let sameSite: SameSite
    let isSecure: Bool
    /// The seconds until the browser removes it; 0 removes it now.
    let maxAgeSeconds: Int64

    var field: (String, String) {
        (
            "Set-Cookie",
            "\(name)=\(value); Path=\(path); Max-Age=\(max(0, maxAgeSeconds)); \(isSecure ? "Secure; " : "")HttpOnly; "
                + "SameSite=\(sameSite.rawValue)"
        )
    }
}
