internal import InternalAPI

/// `GET /.well-known/jwks.json`: the public keys, for upstreams that verify tokens themselves (RFC 7517).
struct KeySetEndpoint: NativeEndpoint {
    let keys: KeySetRefresher
    let maxAgeSeconds: Int

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        guard let published = keys.published else {
            throw ServiceUnavailable(service: "token", reason: "no key set has been fetched yet")
        }
        return NativeReply.ok(published, cacheControl: "public, max-age=\(maxAgeSeconds)")
    }
}
