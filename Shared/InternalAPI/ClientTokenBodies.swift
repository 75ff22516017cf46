package import AuthAPI

/// A confidential client's question about a token, or its order to end one.
package struct ClientTokenRequest: Codable, Sendable, Equatable {
    package var clientID: String
    package var clientSecret: String
    package var token: String
    /// The client's address, for the limit of failures.
    package var address: String

    package init(clientID: String, clientSecret: String, token: String, address: String) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.token = token
        self.address = address
    }
}

/// What came of a `ClientTokenRequest`.
package enum ClientTokenResult: String, Codable, Sendable {
    case done
    /// No such client, another secret, or no clients at all.
    case invalidClient = "invalid_client"
    case rateLimited = "rate_limited"
}

package struct ClientTokenAnswer: Codable, Sendable, Equatable {
    package var result: ClientTokenResult
    /// With `done` of an introspection.
    package var introspection: IntrospectionReply?
    /// With `rateLimited`.
    package var retryAfterSeconds: Int64?

    package init(
        _ result: ClientTokenResult, introspection: IntrospectionReply? = nil, retryAfterSeconds: Int64? = nil
    ) {
        self.result = result
        self.introspection = introspection
        self.retryAfterSeconds = retryAfterSeconds
    }
}
