import FoundationEssentials

/// HAProxy as an edge that does the same: signature, `iss`, `exp`, the user's id in a header, no Authorization upstream.
struct HAProxyPeer: Sendable {
    let port: Int
    let upstreamPort: Int
    let issuer: String
    /// The public key, of type RSA, as PEM.
    let publicKey: String
    /// The certificate; `nil` for plain HTTP.
    let certificate: EdgeCertificate?
    let folder: String

    /// The process, its settings written to `folder`.
    func process(core: Int) throws -> PinnedProcess {
        try publicKey.write(toFile: keyFile, atomically: true, encoding: .utf8)
        let file = folder + "/haproxy.cfg"
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
        return PinnedProcess(
            core: core, executable: "/usr/sbin/haproxy", arguments: ["-db", "-q", "-f", file], port: port)
    }

    private var keyFile: String { folder + "/public.pem" }

    /// For connections that rest over TLS it would want more open files than there may be, and not start.
    private var limits: String {
        guard certificate != nil else { return "  maxconn 4096" }
        return "  maxconn 12000\n  no strict-limits\n  tune.ssl.cachesize 0"
    }

    /// The listener with the gateway's settings: version 1.3, the cipher suite that the client prefers, tickets and no
    /// cache of sessions.
    private var listener: String {
        guard let certificate else { return "" }
        return " ssl crt \(certificate.pair) ssl-min-ver TLSv1.3 curves X25519 alpn http/1.1"
    }

    private var settings: String {
        """
        global
          nbthread 1
        \(limits)
        defaults
          mode http
          timeout connect 2s
          timeout client 60s
          timeout server 60s
          http-reuse always
        frontend edge
          bind 127.0.0.1:\(port)\(listener)
          http-request deny status 401 unless { req.hdr(authorization) -m found }
          http-request set-var(txn.bearer) http_auth_bearer
          http-request set-var(txn.alg) var(txn.bearer),jwt_header_query('$.alg')
          http-request deny status 401 unless { var(txn.alg) -m str RS256 }
          http-request deny status 401 unless { var(txn.bearer),jwt_verify(txn.alg,"\(keyFile)") 1 }
          http-request set-var(txn.iss) var(txn.bearer),jwt_payload_query('$.iss')
          http-request deny status 401 unless { var(txn.iss) -m str \(issuer) }
          http-request set-var(txn.exp) var(txn.bearer),jwt_payload_query('$.exp','int')
          http-request set-var(txn.now) date()
          http-request deny status 401 if { var(txn.exp),sub(txn.now) -m int le 0 }
          http-request del-header x-user-id
          http-request set-header x-user-id %[var(txn.bearer),jwt_payload_query('$.sub')]
          http-request del-header authorization
          default_backend api
        backend api
          server upstream 127.0.0.1:\(upstreamPort)

        """
    }
}
