import FoundationEssentials

/// Envoy as an edge that does the same, with its cache of verified tokens; one worker.
struct EnvoyPeer: Sendable {
    /// More than the tokens that come in turn.
    private static let cachedTokensMax = 4096

    let executable: String
    let port: Int
    let upstreamPort: Int
    let issuer: String
    let audience: String
    /// The key set as the stack publishes it.
    let keySet: [UInt8]
    /// The certificate; `nil` for plain HTTP.
    let certificate: EdgeCertificate?
    let folder: String

    /// The executable that `deploy/bench` has found or installed, or nil.
    static var installed: String? {
        let path = ProcessInfo.processInfo.environment["LATCHKEY_BENCH_ENVOY"] ?? ""
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// The process, its settings written to `folder`.
    func process(core: Int) throws -> PinnedProcess {
        try Data(keySet).write(to: URL(filePath: keyFile))
        let file = folder + "/envoy.json"
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
        return PinnedProcess(
            core: core, executable: executable,
            arguments: ["-c", file, "--concurrency", "1", "--disable-hot-restart", "-l", "error"], port: port)
    }

    private var keyFile: String { folder + "/jwks.json" }

    private var settings: String {
        """
        {"static_resources": {
          "listeners": [{
            "name": "edge",
            "address": \(Self.address(port)),
            "filter_chains": [{\(transport)"filters": [{
              "name": "envoy.filters.network.http_connection_manager",
              "typed_config": {
                "@type": "\(Self.type("network.http_connection_manager.v3.HttpConnectionManager"))",
                "stat_prefix": "edge", "codec_type": "HTTP1",
                "route_config": {"virtual_hosts": [{
                  "name": "all", "domains": ["*"],
                  "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "upstream"}}]}]},
                "http_filters": [\(tokenFilter), {
                  "name": "envoy.filters.http.router",
                  "typed_config": {"@type": "\(Self.type("http.router.v3.Router"))"}}]}}]}]}],
          "clusters": [{
            "name": "upstream", "type": "STATIC", "connect_timeout": "2s",
            "load_assignment": {"cluster_name": "upstream", "endpoints": [{"lb_endpoints": [
              {"endpoint": {"address": \(Self.address(upstreamPort))}}]}]}}]}}
        """
    }

    /// Version 1.3 and what it chooses itself, with tickets, which it gives unless told otherwise.
    private var transport: String {
        guard let certificate else { return "" }
        return """
            "transport_socket": {"name": "envoy.transport_sockets.tls", "typed_config": {
              "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
              "common_tls_context": {
                "tls_params": {
                  "tls_minimum_protocol_version": "TLSv1_3", "tls_maximum_protocol_version": "TLSv1_3",
                  "ecdh_curves": ["X25519"]},
                "tls_certificates": [{
                  "certificate_chain": {"filename": "\(certificate.chain)"},
                  "private_key": {"filename": "\(certificate.key)"}}],
                "alpn_protocols": ["http/1.1"]}}},
            """
    }

    private var tokenFilter: String {
        """
        {"name": "envoy.filters.http.jwt_authn", "typed_config": {
          "@type": "\(Self.type("http.jwt_authn.v3.JwtAuthentication"))",
          "providers": {"latchkey": {
            "issuer": "\(issuer)", "audiences": ["\(audience)"], "forward": false, "clock_skew_seconds": 1,
            "local_jwks": {"filename": "\(keyFile)"},
            "jwt_cache_config": {"jwt_cache_size": \(Self.cachedTokensMax)},
            "claim_to_headers": [{"header_name": "x-user-id", "claim_name": "sub"}]}},
          "rules": [{"match": {"prefix": "/"}, "requires": {"provider_name": "latchkey"}}]}}
        """
    }

    private static func type(_ name: String) -> String { "type.googleapis.com/envoy.extensions.filters.\(name)" }

    private static func address(_ port: Int) -> String {
        #"{"socket_address": {"address": "127.0.0.1", "port_value": \#(port)}}"#
    }
}
