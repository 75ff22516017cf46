import EdgeHTTP

/// Public keys for services that verify the tokens of the gateway (RFC 7517).
extension NativeDialect {
    /// `GET /.well-known/jwks.json`: returns the keys of access tokens.
    @Sendable func accessTokenKeys(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        reply(with: try useCases.keys.accessTokens())
    }

    /// `GET /.well-known/latchkey-identity.json`: returns the keys of the identity proofs that upstreams get.
    @Sendable func identityKeys(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        reply(with: try useCases.keys.identityProofs())
    }

    private func reply(with copy: PublishedKeys.Copy) -> Reply {
        .json(copy.keys, cacheControl: "public, max-age=\(copy.ageSecondsMax)")
    }
}
