extension Settings {
    /// Variables of every process.
    package static let common: [Setting] = [
        Setting(
            "LATCHKEY_ENV",
            "the environment; `production` refuses the inbox and Redis without an account, makes no secrets, accepts no fixed "
                + "codes, and limits private addresses too", .choice(["development", "uat", "production"]),
            default: "development"),
        Setting(
            "LATCHKEY_POLICY", "the policy; starter, howru, aarokya, voltyks, gremlin and uta ship",
            .text("a name in the policies folder, or a path"), default: "starter"),
        Setting(
            "LATCHKEY_APP_NAME", "the app's name in messages and on pages, for a policy without `messages.appName`",
            .text("1 to 64 characters on one line"), unset: "`Latchkey`"),
        Setting(
            "LATCHKEY_POLICIES_DIR", "the policies folder; in the image `/etc/latchkey/policies`", .text(""),
            default: "deploy/policies"),
        Setting(
            "LATCHKEY_LISTEN", "address and port of the service",
            .text("`host:port`; 0 takes a free port; IPv6 in brackets"), unset: "127.0.0.1 and the process's own port"),
        Setting(
            "LATCHKEY_OPS_LISTEN",
            "address and port of `/healthz`, `/readyz`, `/metrics`; keep it unreachable from outside. The host `internal` "
                + "represents loopback and the address in the network of Redis (`REDIS_URL`); a block such as `10.1.2.0/24`, the "
                + "machine's own addresses in it", .text("`host:port`, comma-separated"),
            default: "127.0.0.1:9090"),
        Setting("LATCHKEY_SECRETS_DIR", "the folder of the secret files", .text(""), default: "/run/secrets"),
        Setting(
            "<SECRET>_FILE", "the path of one secret file, e.g. `REDIS_OTP_FILE`; takes precedence over the folder",
            .text("")
        ),
        Setting(
            "LATCHKEY_LOG_LEVEL", "the lowest level that is logged",
            .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info"),
        Setting(
            "LATCHKEY_LIMIT_LOCAL",
            "limits by address apply to loopback and private addresses too, as they always do in production", .flag,
            default: "0"),
    ]

    /// Variables of single processes.
    static let own = connections + edge + databases + codes + mail + users + tracing

    private static let connections: [Setting] = [
        Setting(
            "REDIS_URL", "Redis, without user and password",
            .text(
                "`redis://host:port`, `redis+sentinel://host:port,…/name` with [all Sentinels](../run/redis.md#sentinel), either "
                    + "with `rediss` for TLS, or `unix:///path` of the socket file of a Redis on the same machine (at most 103 "
                    + "bytes), which uses less CPU"), ["gateway", "otp", "token", "user"],
            default: "redis://127.0.0.1:6379"),
        Setting(
            "REDIS_SENTINEL_USER", "the account at the Sentinels",
            .text("a name; its password is the secret `sentinel_password`"), ["gateway", "otp", "token", "user"],
            unset: "the default user, with that password if there is one", compose: .never),
        Setting(
            "REDIS_CA_FILE", "the authorities that certificates of Redis and of Sentinels are verified against",
            .text("a PEM file"), ["gateway", "otp", "token", "user"], unset: "the system's", compose: .never),
        Setting(
            "REDIS_CLIENT_CERTIFICATE", "the certificate that this process shows to Redis and to Sentinels over TLS",
            .text("a PEM file; its key is the secret `redis_client_key`"), ["gateway", "otp", "token", "user"],
            unset: "none", compose: .never),
        Setting(
            "REDIS_USER", "the account in Redis; required in production",
            .text("a name; its password is the secret `redis_<process>`"), ["gateway", "otp", "token", "user"],
            unset: "no account"),
        Setting("OTP_URL", "otp-service", .replicas, ["gateway", "user"], default: "http://127.0.0.1:8081"),
        Setting("TOKEN_URL", "token-service", .replicas, ["gateway", "user"], default: "http://127.0.0.1:8082"),
        Setting("USER_URL", "user-service", .replicas, ["gateway"], default: "http://127.0.0.1:8083"),
        Setting(
            "CONSOLE_URL", "the [console](../run/console.md); read if the policy has `admin.console`",
            .text("`http://host:port`"), ["gateway"], default: "http://127.0.0.1:8084", compose: .overlay("console")),
        Setting(
            "GATEWAY_URL",
            "the gateway, as the console reaches it; plain HTTP within the deployment, or its public URL",
            .text("`http://…` or `https://…`"), ["console"], default: "http://127.0.0.1:8080",
            compose: .overlay("console")),
        Setting("INBOX_URL", "the inbox, when codes go there", .replicas, ["otp"], default: "http://127.0.0.1:8025"),
        Setting(
            "LATCHKEY_INTERNAL_TLS_CERTIFICATE",
            "the service's certificate for [calls from other hosts](../run/scale.md#processes-on-different-hosts); its own "
                + "port then accepts only TLS, with the secret `internal_tls_key`. Read again on SIGHUP",
            .text("a PEM file with the certificate and its chain"), ["otp", "token", "user"], unset: "plain HTTP",
            compose: .never),
        Setting(
            "LATCHKEY_INTERNAL_CA",
            "the only authorities that `https://` addresses of Latchkey's processes are verified against; latchkeyctl reads "
                + "it too. Read again on SIGHUP", .text("a PEM file"), ["gateway", "otp", "user"], compose: .never),
        Setting(
            "LATCHKEY_PUBLIC_URL",
            "the URL at which clients reach the gateway; links in mails begin with it, providers return browsers to it, and "
                + "passkeys belong to its host unless the policy has `passkeys.rpID`. Outside production it takes precedence over "
                + "the policy's `publicURL`; in production both must be the same. `deploy/run` sets it outside production",
            .text("`https://host…`; outside production also `http` on local addresses"), ["gateway", "otp", "user"],
            unset: "the policy's"),
        Setting(
            "LATCHKEY_CA_FILE",
            "[authorities of your own](../run/delivery.md#an-authority-of-your-own); trusted in addition to the system's by "
                + "calls to SMS and mail providers, the hooks, upstreams, and OpenID Connect providers with "
                + "`ownAuthority: true`; never for Apple. `SMTP_CA_FILE` and `LATCHKEY_UPSTREAM_CA` replace it",
            .text("a PEM file"), ["gateway", "otp", "token", "user"]),
    ]

    private static let edge: [Setting] = [
        Setting(
            "LATCHKEY_UPSTREAM", "your API; for upstreams of the policy with `$LATCHKEY_UPSTREAM`",
            .text(
                "`http://host:port`, [`https://host:port`](../run/tls.md#upstreams-over-https) or `unix:///path` of a "
                    + "socket file, comma-separated"), ["gateway"], default: "http://127.0.0.1:8090"),
        Setting(
            "LATCHKEY_UPSTREAM_CA", "the authorities that `https://` upstreams are verified against",
            .text("a PEM file"), ["gateway"], unset: "the system's"),
        Setting(
            "LATCHKEY_TLS_LISTEN",
            "address and port for [TLS](../run/tls.md); `LATCHKEY_LISTEN=none` switches plain "
                + "HTTP off", .text("`host:port`"), ["gateway"], unset: "no TLS", compose: .overlay("tls")),
        Setting(
            "LATCHKEY_TLS_DIR",
            "the folder of certificates; read again on SIGHUP and within 20 s of a change. Keys that every user of the host "
                + "can read are refused, except under `/run/`",
            .text("a folder with pairs of `NAME.crt` and `NAME.key`"),
            ["gateway"], default: "/run/tls", compose: .overlay("tls")),
        Setting(
            "LATCHKEY_TLS_PORT", "the port of https for clients; `redirect` redirects to it",
            .integer(1...65_535, of: "a port"), ["gateway"], default: "443", compose: .overlay("tls")),
        Setting(
            "LATCHKEY_PLAIN",
            "plain HTTP next to TLS; `redirect` answers GET and HEAD without `Authorization` and `Cookie` with 308 to https, "
                + "all other requests with 403 `https_required`", .choice(["serve", "redirect"]), ["gateway"],
            unset: "`serve`; in production with TLS `redirect`", compose: .overlay("tls")),
        Setting(
            "LATCHKEY_ACME_DIR",
            "the folder of the certificate, its key and the account of `edge.tls.acme`, for the gateways alone; takes the place of "
                + "`LATCHKEY_TLS_DIR`. Outside of production, the gateway gets no certificate without it",
            .text("a folder that the gateway may write to"), ["gateway"], compose: .overlay("tls")),
        Setting(
            "LATCHKEY_ACME_UPSTREAM",
            "the server to which plain HTTP's `/.well-known/acme-challenge/` is sent, before any redirect",
            .text("as `LATCHKEY_UPSTREAM`, without `https://`"), ["gateway"], compose: .overlay("tls")),
        Setting(
            "LATCHKEY_TRUSTED_PROXIES", "the proxies in front of the gateway",
            .text("address blocks, comma-separated, at most 64"), ["gateway"], unset: "the policy's `trustedProxies`"),
        Setting(
            "LATCHKEY_PROXY_PROTOCOL",
            "[each connection begins with a PROXY header](../run/proxies.md#who-the-client-is); requires trusted proxies",
            .flag, ["gateway"], unset: "the policy's `edge.proxyProtocol`"),
        Setting(
            "LATCHKEY_MEMORY_MB", "the gateway's memory; connections may use [a part of it](edge.md#memory)",
            .integer(64...1_048_576, of: "a number of megabytes"), ["gateway"],
            unset: "the limit of its control group, else 256", compose: .never),
        Setting(
            "LISTEN_FDS",
            "the number of sockets that systemd's socket activation passes; the gateway serves them instead of opening its "
                + "own: descriptor 3 for `LATCHKEY_LISTEN`, 4 for `LATCHKEY_TLS_LISTEN`; with `1` and "
                + "`LATCHKEY_LISTEN=none` descriptor 3 is for TLS", .text("`1` or `2`"), ["gateway"], compose: .never),
        Setting(
            "LISTEN_PID", "the process that the sockets are for", .text("the gateway's process id"), ["gateway"],
            unset: "any", compose: .never),
    ]

    private static let databases: [Setting] =
        [
            Setting(
                "LATCHKEY_DATA_DIR",
                "the folder of `tokens.sqlite`, `users.sqlite`; writable, on a local disk, never a network file system. Not read by a "
                    + "service whose data is in PostgreSQL", .text(""), ["token", "user"],
                default: "/data", compose: .never)
        ] + database("token", file: "tokens.sqlite") + database("user", file: "users.sqlite")

    /// The variables of a service's database in PostgreSQL.
    private static func database(_ service: String, file: String) -> [Setting] {
        let prefix = service.uppercased() + "_DATABASE_"
        return [
            Setting(
                prefix + "URL",
                "[a PostgreSQL database](../run/scale.md#postgresql) instead of `\(file)`; both services may use the same one",
                .text("`postgres://user@host:5432/database`; see [below](#a-database-in-postgresql)"), [service],
                unset: "the file", compose: .overlay("postgres")),
            Setting(
                prefix + "CONNECTIONS", "connections of each replica to PostgreSQL", .integer(2...100), [service],
                default: "6", compose: .overlay("postgres")),
            Setting(
                prefix + "DURABILITY",
                "what keeps an acknowledged commit; the server's `settings`, which production checks at the start, or the "
                    + "`storage` below it (Neon, Aurora), and then a weak setting is only a warning",
                .choice(["settings", "storage"]), [service], default: "settings", compose: .overlay("postgres")),
        ]
    }
}
