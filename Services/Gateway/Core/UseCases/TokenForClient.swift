import AuthAPI
import InternalAPI

/// Gets a token for a client: user-service judges the client by its row, and token-service signs.
struct TokenForClient: Sendable {
    let user: ServiceClient
    let token: ServiceClient

    /// - Parameter endpoint: the token endpoint's URL; `nil` if it is unknown.
    func callAsFunction(
        _ proof: ClientProof, endpoint: String?, _ call: ClientCall
    ) async throws(Refusal) -> ClientTokenReply {
        let request = ClientGrantRequest(
            proof: proof, tokenEndpoint: endpoint, address: call.address, callID: CallID.random())
        let grant = try await user.settle(ClientOperations.grant, request, for: call).grant.orUnavailable()
        // The client is not to blame for a grant that the service does not accept.
        let signed = try await token.answer(
            TokenOperations.issueToClient, ClientTokenIssueRequest(grant: grant), for: call, refusedAs: .unavailable)
        return ClientTokenReply(accessToken: signed.accessToken, expiresIn: signed.expiresIn)
    }
}
