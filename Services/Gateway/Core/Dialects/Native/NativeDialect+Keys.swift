import EdgeHTTP

/// Public keys, for whoever verifies what the gateway hands out (RFC 7517).
extension NativeDialect {
    /// `GET /.well-known/jwks.json`: those of access tokens.
    @Sendable func accessTokenKeys(
        _ request: EndpointRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        reply(with: try useCases.keys.accessTokens())
    }

    /// `GET /.well-known/latchkey-identity.json`: those of the proofs of identity that upstreams get.
    @Sendable func identityKeys(
        _ request: EndpointRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        reply(with: try useCases.keys.identityProofs())
    }

    private func reply(with copy: PublishedKeys.Copy) -> Reply {
        .json(copy.keys, cacheControl: "public, max-age=\(copy.ageSecondsMax)")
    }
}
