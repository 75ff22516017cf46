import AuthAPI
import EdgeHTTP

extension Reply {
    /// Creates a refusal in our own words, as problem details (RFC 9457) with a numeric `status`.
    static func problem(_ words: RefusalWords) -> Reply {
        .json(
            Problem(
                status: words.status, code: words.code, title: words.title, detail: words.detail,
                reason: words.reason, retryAfter: words.retryAfterSeconds),
            status: words.status, mediaType: Problem.mediaType, headers: words.allHeaders)
    }
}
