/// One of our processes: what it is called, whom it calls, and what it is given.
///
/// The supervisor starts what is declared here; deploy/secrets, docker-compose.yml and configuration.md are held to it by
/// `ManifestTests`.
package struct ManagedProcess: Sendable {
    /// Short name: its host name in compose, its account in Redis, its place in names of keys.
    package let name: String
    package let executable: String
    /// Where it listens by itself.
    package let port: Int
    /// Whose operations it calls; each pair has a key.
    package var calls: [String] = []
    /// Key rings that it reads beside those of pairs; lines `kid secret`.
    package var keyRings: [String] = []
    /// Secret files that are read only where a setting asks for them.
    package var optionalSecrets: [String] = []
    /// Its keys and commands in Redis; nil: it has no business there.
    package var redis: RedisACL.User?
    /// Variables of its own, beside those that follow from the above.
    package var variables: [String] = []
    /// Whether it stores something, in `LATCHKEY_DATA_DIR`.
    package var stores = false
    /// Whether it is for developers alone.
    package var isForDevelopers = false

    /// The key rings of the pairs that it is one of.
    package var pairKeys: [String] {
        let own = calls.map { Manifest.pairKey(name, $0) }
        return own + Manifest.callers(of: name).map { Manifest.pairKey($0, name) }
    }

    /// The files of secrets that it reads.
    package var secrets: Set<String> {
        Set(pairKeys + keyRings + optionalSecrets + (redis == nil ? [] : ["redis_" + name]))
    }

    /// The variables that it reads, beside those that every process does.
    package var ownVariables: Set<String> {
        Set(variables + calls.map(Manifest.urlVariable) + (redis == nil ? [] : ["REDIS_URL", "REDIS_USER"]))
            .union(stores ? ["LATCHKEY_DATA_DIR"] : [])
    }
}

/// All processes of Latchkey, in the order in which they are started.
package enum Manifest {
    package static let processes = [
        ManagedProcess(name: "inbox", executable: "inbox", port: 8025, isForDevelopers: true),
        ManagedProcess(name: "sample-api", executable: "sample-api", port: 8090, isForDevelopers: true),
        ManagedProcess(
            name: "otp", executable: "otp-service", port: 8081, calls: ["inbox"],
            keyRings: ["attestation_otp_user", "otp_hmac_key"],
            optionalSecrets: [
                "resend_api_key", "resend_webhook_secret", "sms_hook_secret", "smtp_password", "twilio_auth_token",
            ],
            redis: RedisACL.otp,
            variables: [
                "LATCHKEY_PUBLIC_URL", "MAIL_FROM", "MAIL_SENDER", "OTP_SENDER", "RESEND_URL", "SMS_HOOK_URL",
                "SMTP_CA_FILE", "SMTP_HELO", "SMTP_HOST", "SMTP_PORT", "SMTP_SECURITY", "SMTP_USER",
                "TWILIO_ACCOUNT_SID",
                "TWILIO_API_URL",
                "TWILIO_FROM", "TWILIO_MESSAGING_SID", "TWILIO_VERIFY_SID", "TWILIO_VERIFY_TEMPLATE_SID",
                "TWILIO_VERIFY_URL",
                "TWILIO_WHATSAPP_CONTENT_SID", "TWILIO_WHATSAPP_FROM",
            ]),
        ManagedProcess(
            name: "token", executable: "token-service", port: 8082,
            keyRings: ["grant_user_token", "jwt_hs256", "token_storage_key"], optionalSecrets: ["oauth_clients"],
            redis: RedisACL.token, stores: true),
        ManagedProcess(
            name: "user", executable: "user-service", port: 8083, calls: ["otp", "token"],
            keyRings: ["attestation_otp_user", "grant_user_token", "jwt_hs256", "user_storage_key"],
            redis: RedisACL.user,
            variables: ["APPLE_URL", "LATCHKEY_DECISIONS_DIR", "OIDC_KEYS_URL", "PASSWORD_THREADS"],
            stores: true),
        ManagedProcess(
            name: "gateway", executable: "gateway", port: 8080, calls: ["otp", "token", "user"],
            keyRings: ["identity_ed25519", "jwt_hs256"], redis: RedisACL.gateway,
            variables: [
                "MAIL_SENDER", "OTP_SENDER", "LATCHKEY_PUBLIC_URL", "LATCHKEY_UPSTREAM", "LATCHKEY_UPSTREAM_CA",
                "LATCHKEY_PROXY_PROTOCOL",
                "LATCHKEY_TRUSTED_PROXIES", "LATCHKEY_MEMORY_MB", "LATCHKEY_TLS_LISTEN", "LATCHKEY_TLS_DIR",
                "LATCHKEY_TLS_PORT", "LATCHKEY_PLAIN", "LATCHKEY_ACME_UPSTREAM", "LISTEN_FDS", "LISTEN_PID",
            ]),
    ]

    /// The providers that mail and codes go to in development, where `LATCHKEY_FAKES` asks for them; in no image.
    package static let fakes = ManagedProcess(
        name: "fakes", executable: "latchkey-fakes", port: 8026,
        optionalSecrets: ["assertion_otp_inbox", "resend_webhook_secret", "twilio_auth_token"],
        variables: ["FAKES_CERTIFICATE_DIR", "FAKES_SMTP_LISTEN", "FAKES_WEBHOOK_URL", "INBOX_URL"],
        isForDevelopers: true)

    /// latchkeyctl, which nobody starts: the processes that it calls as the operator.
    package static let operatorCalls = ["otp", "token", "user"]

    /// What every process reads; and `<SECRET>_FILE`, the path of any one secret.
    package static let commonVariables: Set = [
        "LATCHKEY_ENV", "LATCHKEY_POLICY", "LATCHKEY_POLICIES_DIR", "LATCHKEY_APP_NAME", "LATCHKEY_LISTEN",
        "LATCHKEY_OPS_LISTEN", "LATCHKEY_SECRETS_DIR", "LATCHKEY_LOG_LEVEL", "LATCHKEY_LIMIT_LOCAL",
    ]

    /// Key rings of the whole stack, each once.
    package static let keyRings = Set(processes.flatMap { $0.pairKeys + $0.keyRings }).sorted()

    /// Accounts in Redis: one for each process that uses it, one that loads functions and one for the operator.
    package static let redisUsers =
        (processes.compactMap(\.redis) + [RedisACL.functions, RedisACL.operatorUser]).sorted { $0.name < $1.name }

    /// The secrets that are made at random, sorted by name.
    package static let madeSecrets =
        (keyRings.map { MadeSecret(name: $0, form: .keyRing) }
        + redisUsers.map { MadeSecret(name: "redis_" + $0.name, form: .password) }
        + [MadeSecret(name: "sms_hook_secret", form: .webhook)]).sorted { $0.name < $1.name }

    /// Who calls a process.
    static func callers(of name: String) -> [String] {
        processes.filter { $0.calls.contains(name) }.map(\.name) + (operatorCalls.contains(name) ? ["control"] : [])
    }

    /// The secret by which a caller proves itself to a process.
    static func pairKey(_ caller: String, _ callee: String) -> String { "assertion_\(caller)_\(callee)" }

    /// The variable that names a process's addresses.
    package static func urlVariable(_ name: String) -> String { name.uppercased() + "_URL" }
}
