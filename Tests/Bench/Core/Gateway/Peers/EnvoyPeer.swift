import FoundationEssentials

/// Envoy as an edge that does the same, with its cache of verified tokens; one worker.
enum EnvoyPeer {
    /// More than the tokens that come in turn.
    private static let cachedTokensMax = 4096

    /// The process, its settings written to the gateway's folder; nil unless `deploy/bench` has found or installed Envoy.
    static func process(as gateway: GatewayUnderLoad, at port: Int, core: Int) throws -> PinnedProcess? {
        let executable = ProcessInfo.processInfo.environment["LATCHKEY_BENCH_ENVOY"] ?? ""
        guard FileManager.default.isExecutableFile(atPath: executable) else { return nil }
        let keyFile = gateway.folder + "/jwks.json"
        try Data(gateway.tokens.publishedKeySet).write(to: URL(filePath: keyFile))
        let file = gateway.folder + "/envoy.json"
        try settings(gateway, port, keyFile).write(toFile: file, atomically: true, encoding: .utf8)
        return PinnedProcess(
            core: core, executable: executable,
            arguments: ["-c", file, "--concurrency", "1", "--disable-hot-restart", "-l", "error"], port: port)
    }

    private static func settings(_ gateway: GatewayUnderLoad, _ port: Int, _ keyFile: String) -> String {
        """
        {"static_resources": {
          "listeners": [{"name": "edge", "address": \(address(port)),
            "filter_chains": [{\(transport(gateway.certificate))"filters": [{
              "name": "envoy.filters.network.http_connection_manager",
              "typed_config": {
                "@type": "\(type("network.http_connection_manager.v3.HttpConnectionManager"))",
                "stat_prefix": "edge", "codec_type": "AUTO",
                "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [
                  {"match": {"prefix": "/"}, "route": {"cluster": "upstream"}}]}]},
                "http_filters": [
                  {"name": "envoy.filters.http.jwt_authn", "typed_config": {
                    "@type": "\(type("http.jwt_authn.v3.JwtAuthentication"))",
                    "providers": {"latchkey": {
                      "issuer": "\(gateway.tokens.issuer)", "audiences": ["\(gateway.tokens.audience)"],
                      "forward": false, "clock_skew_seconds": 1, "local_jwks": {"filename": "\(keyFile)"},
                      "jwt_cache_config": {"jwt_cache_size": \(cachedTokensMax)},
                      "claim_to_headers": [{"header_name": "x-user-id", "claim_name": "sub"}]}},
                    "rules": [{"match": {"prefix": "/"}, "requires": {"provider_name": "latchkey"}}]}},
                  {"name": "envoy.filters.http.router", "typed_config": {"@type": "\(type("http.router.v3.Router"))"}}]}}]}]}],
          "clusters": [{
            "name": "upstream", "type": "STATIC", "connect_timeout": "2s",
            "load_assignment": {"cluster_name": "upstream", "endpoints": [{"lb_endpoints": [
              {"endpoint": {"address": \(address(gateway.upstream.port))}}]}]}}]}}
        """
    }

    /// Version 1.3 and what it chooses itself, with tickets, which it gives unless told otherwise.
    private static func transport(_ certificate: EdgeCertificate?) -> String {
        guard let certificate else { return "" }
        return """
            "transport_socket": {"name": "envoy.transport_sockets.tls", "typed_config": {
              "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
              "common_tls_context": {"alpn_protocols": ["h2", "http/1.1"], "tls_params": {"ecdh_curves": ["X25519"],
                "tls_minimum_protocol_version": "TLSv1_3", "tls_maximum_protocol_version": "TLSv1_3"},
                "tls_certificates": [{"certificate_chain": {"filename": "\(certificate.chain)"},
                  "private_key": {"filename": "\(certificate.key)"}}]}}},
            """
    }

    private static func type(_ name: String) -> String { "type.googleapis.com/envoy.extensions.filters.\(name)" }

    private static func address(_ port: Int) -> String {
        #"{"socket_address": {"address": "127.0.0.1", "port_value": \#(port)}}"#
    }
}
