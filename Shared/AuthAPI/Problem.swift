/// The body of every error that a client's own document does not define: RFC 9457 with a stable `code` (design section 7).
public struct Problem: Codable, Sendable, Equatable {
    /// The address of the code's section in the error catalogue, relative to the gateway's.
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
    /// Merges the account that has the identity into the user's (`POST /users/me/merge`); only with the code `identity_in_use`, and missing
    /// if it cannot be merged.
    public var mergeToken: String?
    /// Unix time in seconds at which an account gets the phone number, with `phone_change_pending`.
    public var movesAt: Int64?
    /// The other parts of the account: `password`, `phone`, `email`, `apple` or names of providers. With `merge_proof_required`, what can be
    /// verified of the other account; with `second_identity_required`, other ways to sign in.
    public var methods: [String]?
    /// Keeps the account and signs in (`POST /auth/restore`), for ten minutes; only with the code `deletion_scheduled`, and missing if
    /// the deletion cannot be cancelled.
    public var restoreToken: String?
    /// Completes the sign-in with the second factor (`POST /auth/mfa/verify`), for five minutes; only with the code
    /// `second_factor_required`, whose `methods` are `totp`, `passkey` and `recovery`.
    public var mfaToken: String?
    public var success: Bool
    /// The value of `code`, for clients that read howru's `error`.
    public var error: String

    public init(
        status: Int, code: String, title: String, detail: String? = nil, reason: String? = nil,
        limit: String? = nil, retryAfter: Int64? = nil, mergeToken: String? = nil, movesAt: Int64? = nil,
        methods: [String]? = nil, restoreToken: String? = nil, mfaToken: String? = nil
    ) {
        self.mfaToken = mfaToken
        type = Self.catalogue + "#" + code
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.reason = reason
        self.limit = limit
        self.retryAfter = retryAfter
        self.mergeToken = mergeToken
        self.movesAt = movesAt
        self.methods = methods
        self.restoreToken = restoreToken
        success = false
        error = code
    }

    /// The path of the error catalogue.
    public static let catalogue = "/.well-known/latchkey/problems"
    /// Media type of the body.
    public static let mediaType = "application/problem+json"
}
