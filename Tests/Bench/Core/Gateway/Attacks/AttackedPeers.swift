import FoundationEssentials
import TestSupport

/// HAProxy and nginx as plain edges before the same upstreams, with their usual limits, to be attacked as the gateway is.
enum AttackedPeers {
    /// Fewer than the half of the descriptors that a machine usually gives: a proxied request takes two.
    private static let connectionsMax = 9_000
    private static let core = 0

    /// Runs `body` with each of them in turn.
    static func run(
        _ attacked: AttackedGateway, _ body: (EdgeUnderTest) async throws -> Void
    ) async throws {
        let (gateway, ports) = (attacked.gateway, attacked.series.upstreamPorts)
        for (name, executable, arguments, text) in [
            ("haproxy", "/usr/sbin/haproxy", ["-db", "-q", "-f"], haproxy),
            ("nginx", "/usr/sbin/nginx", ["-e", gateway.folder + "/edge.log", "-c"], nginx),
        ] {
            guard FileManager.default.isExecutableFile(atPath: executable) else { continue }
            let port = try await FreePort.find()
            let file = "\(gateway.folder)/edge-\(name).conf"
            try text(port, ports, gateway).write(toFile: file, atomically: true, encoding: .utf8)
            try await PinnedProcess(core: core, executable: executable, arguments: arguments + [file], port: port)
                .run { process in
                    try await body(
                        EdgeUnderTest(
                            name: name, port: port, tls: gateway.certificate?.client, process: process))
                }
        }
    }

    private static func haproxy(_ port: Int, _ upstreams: [Int], _ gateway: GatewayUnderLoad) -> String {
        let listener = gateway.certificate.map { " ssl crt \($0.pair) ssl-min-ver TLSv1.3" } ?? ""
        return """
            global
              nbthread 1
              maxconn \(connectionsMax)
              no strict-limits
            defaults
              mode http
              timeout connect 2s
              timeout http-request 10s
              timeout client 30s
              timeout server 60s
            frontend edge
              bind 127.0.0.1:\(port)\(listener)
              http-request return status 404 if { path /nothing }
              http-request return status 200 content-type application/json string "{}" if { path /.well-known/jwks.json }
              use_backend stalled if { path_beg /stalled/ }
              default_backend api
            backend api
              server upstream 127.0.0.1:\(upstreams[0])
            backend stalled
              server upstream 127.0.0.1:\(upstreams[1])

            """
    }

    private static func nginx(_ port: Int, _ upstreams: [Int], _ gateway: GatewayUnderLoad) -> String {
        let folder = gateway.folder
        let (way, certificate) =
            gateway.certificate.map {
                (" ssl", "ssl_protocols TLSv1.3; ssl_certificate \($0.chain); ssl_certificate_key \($0.key);")
            } ?? ("", "")
        return """
            daemon off; master_process off;
            pid \(folder)/edge.pid; error_log \(folder)/edge.log;
            events { worker_connections \(2 * connectionsMax); }
            http {
                access_log off;
                client_body_temp_path \(folder)/edge-bodies; proxy_temp_path \(folder)/edge-answers;
                upstream api { server 127.0.0.1:\(upstreams[0]); keepalive 64; }
                server {
                    listen 127.0.0.1:\(port)\(way) backlog=4096;
                    \(certificate)
                    keepalive_requests 1000000000;
                    client_max_body_size 0; proxy_request_buffering off;
                    proxy_http_version 1.1; proxy_set_header Connection "";
                    location = /nothing { return 404; }
                    location = /.well-known/jwks.json { return 200 "{}"; }
                    location /stalled/ { proxy_pass http://127.0.0.1:\(upstreams[1]); }
                    location / { proxy_pass http://api; }
                }
            }

            """
    }
}
