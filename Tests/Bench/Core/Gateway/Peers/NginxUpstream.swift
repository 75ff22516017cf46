import FoundationEssentials

/// The app's API behind every edge: nginx with a small answer out of its settings.
struct NginxUpstream: Sendable {
    /// Tells which identity and credentials arrived.
    static let seenPath = "/api/seen"
    static let smallPath = "/api/things/42"
    /// Answers with a large body.
    static let largePath = "/api/large"
    /// Answers once it has read the whole body.
    static let uploadPath = "/api/upload"
    static let largeBytes = 100 * 1_000_000

    let port: Int
    let folder: String

    /// The process, its settings written to `folder`.
    func process(core: Int) throws -> PinnedProcess {
        let file = folder + "/nginx.conf"
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
        try Data(count: Self.largeBytes).write(to: URL(filePath: largeFile))
        return PinnedProcess(
            core: core, executable: "/usr/sbin/nginx", arguments: ["-e", folder + "/nginx.log", "-c", file], port: port)
    }

    /// A file of the size of the large response.
    var largeFile: String { folder + "/large" }

    private var settings: String {
        """
        daemon off; master_process off;
        pid \(folder)/nginx.pid; error_log \(folder)/nginx.log;
        events { worker_connections 4096; }
        http {
            access_log off;
            keepalive_requests 1000000000; keepalive_timeout 3600s;
            default_type application/json;
            server {
                # Else it is nginx that others wait for, while it fills megabytes of the kernel's buffers for slow readers.
                listen 127.0.0.1:\(port) backlog=4096 sndbuf=128k;
                sendfile on; sendfile_max_chunk 128k;
                location = \(Self.seenPath) {
                    return 200 '{"user":"$http_x_user_id","authorization":"$http_authorization"}';
                }
                location ~ ^/(api|open)/large$ { alias \(largeFile); }
                location ~ ^/(api|open)/upload$ {
                    client_max_body_size 0;
                    client_body_temp_path \(folder)/bodies; proxy_temp_path \(folder)/answers;
                    proxy_pass_request_body off; proxy_set_header Content-Length "";
                    rewrite ^ /taken break;
                    proxy_pass http://127.0.0.1:\(port);
                }
                location / { return 200 '{"id":"42","name":"Betty","items":[1,2,3],"ok":true}'; }
            }
        }

        """
    }
}
