internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI
internal import StrictJSON

/// Answers in the native shape: howru's where its document defines one, problem details elsewhere.
enum NativeReply {
    /// 200 with a JSON body.
    static func ok(_ value: some Encodable, cacheControl: String = "no-store") -> Reply {
        json(value, status: 200, mediaType: "application/json", cacheControl: cacheControl)
    }

    /// 429 as howru prints it.
    static func rateLimited(retryAfterSeconds: Int64) -> Reply {
        struct Body: Encodable {
            let error = "rate_limited"
            let retryAfter: Int64
        }
        return json(
            Body(retryAfter: retryAfterSeconds), status: 429, mediaType: "application/json",
            headers: [("Retry-After", "\(retryAfterSeconds)")])
    }

    /// 401 as howru prints it, the same for wrong, expired, used and unknown codes.
    static func invalidCode() -> Reply {
        struct Body: Encodable {
            let success = false
            let error = "Invalid or expired verification code"
        }
        return json(Body(), status: 401, mediaType: "application/json")
    }

    /// A problem (RFC 9457).
    static func problem(
        _ status: Int, _ code: String, _ title: String, retryAfterSeconds: Int64? = nil,
        headers: [(String, String)] = []
    ) -> Reply {
        let retry = retryAfterSeconds.map { [("Retry-After", "\($0)")] } ?? []
        return json(
            Problem(status: status, code: code, title: title, retryAfter: retryAfterSeconds), status: status,
            mediaType: Problem.mediaType, headers: headers + retry)
    }

    static func invalidRequest(_ title: String) -> Reply { problem(400, "invalid_request", title) }

    /// A dependency failed: never 401, which would sign the phone out.
    static func unavailable() -> Reply {
        problem(503, "unavailable", "The service is unavailable, try again", retryAfterSeconds: 1)
    }

    static func inactive() -> Reply { problem(403, "account_inactive", "The account is not active") }

    static func deletionScheduled() -> Reply {
        problem(409, "deletion_scheduled", "The account waits for its deletion")
    }

    /// 401 for an access token (RFC 6750 section 3.1: no error code when no credentials came).
    static func unauthorized(code: String, _ title: String) -> Reply {
        let challenge = code == "missing_token" ? "Bearer" : "Bearer error=\"invalid_token\""
        return problem(401, code, title, headers: [("WWW-Authenticate", challenge)])
    }

    /// Any answer with a JSON body.
    static func json(
        _ value: some Encodable, status: Int, mediaType: String, cacheControl: String = "no-store",
        headers: [(String, String)] = []
    ) -> Reply {
        do {
            let body = try StrictJSON.encode(value)
            return Reply(
                status: status,
                headers: [
                    ("Content-Type", mediaType), ("Cache-Control", cacheControl), ("X-Content-Type-Options", "nosniff"),
                ] + headers, body: body)
        } catch {
            return Reply(status: 500, headers: [], body: [])
        }
    }
}
