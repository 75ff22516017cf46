package import AuthAPI

/// A confidential client's request to introspect or revoke a token.
package struct ClientTokenRequest: Codable, Sendable, Equatable {
    package var clientID: String
    package var clientSecret: String
    package var token: String
    /// The client's IP address, for the limit of failed requests.
    package var address: String

    package init(clientID: String, clientSecret: String, token: String, address: String) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.token = token
        self.address = address
    }
}

/// The outcome of a `ClientTokenRequest`.
package enum ClientTokenResult: String, Codable, Sendable {
    case done
    /// The client is unknown, its secret is wrong, or the policy has no confidential clients.
    case invalidClient = "invalid_client"
    case rateLimited = "rate_limited"
}

package struct ClientTokenAnswer: Codable, Sendable, Equatable {
    package var result: ClientTokenResult
    /// The result of an introspection; only with `done`.
    package var introspection: IntrospectionReply?
    /// Seconds until another try is allowed; only with `rateLimited`.
    package var retryAfterSeconds: Int64?

    package init(
        _ result: ClientTokenResult, introspection: IntrospectionReply? = nil, retryAfterSeconds: Int64? = nil
    ) {
        self.result = result
        self.introspection = introspection
        self.retryAfterSeconds = retryAfterSeconds
    }
}
