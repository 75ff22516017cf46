/// Operations of user-service on identities at Apple and OpenID Connect providers.
package enum IdentityOperations {
    package static let prove = InternalOperation<IdentityTokenRequest, IdentityTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/prove", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens,
        repeats: .harmless)
}
