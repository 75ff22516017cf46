internal import AuthAPI
package import HTTPTypes
package import Hummingbird

/// An error that knows its answer: a problem body with a stable code (RFC 9457).
package struct ServiceProblem: Error, HTTPResponseError {
    package let status: HTTPResponse.Status
    package let code: String
    package let title: String
    package let retryAfterSeconds: Int64?

    package init(_ status: HTTPResponse.Status, code: String, _ title: String, retryAfterSeconds: Int64? = nil) {
        self.status = status
        self.code = code
        self.title = title
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// A dependency failed: 503, to be tried again in a second.
    package static func unavailable(_ what: String) -> ServiceProblem {
        ServiceProblem(.serviceUnavailable, code: "unavailable", "\(what) is unavailable", retryAfterSeconds: 1)
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let problem = Problem(status: status.code, code: code, title: title, retryAfter: retryAfterSeconds)
        var response = try jsonResponse(problem, status: status)
        response.headers[.contentType] = Problem.mediaType
        if let retryAfterSeconds { response.headers[.retryAfter] = String(retryAfterSeconds) }
        return response
    }
}
