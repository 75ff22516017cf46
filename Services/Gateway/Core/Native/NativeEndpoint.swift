internal import EdgeHTTP
internal import InternalAPI

/// One endpoint of our own API: it reads the client's request and writes the answer in the native shape.
protocol NativeEndpoint: Sendable {
    /// - Throws: `ServiceUnavailable`, which becomes 503 with Retry-After.
    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply
}

/// The native dialect.
enum Native {
    /// Its name in policies and session rows.
    static let dialect = "native"
}

extension EndpointRequest {
    var userAgent: String? { head.text("user-agent").map { String($0.prefix(256)) } }

    /// The access token in the Authorization header.
    var bearer: String? {
        guard case .token(let token) = BearerCredential(head) else { return nil }
        return String(decoding: token, as: UTF8.self)
    }
}
