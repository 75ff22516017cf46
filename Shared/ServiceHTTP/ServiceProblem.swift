import AuthAPI
package import HTTPTypes
package import Hummingbird
package import InternalAPI

/// An error with its response: a problem body with a stable code (RFC 9457).
package struct ServiceProblem: Error, HTTPResponseError {
    package let status: HTTPResponse.Status
    package let code: String
    package let title: String
    package let retryAfterSeconds: Int64?
    /// The invalid member of the request, for a caller that reports it to its own client.
    package let member: String?

    package init(
        _ status: HTTPResponse.Status, code: String, _ title: String, retryAfterSeconds: Int64? = nil,
        member: String? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.retryAfterSeconds = retryAfterSeconds
        self.member = member
    }

    /// Creates the response to a request that the service refuses.
    ///
    /// - Parameter title: `nil` for the sentence of the refusal's code.
    package init(_ refusal: some InternalRefusal, _ title: String? = nil, member: String? = nil) {
        self.init(
            HTTPResponse.Status(code: refusal.status), code: refusal.rawValue, title ?? refusal.code.title,
            member: member)
    }

    /// Returns the response if a dependency failed: 503, to be retried in about a second.
    package static func unavailable(_ what: String, retryAfterSeconds: Int64 = 1) -> ServiceProblem {
        ServiceProblem(
            .serviceUnavailable, code: "unavailable", "\(what) is unavailable", retryAfterSeconds: retryAfterSeconds)
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let problem = Problem(status: status.code, code: code, title: title, retryAfter: retryAfterSeconds)
        var response = try jsonResponse(NamingProblem(problem: problem, member: member), status: status)
        response.headers[.contentType] = Problem.mediaType
        if let retryAfterSeconds { response.headers[.retryAfter] = String(retryAfterSeconds) }
        return response
    }
}

/// A problem body that also names a member of the request.
private struct NamingProblem: Encodable {
    private enum Name: String, CodingKey { case member }

    let problem: Problem
    let member: String?

    func encode(to encoder: any Encoder) throws {
        try problem.encode(to: encoder)
        var members = encoder.container(keyedBy: Name.self)
        try members.encodeIfPresent(member, forKey: .member)
    }
}
