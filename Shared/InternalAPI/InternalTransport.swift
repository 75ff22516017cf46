/// One request between two of our processes; the transport adds the assertion.
package struct InternalRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// Path with query, e.g. `/internal/sessions`.
    package var path: String
    /// The time limit for all attempts together.
    package var timeLimit: Duration
    /// The caller's access token, for requests on behalf of a signed-in user.
    package var accessToken: String?
    /// The id that identifies a client's request in all logs.
    package var requestID: String?
    /// The body as JSON; empty if there is none.
    package var body: [UInt8]

    package init(
        _ method: Method, _ path: String, timeLimit: Duration, accessToken: String? = nil, requestID: String? = nil,
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.timeLimit = timeLimit
        self.accessToken = accessToken
        self.requestID = requestID
        self.body = body
    }
}

/// The response to an `InternalRequest`.
package struct InternalResponse: Sendable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Carries requests from one process to another, asserted with the pair key.
///
/// Every operation is harmless to repeat, so a transport may resend a request if the connection closed before a
/// response came.
package protocol InternalTransport: Sendable {
    /// Sends `request` and returns the whole response, whatever its status.
    ///
    /// - Throws: `ServiceUnavailable` if no replica responded within the request's time limit.
    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse
}

/// A service did not respond, or broke the contract. Clients get 503 with Retry-After, never 401.
package struct ServiceUnavailable: Error, Sendable, CustomStringConvertible {
    package let service: String
    /// The cause, for the log; contains no secrets.
    package let reason: String

    package init(service: String, reason: String) {
        self.service = service
        self.reason = reason
    }

    package var description: String { "\(service) is unavailable: \(reason)" }
}
