import AuthAPI
import EdgeHTTP
import InternalAPI

extension Reply {
    /// Creates a refusal in our own words, as problem details (RFC 9457) with a numeric `status`.
    static func problem(_ words: RefusalWords) -> Reply {
        .json(
            Problem(
                status: words.status, code: words.code, title: words.title, detail: words.detail,
                reason: words.reason, limit: words.limit?.rawValue, retryAfter: words.retryAfterSeconds,
                mergeToken: words.mergeToken, movesAt: words.movesAt, methods: words.methods,
                restoreToken: words.restoreToken, mfaToken: words.mfaToken),
            status: words.status, mediaType: Problem.mediaType, headers: words.allHeaders)
    }
}
