import FoundationEssentials

/// HAProxy as an edge that does the same: signature, `iss`, `exp`, the user's id in a header, no Authorization upstream.
struct HAProxyPeer: Sendable {
    let port: Int
    let upstreamPort: Int
    let issuer: String
    /// The public key, of type RSA, as PEM.
    let publicKey: String
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

    private var settings: String {
        """
        global
          nbthread 1
          maxconn 4096
        defaults
          mode http
          timeout connect 2s
          timeout client 60s
          timeout server 60s
          http-reuse always
        frontend edge
          bind 127.0.0.1:\(port)
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
