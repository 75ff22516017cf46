import SettingNames

/// One process of Latchkey: its name and its secrets. Its variables are the rows of `Settings` that name it.
///
/// The supervisor starts the processes that are declared here, and docker-compose.yml has their variables and secrets.
package struct ManagedProcess: Sendable {
    /// The short name: its host name in compose, its account in Redis, and its part of the names of keys.
    package let name: String
    package let executable: String
    /// The port at which it listens by default.
    package let port: Int
    /// The key rings that it reads in addition to those of pairs; each has lines `kid secret`.
    package var keyRings: [String] = []
    /// The secret files that it reads only if a setting requires them.
    package var optionalSecrets: [String] = []
    /// Its keys and commands in Redis; `nil` if it does not use Redis.
    package var redis: RedisACL.User?
    /// Whether it is only for developers.
    package var isForDevelopers = false

    /// The key rings of the pairs that it belongs to.
    package var pairKeys: [String] {
        let own = calls.map { Manifest.pairKey(name, $0) }
        return own + Manifest.callers(of: name).map { Manifest.pairKey($0, name) }
    }

    /// The variables that it reads, in addition to those that every process reads.
    package var variables: [String] { Settings.own(name).map(\.name) }

    /// The processes whose operations it calls, since it reads their URLs; each pair has a key.
    package var calls: [String] {
        Settings.own(name).compactMap { row in
            if case .replicas = row.rule { row.name.dropLast(4).lowercased() } else { nil }
        }
    }

    /// Whether it stores data, in `LATCHKEY_DATA_DIR` or in PostgreSQL.
    package var stores: Bool { variables.contains("LATCHKEY_DATA_DIR") }

    /// The secret files that it reads.
    package var secrets: Set<String> {
        Set(
            pairKeys + keyRings + optionalSecrets
                + (redis == nil ? [] : ["redis_" + name, "redis_client_key", "sentinel_password"])
        )
        .union(stores ? [name + "_database_password"] : [])
    }
}

/// All processes of Latchkey, in the order in which they are started.
package enum Manifest {
    package static let processes = [
        ManagedProcess(name: "inbox", executable: "inbox", port: 8025, isForDevelopers: true),
        ManagedProcess(name: "sample-api", executable: "sample-api", port: 8090, isForDevelopers: true),
        ManagedProcess(
            name: "otp", executable: "otp-service", port: 8081,
            keyRings: ["attestation_otp_user", "otp_hmac_key"],
            optionalSecrets: [
                "internal_tls_key", "resend_api_key", "resend_webhook_secret", "sms_hook_secret", "smtp_password",
                "twilio_auth_token",
            ],
            redis: RedisACL.otp),
        ManagedProcess(
            name: "token", executable: "token-service", port: 8082,
            keyRings: ["grant_user_token", "jwt_hs256", "token_storage_key"],
            optionalSecrets: ["internal_tls_key", "oauth_clients", "user_hook_secret"],
            redis: RedisACL.token),
        ManagedProcess(
            name: "user", executable: "user-service", port: 8083,
            keyRings: ["attestation_otp_user", "grant_user_token", "jwt_hs256", "user_storage_key"],
            optionalSecrets: ["apple_key", "internal_tls_key", "supabase_keys", "user_hook_secret"],
            redis: RedisACL.user),
        ManagedProcess(
            name: "gateway", executable: "gateway", port: 8080,
            keyRings: ["identity_ed25519", "jwt_hs256"], redis: RedisACL.gateway),
    ]

    /// The providers for mail and codes in development, started if `LATCHKEY_FAKES` is set; they are in no image.
    package static let fakes = ManagedProcess(
        name: "fakes", executable: "latchkey-fakes", port: 8026,
        optionalSecrets: ["apple_key", "assertion_otp_inbox", "resend_webhook_secret", "twilio_auth_token"],
        isForDevelopers: true)

    /// The pages of administrators, started if `LATCHKEY_CONSOLE` is set. It has no secrets.
    package static let console = ManagedProcess(name: "console", executable: "console", port: 8084)

    /// The processes that latchkeyctl calls as the operator; the supervisor does not start latchkeyctl.
    package static let operatorCalls = ["otp", "token", "user"]

    /// The key rings of the whole stack, each once.
    package static let keyRings = Set(processes.flatMap { $0.pairKeys + $0.keyRings }).sorted()

    /// The accounts in Redis: those of processes, and those of what loads functions, the operator, replicas and Sentinels.
    package static let redisUsers =
        (processes.compactMap(\.redis)
        + [RedisACL.functions, RedisACL.operatorUser, RedisACL.replica, RedisACL.sentinel]).sorted { $0.name < $1.name }

    /// The secrets that are made at random, sorted by name.
    package static let madeSecrets =
        (keyRings.map { MadeSecret(name: $0, form: .keyRing) }
        + redisUsers.map { MadeSecret(name: "redis_" + $0.name, form: .password) }
        + [MadeSecret(name: "sms_hook_secret", form: .webhook)]).sorted { $0.name < $1.name }

    /// Returns the processes that call a process.
    static func callers(of name: String) -> [String] {
        processes.filter { $0.calls.contains(name) }.map(\.name) + (operatorCalls.contains(name) ? ["control"] : [])
    }

    /// Returns the name of the secret by which a calling process proves its identity to another.
    static func pairKey(_ caller: String, _ callee: String) -> String { "assertion_\(caller)_\(callee)" }

    /// Returns the name of the variable that contains a process's addresses.
    package static func urlVariable(_ name: String) -> String { name.uppercased() + "_URL" }
}
