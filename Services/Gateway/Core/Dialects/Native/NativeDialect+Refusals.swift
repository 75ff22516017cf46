import EdgeHTTP

/// Refusals as howru's document prints them, or problem details (RFC 9457) for those that it does not print.
extension NativeDialect {
    func reply(to refusal: Refusal) -> Reply {
        switch refusal {
        case .wrongCode, .codeExpired: Self.wrongCode
        case .tooMany(let seconds), .tooManyGuesses(let seconds): Self.rateLimited(retryAfterSeconds: seconds)
        default: .problem(RefusalWords(refusal))
        }
    }

    /// A 401 as howru prints it.
    private static var wrongCode: Reply {
        struct Body: Encodable {
            let success = false
            let error = "Invalid or expired verification code"
        }
        return .json(Body(), status: 401)
    }

    /// Returns a 429 as howru prints it.
    private static func rateLimited(retryAfterSeconds: Int64) -> Reply {
        struct Body: Encodable {
            let error = "rate_limited"
            let retryAfter: Int64
        }
        return .json(
            Body(retryAfter: retryAfterSeconds), status: 429, headers: [("Retry-After", "\(retryAfterSeconds)")])
    }
}
