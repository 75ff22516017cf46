/// The variables that Latchkey's programs read.
package enum Variables {
    /// Variables of every process.
    package static let common = [
        Variable("LATCHKEY_ENV", "where it runs: development (default), uat or production"),
        Variable("LATCHKEY_POLICY", "a policy of the policies folder, or a path; default starter"),
        Variable("LATCHKEY_POLICIES_DIR", "the policies folder; default deploy/policies"),
        Variable("LATCHKEY_APP_NAME", "the app's name for a policy without one; default Latchkey"),
        Variable("LATCHKEY_LISTEN", "host:port of the service; default 127.0.0.1 and its own port"),
        Variable("LATCHKEY_OPS_LISTEN", "host:port of /healthz, /readyz and /metrics; default 127.0.0.1:9090"),
        Variable("LATCHKEY_SECRETS_DIR", "the folder of the secret files; default /run/secrets"),
        Variable("LATCHKEY_LOG_LEVEL", "trace, debug, info (default), notice, warning, error or critical"),
        Variable("LATCHKEY_LIMIT_LOCAL", "1: limits by address apply to private addresses too"),
    ]

    /// Variables of single processes, by the process's short name.
    package static let own: [String: [Variable]] = [
        "gateway": [otp, token, user] + redis + messages + [authorities] + gateway,
        "otp": [inbox] + redis + messages + [authorities] + codes, "token": redis + [data] + database("TOKEN"),
        "user": [otp, token] + redis + [data] + database("USER") + [authorities] + users,
    ]

    /// Variables of the supervisor, which `deploy/run` starts.
    package static let supervisor = [
        Variable("LATCHKEY_ENV", "development (default), uat or production"),
        Variable("LATCHKEY_PORT", "port of the gateway; 0 takes a free one; default 8080"),
        Variable("LATCHKEY_POLICY", "a policy of the policies folder, or a path; default starter"),
        Variable("LATCHKEY_POLICIES_DIR", "the policies folder; default deploy/policies"),
        Variable("LATCHKEY_APP_NAME", "the app's name for a policy without one; default Latchkey"),
        Variable("LATCHKEY_DATA_DIR", "the folder for databases, secrets and logs; default .latchkey"),
        Variable("LATCHKEY_UPSTREAM", "URL of your API, such as http://127.0.0.1:3000; default: the sample API"),
        Variable("LATCHKEY_INBOX_PORT", "port of the inbox; 0 takes a free one; default 8025"),
        Variable("LATCHKEY_REDIS_PORT", "port of Redis; default 0, a free one"),
        Variable("LATCHKEY_REDIS_MEMORY_MB", "memory of Redis, 16 to 65536; default 128"),
        Variable("LATCHKEY_REPLICAS", "processes of each service, such as otp=2,token=2; default one each"),
        Variable("LATCHKEY_FAKES", "1: latchkey-fakes play Twilio, Resend, Apple and the mail server"),
        Variable("LATCHKEY_BIND", "lan: phones in the same network reach the gateway"),
        Variable("LATCHKEY_TLS_PORT", "port of the gateway for https; default none"),
        Variable("LATCHKEY_TLS_DIR", "the folder of your certificates; default: one for development"),
    ]

    /// Variables of `deploy/run` itself.
    package static let run = [
        Variable("LATCHKEY_BUILD", "release (default) or debug"),
        Variable("LATCHKEY_BIN_DIR", "a folder of built programs; nothing is built then"),
    ]

    /// Every variable of ours that begins with `LATCHKEY_`.
    package static let ours = Set(
        (common + own.values.joined() + supervisor + run).map(\.name).filter { $0.hasPrefix("LATCHKEY_") }
    ).union(deployment).union(tests)

    /// The variables that docker-compose.yml, latchkeyctl and the scripts in deploy/ read, and the mark of the supervisor's processes.
    private static let deployment: Set = [
        "LATCHKEY_BACKUP_DIR", "LATCHKEY_BENCH_DIR", "LATCHKEY_BENCH_ENVOY", "LATCHKEY_CA_DIR",
        "LATCHKEY_DATABASE_CA_DIR", "LATCHKEY_DATABASE_OWNER", "LATCHKEY_IMAGE", "LATCHKEY_OPERATOR",
        "LATCHKEY_SUPERVISED_DATA_DIR", "LATCHKEY_TAG",
    ]

    /// The variables that the tests read.
    private static let tests: Set = [
        "LATCHKEY_CUTS_EVERY", "LATCHKEY_FAULT_OPERATION", "LATCHKEY_FAULT_ROUNDS", "LATCHKEY_FAULT_SEED",
        "LATCHKEY_INBOX_PICTURE", "LATCHKEY_LONG_TESTS", "LATCHKEY_PAGE_PICTURES", "LATCHKEY_TEST_ENGINE",
        "LATCHKEY_WRITE_GOLDEN",
    ]
}

extension Variables {
    private static let otp = Variable("OTP_URL", "URLs of otp-service; default http://127.0.0.1:8081")
    private static let token = Variable("TOKEN_URL", "URLs of token-service; default http://127.0.0.1:8082")
    private static let user = Variable("USER_URL", "URLs of user-service; default http://127.0.0.1:8083")
    private static let inbox = Variable("INBOX_URL", "URLs of the inbox; default http://127.0.0.1:8025")
    private static let data = Variable("LATCHKEY_DATA_DIR", "the folder of the database; default /data")

    /// The variables of a service's database in PostgreSQL.
    private static func database(_ service: String) -> [Variable] {
        [
            Variable("\(service)_DATABASE_URL", "postgres://user@host/database; default: a file in LATCHKEY_DATA_DIR"),
            Variable("\(service)_DATABASE_CONNECTIONS", "connections to PostgreSQL, 2 to 100; default 6"),
            Variable(
                "\(service)_DATABASE_DURABILITY", "settings (default), or storage for a server such as Neon or Aurora"),
        ]
    }

    private static let redis = [
        Variable("REDIS_URL", "redis://host:port or unix:///path; default redis://127.0.0.1:6379"),
        Variable("REDIS_USER", "the account in Redis; needed in production"),
    ]

    private static let authorities = Variable(
        "LATCHKEY_CA_FILE", "a PEM file of authorities that outgoing calls trust too; not for Apple; default none")

    private static let messages = [
        Variable("OTP_SENDER", "inbox, webhook, twilio-verify, twilio-messaging or twilio-verify-managed"),
        Variable("MAIL_SENDER", "inbox, resend, smtp or none"),
        Variable("LATCHKEY_PUBLIC_URL", "where clients reach the gateway; default: the policy's publicURL"),
    ]

    private static let gateway = [
        Variable("LATCHKEY_UPSTREAM", "URLs of your API; default http://127.0.0.1:8090"),
        Variable("LATCHKEY_UPSTREAM_CA", "a PEM file of the authorities of https:// upstreams"),
        Variable("LATCHKEY_TLS_LISTEN", "host:port for clients that speak TLS; default none"),
        Variable("LATCHKEY_TLS_DIR", "the folder of certificates; default /run/tls"),
        Variable("LATCHKEY_TLS_PORT", "the port of https as clients know it; default 443"),
        Variable("LATCHKEY_PLAIN", "serve or redirect: what happens to requests without TLS"),
        Variable("LATCHKEY_ACME_UPSTREAM", "URL of the server that answers a certificate authority's challenges"),
        Variable("LATCHKEY_TRUSTED_PROXIES", "address blocks of the proxies in front, comma-separated"),
        Variable("LATCHKEY_PROXY_PROTOCOL", "1: each connection begins with a PROXY header"),
        Variable("LATCHKEY_MEMORY_MB", "the memory that it may use, 64 to 1048576; default: its control group's limit"),
        Variable("LISTEN_FDS", "the number of sockets that a supervisor passes: 1 or 2"),
        Variable("LISTEN_PID", "the process id that the sockets are for"),
    ]

    private static let codes = [
        Variable("SMS_HOOK_URL", "with webhook: the URL to which each message is posted"),
        Variable("TWILIO_ACCOUNT_SID", "your account at Twilio, AC…"),
        Variable("TWILIO_VERIFY_SID", "with twilio-verify: the Verify Service, VA…"),
        Variable("TWILIO_VERIFY_TEMPLATE_SID", "a template in place of the Service's own, HJ…"),
        Variable("TWILIO_VERIFY_URL", "the URL of Twilio Verify; default https://verify.twilio.com"),
        Variable("TWILIO_MESSAGING_SID", "with twilio-messaging: the messaging service, MG…"),
        Variable("TWILIO_FROM", "senders of text messages, such as +15005550006 or 44=ACME"),
        Variable("TWILIO_WHATSAPP_FROM", "the number that WhatsApp messages come from"),
        Variable("TWILIO_WHATSAPP_CONTENT_SID", "the template of WhatsApp messages, HX…"),
        Variable("TWILIO_API_URL", "the URL of Twilio Messaging; default https://api.twilio.com"),
        Variable("MAIL_FROM", "the sender of mails, such as Acme <login@acme.example>"),
        Variable("RESEND_URL", "the URL of Resend; default https://api.resend.com"),
        Variable("SMTP_HOST", "with smtp: the mail server"),
        Variable("SMTP_PORT", "the mail server's port; default 587"),
        Variable("SMTP_SECURITY", "starttls (default), tls, or outside production none"),
        Variable("SMTP_USER", "the account at the mail server"),
        Variable("SMTP_HELO", "the host name that is sent to the mail server"),
        Variable("SMTP_CA_FILE", "a PEM file of authorities; default: the system's"),
    ]

    private static let users = [
        Variable("LATCHKEY_DECISIONS_DIR", "a folder for the list of security decisions; default none"),
        Variable("PASSWORD_THREADS", "threads that hash passwords, 1 to 4; default: the cores"),
        Variable("APPLE_TEAM_ID", "with the secret apple_key: your team's id at Apple"),
        Variable("APPLE_KEY_ID", "with the secret apple_key: the key's id"),
        Variable("APPLE_URL", "the URL of Apple's server; default https://appleid.apple.com"),
        Variable("OIDC_KEYS_URL", "a stand-in for OpenID providers in tests; not in production"),
    ]
}
