import EdgeHTTP
import InternalAPI

/// Refusals as howru's document prints them, or problem details (RFC 9457) for those that it does not print. The printed ones have
/// members more, by which our clients tell causes apart.
extension NativeDialect {
    func reply(to refusal: Refusal) -> Reply {
        let words = RefusalWords(refusal)
        return switch refusal {
        case .wrongCode, .codeExpired: Self.codeRefused(words.code)
        case .tooMany(let limit, let seconds), .tooManyGuesses(let limit, let seconds):
            Self.rateLimited(limit, retryAfterSeconds: seconds)
        default: .problem(words)
        }
    }

    /// Returns a 401 as howru prints it, with the code of our own refusal.
    private static func codeRefused(_ code: String) -> Reply {
        struct Body: Encodable {
            let success = false
            let error = "Invalid or expired verification code"
            let code: String
        }
        return .json(Body(code: code), status: 401)
    }

    /// Returns a 429 as howru prints it, with our code and the kind of limit.
    private static func rateLimited(_ limit: LimitKind, retryAfterSeconds: Int64) -> Reply {
        struct Body: Encodable {
            let error = "rate_limited"
            let code = "rate_limited"
            let retryAfter: Int64
            let limit: LimitKind
        }
        return .json(
            Body(retryAfter: retryAfterSeconds, limit: limit), status: 429,
            headers: [("Retry-After", "\(retryAfterSeconds)")])
    }
}
