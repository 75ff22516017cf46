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

    private static let limitSeconds: Int64 = 60

    let token: ServiceClient

    /// Returns the state of the token (RFC 7662).
    func introspect(_ question: Question, _ call: ClientCall) async throws(Refusal) -> IntrospectionReply {
        let answer = try await answer(TokenOperations.introspect, question, call)
        guard let introspection = answer.introspection else { throw .unavailable }
        return introspection
    }

    /// Revokes the token's session (RFC 7009).
    func revoke(_ question: Question, _ call: ClientCall) async throws(Refusal) {
        _ = try await answer(TokenOperations.revokeByClient, question, call)
    }

    private func answer(
        _ operation: InternalOperation<ClientTokenRequest, ClientTokenAnswer, InvalidRequestOnly>, _ question: Question,
        _ call: ClientCall
    ) async throws(Refusal) -> ClientTokenAnswer {
        let request = ClientTokenRequest(
            clientID: question.clientID, clientSecret: question.clientSecret, token: question.token,
            address: call.address)
        guard case .answer(let answer) = try await token.ask(operation, request, for: call) else {
            throw .invalidMember
        }
        switch answer.result {
        case .done: return answer
        case .invalidClient: throw .clientRefused
        case .rateLimited: throw .tooMany(retryAfterSeconds: answer.retryAfterSeconds ?? Self.limitSeconds)
        }
    }
}
