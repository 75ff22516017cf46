import FoundationEssentials

/// HAProxy as an edge that does the same: signature, `iss`, `exp`, the user's id in a header, no Authorization upstream.
enum HAProxyPeer {
    /// The process, its settings written to the gateway's folder.
    static func process(as gateway: GatewayUnderLoad, at port: Int, core: Int) throws -> PinnedProcess {
        let keyFile = gateway.folder + "/public.pem"
        try gateway.tokens.publicKey.write(toFile: keyFile, atomically: true, encoding: .utf8)
        let file = gateway.folder + "/haproxy.cfg"
        try settings(gateway, port, keyFile).write(toFile: file, atomically: true, encoding: .utf8)
        return PinnedProcess(
            core: core, executable: "/usr/sbin/haproxy", arguments: ["-db", "-q", "-f", file], port: port)
    }

    private static func settings(_ gateway: GatewayUnderLoad, _ port: Int, _ keyFile: String) -> String {
        // For idle connections over TLS it would want more open files than there may be, and not start.
        let limits = gateway.certificate.map { _ in "maxconn 12000\n  no strict-limits\n  tune.ssl.cachesize 0" }
        // The gateway's settings: version 1.3, the cipher suite that the client prefers, tickets and no cache of sessions.
        let tls = gateway.certificate.map { " ssl crt \($0.pair) ssl-min-ver TLSv1.3 curves X25519 alpn h2,http/1.1" }
        return """
            global
              nbthread 1
              \(limits ?? "maxconn 4096")
            defaults
              mode http
              timeout connect 2s
              timeout client 60s
              timeout server 60s
              http-reuse always
            frontend edge
              bind 127.0.0.1:\(port)\(tls ?? "")
              http-request deny status 401 unless { req.hdr(authorization) -m found }
              http-request set-var(txn.bearer) http_auth_bearer
              http-request set-var(txn.alg) var(txn.bearer),jwt_header_query('$.alg')
              http-request deny status 401 unless { var(txn.alg) -m str RS256 }
              http-request deny status 401 unless { var(txn.bearer),jwt_verify(txn.alg,"\(keyFile)") 1 }
              http-request set-var(txn.iss) var(txn.bearer),jwt_payload_query('$.iss')
              http-request deny status 401 unless { var(txn.iss) -m str \(gateway.tokens.issuer) }
              http-request set-var(txn.exp) var(txn.bearer),jwt_payload_query('$.exp','int')
              http-request set-var(txn.now) date()
              http-request deny status 401 if { var(txn.exp),sub(txn.now) -m int le 0 }
              http-request del-header x-user-id
              http-request set-header x-user-id %[var(txn.bearer),jwt_payload_query('$.sub')]
              http-request del-header authorization
              default_backend api
            backend api
              server upstream 127.0.0.1:\(gateway.upstream.port)

            """
    }
}
