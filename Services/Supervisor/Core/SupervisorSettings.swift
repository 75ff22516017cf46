import SettingNames

/// The settings of `deploy/run`, read once from the environment.
package struct SupervisorSettings: Sendable, Equatable {
    /// The memory that Redis may use by default, in MB.
    package static let redisMegabytes = 128

    package enum Environment: String, Sendable { case development, uat, production }

    package let environment: Environment
    /// The port of the gateway on 127.0.0.1; 0 for a free one.
    package let port: UInt16
    /// The port for clients that use TLS; 0 for a free one, `nil` if there is none.
    package let tlsPort: UInt16?
    /// The absolute path of the folder of the gateway's certificates; `nil` for one from this machine's own authority.
    package let tlsDirectory: String?
    /// A name in the policies folder, or an absolute path.
    package let policy: String
    /// The absolute path of the policies folder.
    package let policiesDirectory: String
    /// The absolute path of everything the stack writes.
    package let dataDirectory: String
    /// The port of the inbox on 127.0.0.1; 0 for a free one.
    package let inboxPort: UInt16
    /// The port of Redis on 127.0.0.1; 0 for a free one.
    package let redisPort: UInt16
    /// The memory that Redis may use, in MB of 2^20 bytes.
    package let redisMemoryMegabytes: Int
    /// The base URL of the app's API; `nil` for the sample API.
    package let upstream: String?
    package let replicas: Replicas
    /// Whether phones in the same network reach the gateway.
    package let isForPhones: Bool
    /// Whether `latchkey-fakes` replaces the providers.
    package let usesFakes: Bool
    /// Whether the console runs.
    package let runsConsole: Bool
    /// Whether a certificate for development is made.
    var wantsOwnAuthority: Bool { tlsPort != nil && tlsDirectory == nil }

    /// Reads the variables. Relative paths start at `workingDirectory`.
    ///
    /// - Throws: `StartFailure` with a line for each wrong variable.
    package init(environment variables: [String: String], workingDirectory: String) throws(StartFailure) {
        func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : workingDirectory + "/" + path }
        var reader = SupervisorVariables(variables)
        environment = reader.text("LATCHKEY_ENV").flatMap(Environment.init) ?? .development
        port = reader.port("LATCHKEY_PORT") ?? 0
        tlsPort = reader.port("LATCHKEY_TLS_PORT")
        tlsDirectory = reader.text("LATCHKEY_TLS_DIR").map(absolute)
        inboxPort = reader.port("LATCHKEY_INBOX_PORT") ?? 0
        redisPort = reader.port("LATCHKEY_REDIS_PORT") ?? 0
        redisMemoryMegabytes =
            reader.text("LATCHKEY_REDIS_MEMORY_MB").flatMap { Int($0) } ?? Self.redisMegabytes
        let policy = reader.text("LATCHKEY_POLICY") ?? ""
        self.policy = policy.contains("/") ? absolute(policy) : policy
        policiesDirectory = absolute(reader.text("LATCHKEY_POLICIES_DIR") ?? "")
        dataDirectory = absolute(reader.text("LATCHKEY_DATA_DIR") ?? "")
        upstream = reader.text("LATCHKEY_UPSTREAM")
        // The gateway checks the whole URL.
        if let upstream, !["http://", "https://", "unix:///"].contains(where: { upstream.hasPrefix($0) }) {
            let use = "a URL such as http://127.0.0.1:3000 or unix:///run/api.sock"
            reader.refuse("LATCHKEY_UPSTREAM", Setting.invalid(upstream, use: use))
        }
        replicas = reader.replicas("LATCHKEY_REPLICAS")
        usesFakes = reader.text("LATCHKEY_FAKES") == "1"
        runsConsole = reader.text("LATCHKEY_CONSOLE") == "1"
        isForPhones = reader.text("LATCHKEY_BIND") != nil
        if self.environment == .production { refuseDevelopment(&reader) }
        try reader.finish()
    }

    /// Refuses settings that production does not have.
    private func refuseDevelopment(_ reader: inout SupervisorVariables) {
        if usesFakes {
            reader.refuse("LATCHKEY_FAKES", "production has no fakes, because they send nothing. Unset it.")
        }
        if isForPhones {
            reader.refuse(
                "LATCHKEY_BIND",
                "lan is for phones in development. Unset it: in production clients come in by LATCHKEY_TLS_PORT."
            )
        }
        if wantsOwnAuthority {
            reader.refuse(
                "LATCHKEY_TLS_DIR",
                "is missing; in production no certificate is invented for LATCHKEY_TLS_PORT. Name the folder of yours.")
        }
        if upstream == nil {
            reader.refuse(
                "LATCHKEY_UPSTREAM",
                "is missing; production does not run the sample API. Use the URL of your API, such as http://127.0.0.1:3000."
            )
        }
    }
}
