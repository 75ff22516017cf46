/// Operations of user-service on clients: back ends and jobs that get tokens of their own.
package enum ClientOperations {
    package static let grant = InternalOperation<ClientGrantRequest, ClientGrantAnswer, InvalidRequestOnly>(
        .post, "/internal/clients/grant", from: [.gateway])
    package static let create = InternalOperation<CreateClientRequest, Done, ClientRefusal>(
        .post, "/internal/control/clients/create", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let list = InternalOperation<NoBody, ClientList, NoRefusal>(
        .get, "/internal/control/clients", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let rotate = InternalOperation<RotateClientRequest, Done, ClientRefusal>(
        .post, "/internal/control/clients/rotate", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let setKey = InternalOperation<ClientKeyRequest, Done, ClientRefusal>(
        .post, "/internal/control/clients/key", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let end = InternalOperation<EndClientRequest, Done, ClientRefusal>(
        .post, "/internal/control/clients/end", from: [.control], timeLimit: TimeLimit.ofOperators)
}

/// Why the operator's change of a client is refused.
package enum ClientRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// There is no such client, or it is revoked.
    case notFound = "not_found"
    /// Another client has the id.
    case taken
    /// The key verifies no signature that is accepted.
    case keyRefused = "key_refused"
    case tooMany = "too_many"
}

extension TokenOperations {
    package static let issueToClient = InternalOperation<ClientTokenIssueRequest, ClientAccessToken, IssueRefusal>(
        .post, "/internal/clients/token", from: [.gateway])
    package static let revokeClient = InternalOperation<RevokeClientRequest, Done, InvalidRequestOnly>(
        .post, "/internal/clients/revoke", from: [.user])
}
