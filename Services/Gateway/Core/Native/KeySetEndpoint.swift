internal import EdgeHTTP
internal import InternalAPI

/// `GET /.well-known/jwks.json`: the public keys, for upstreams that verify tokens themselves (RFC 7517).
struct KeySetEndpoint: NativeEndpoint {
    let keys: KeySetRefresher
    /// A key signs only after it has been published for longer than this; no copy may be older when it does.
    let maxAgeSeconds: Int

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        guard let published = keys.published(now: MonotonicTime.nanoseconds()) else {
            throw ServiceUnavailable(service: "token", reason: "no key set has been fetched yet")
        }
        // Our copy has an age of its own, which counts.
        let rest = max(0, maxAgeSeconds - published.ageSeconds)
        return NativeReply.ok(published.keys, cacheControl: "public, max-age=\(rest)")
    }
}
