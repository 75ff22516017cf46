import AuthAPI
import InternalAPI

/// Confidential clients' questions about tokens. token-service knows the clients and checks the token in its own database.
struct ClientTokens: Sendable {
    /// A client's secret and the token that it asks about.
    struct Question: Sendable {
        var clientID: String
        var clientSecret: String
        var token: String
    }

    let token: ServiceClient

    /// Returns the state of the token (RFC 7662).
    func introspect(_ question: Question, _ call: ClientCall) async throws(Refusal) -> IntrospectionReply {
        try await token.settle(TokenOperations.introspect, request(question, call), for: call).introspection
            .orUnavailable()
    }

    /// Revokes the token's session (RFC 7009).
    func revoke(_ question: Question, _ call: ClientCall) async throws(Refusal) {
        try await token.settle(TokenOperations.revokeByClient, request(question, call), for: call)
    }

    private func request(_ question: Question, _ call: ClientCall) -> ClientTokenRequest {
        ClientTokenRequest(
            clientID: question.clientID, clientSecret: question.clientSecret, token: question.token,
            address: call.address)
    }
}
