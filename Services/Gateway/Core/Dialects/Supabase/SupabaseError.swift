import EdgeHTTP

/// A refusal as Supabase Auth writes it. Its one body is understood by the clients of every version.
struct SupabaseError: Error, Equatable {
    let status: Int
    /// GoTrue's `error_code`, by which clients branch.
    let code: String
    let message: String
    var retryAfterSeconds: Int64?
    var headers: [(String, String)] = []

    init(
        _ status: Int, _ code: String, _ message: String, retryAfterSeconds: Int64? = nil,
        headers: [(String, String)] = []
    ) {
        (self.status, self.code, self.message) = (status, code, message)
        (self.retryAfterSeconds, self.headers) = (retryAfterSeconds, headers)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.reply == right.reply
    }

    private struct Body: Encodable {
        struct WeakPassword: Encodable {
            let reasons: [String]
            let message: String
        }

        let code, error_code, message, msg: String
        /// Clients take it for granted in this one error.
        let weak_password: WeakPassword?
    }

    /// The version of the API in which clients read `code`. They ignore the code of a response without it.
    static let version = ("X-Supabase-Api-Version", "2024-01-01")

    var reply: Reply {
        let weak = code == "weak_password" ? Body.WeakPassword(reasons: [], message: message) : nil
        return .json(
            Body(code: code, error_code: code, message: message, msg: message, weak_password: weak), status: status,
            headers: [Self.version, ("x-sb-error-code", code)] + headers
                + (retryAfterSeconds.map { [("Retry-After", "\($0)")] } ?? []))
    }
}

extension SupabaseError {
    /// A code or link that is wrong, expired, used or unknown, or whose guesses are used up; the same for all of them.
    static let otpExpired = Self(403, "otp_expired", "Token has expired or is invalid")
    static let invalidCredentials = Self(400, "invalid_credentials", "Invalid login credentials")
    static func validationFailed(_ message: String) -> Self { Self(400, "validation_failed", message) }
}

extension SupabaseError {
    static let manualLinkingDisabled = Self(404, "manual_linking_disabled", "Manual linking is disabled")
}
