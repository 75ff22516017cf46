internal import EdgeHTTP
internal import InternalAPI

/// `GET /.well-known/latchkey-identity.json`: the public keys of the proofs of identity (RFC 7517).
struct IdentityKeysEndpoint: NativeEndpoint {
    /// Keys change by hand alone, with the new one published before it signs.
    static let maxAgeSeconds = 300

    /// Nil: no route of the policy asks for proofs.
    let signer: IdentitySigner?

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        guard let signer else { return NativeReply.problem(404, "not_found", "There is nothing here") }
        return NativeReply.ok(signer.published, cacheControl: "public, max-age=\(Self.maxAgeSeconds)")
    }
}
