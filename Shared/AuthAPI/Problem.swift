/// The body of every error that a client's own document does not define: RFC 9457 with a stable `code` (design section 7).
public struct Problem: Codable, Sendable, Equatable {
    public var type: String
    public var title: String
    public var status: Int
    /// Stable; clients branch on it.
    public var code: String
    public var detail: String?
    /// A word that is more specific than the code, e.g. `expired` in the response to a refresh; clients may branch on it.
    public var reason: String?
    /// The kind of limit that refused with 429: `lockout`, `sends` or `requests`.
    public var limit: String?
    /// Seconds until a retry, also in the `Retry-After` header.
    public var retryAfter: Int64?
    public var success: Bool
    /// The value of `code`, for clients that read howru's `error`.
    public var error: String

    public init(
        status: Int, code: String, title: String, detail: String? = nil, reason: String? = nil,
        limit: String? = nil, retryAfter: Int64? = nil
    ) {
        type = "about:blank"
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.reason = reason
        self.limit = limit
        self.retryAfter = retryAfter
        success = false
        error = code
    }

    /// Media type of the body.
    public static let mediaType = "application/problem+json"
}
