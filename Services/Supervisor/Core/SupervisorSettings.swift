/// The settings of `deploy/run`, read once from the environment.
package struct SupervisorSettings: Sendable, Equatable {
    /// What Redis may use unless told otherwise.
    package static let redisMegabytes = 128
    /// The policy that applies where none is named.
    private static let defaultPolicy = "starter"
    private static let redisMegabytesAllowed = 16...65_536

    package enum Environment: String, Sendable, CaseIterable { case development, uat, production }

    package let environment: Environment
    /// Port of the gateway on 127.0.0.1; 0 for a free one.
    package let port: UInt16
    /// Port at which clients that speak TLS come in; 0 for a free one, nil: there is none.
    package let tlsPort: UInt16?
    /// Absolute path of the folder of the gateway's certificates; nil: one by this machine's own authority.
    package let tlsDirectory: String?
    /// A name in the policies folder, or an absolute path.
    package let policy: String
    /// Absolute path of the policies folder.
    package let policiesDirectory: String
    /// Absolute path of everything the stack writes.
    package let dataDirectory: String
    /// Port of the inbox on 127.0.0.1; 0 for a free one.
    package let inboxPort: UInt16
    /// Port of Redis on 127.0.0.1; 0 for a free one.
    package let redisPort: UInt16
    /// What its Redis may use, in MB of 2^20 bytes.
    package let redisMemoryMegabytes: Int
    /// Base URL of the app's API; nil for the sample API.
    package let upstream: String?
    package let replicas: Replicas
    /// Whether phones in the same network reach the gateway.
    package let isForPhones: Bool
    /// Whether the providers are played by `latchkey-fakes`.
    package let usesFakes: Bool
    /// Whether a certificate for development is made.
    var wantsOwnAuthority: Bool { tlsPort != nil && tlsDirectory == nil }

    /// Reads the variables of design section 8:
    ///
    /// `LATCHKEY_ENV` (development, uat, production; development), `LATCHKEY_PORT` (0–65535; 8080), `LATCHKEY_POLICY`
    /// (name or path; starter), `LATCHKEY_POLICIES_DIR` (deploy/policies), `LATCHKEY_DATA_DIR` (.latchkey),
    /// `LATCHKEY_INBOX_PORT` (8025), `LATCHKEY_REDIS_PORT` (0), `LATCHKEY_REDIS_MEMORY_MB` (16–65536; 128),
    /// `LATCHKEY_UPSTREAM` (http URL; the sample API), `LATCHKEY_REPLICAS` (pairs such as otp=2; one each),
    /// `LATCHKEY_FAKES` (1, outside production), `LATCHKEY_BIND` (lan, outside production), `LATCHKEY_TLS_PORT` (0–65535; none),
    /// `LATCHKEY_TLS_DIR` (a certificate for development; needed in production). Empty counts as unset; relative paths start at
    /// `workingDirectory`.
    package init(environment variables: [String: String], workingDirectory: String) throws(StartFailure) {
        func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : workingDirectory + "/" + path }
        environment = try Self.environment(value("LATCHKEY_ENV"))
        port = try Self.port("LATCHKEY_PORT", value("LATCHKEY_PORT"), default: 8080)
        let tlsPort = value("LATCHKEY_TLS_PORT")
        self.tlsPort = tlsPort == nil ? nil : try Self.port("LATCHKEY_TLS_PORT", tlsPort, default: 0)
        tlsDirectory = value("LATCHKEY_TLS_DIR").map(absolute)
        inboxPort = try Self.port("LATCHKEY_INBOX_PORT", value("LATCHKEY_INBOX_PORT"), default: 8025)
        redisPort = try Self.port("LATCHKEY_REDIS_PORT", value("LATCHKEY_REDIS_PORT"), default: 0)
        redisMemoryMegabytes = try Self.megabytes("LATCHKEY_REDIS_MEMORY_MB", value("LATCHKEY_REDIS_MEMORY_MB"))
        let policy = value("LATCHKEY_POLICY") ?? Self.defaultPolicy
        self.policy = policy.contains("/") ? absolute(policy) : policy
        policiesDirectory = absolute(value("LATCHKEY_POLICIES_DIR") ?? "deploy/policies")
        dataDirectory = absolute(value("LATCHKEY_DATA_DIR") ?? ".latchkey")
        upstream = try Self.upstream(value("LATCHKEY_UPSTREAM"))
        replicas = try Replicas(parsing: value("LATCHKEY_REPLICAS") ?? "")
        usesFakes = value("LATCHKEY_FAKES") == "1"
        isForPhones = try Self.bindsToNetwork(value("LATCHKEY_BIND"), environment)
        guard !usesFakes || environment != .production else {
            throw StartFailure("LATCHKEY_FAKES: the fakes bring nothing to anybody, so production has none")
        }
        guard !wantsOwnAuthority || environment != .production else {
            throw StartFailure(
                "LATCHKEY_TLS_PORT: in production no certificate is invented; name the folder of yours with LATCHKEY_TLS_DIR"
            )
        }
    }

    private static func bindsToNetwork(_ text: String?, _ environment: Environment) throws(StartFailure) -> Bool {
        guard let text else { return false }
        guard text == "lan" else { throw StartFailure("LATCHKEY_BIND is '\(text)'; allowed is lan") }
        guard environment != .production else {
            throw StartFailure("LATCHKEY_BIND is lan, which is for phones at hand; production has TLS")
        }
        return true
    }

    private static func environment(_ text: String?) throws(StartFailure) -> Environment {
        guard let text else { return .development }
        guard let environment = Environment(rawValue: text) else {
            throw StartFailure("LATCHKEY_ENV is '\(text)'; allowed are development, uat, production")
        }
        return environment
    }

    private static func port(_ name: String, _ text: String?, default: UInt16) throws(StartFailure) -> UInt16 {
        guard let text else { return `default` }
        guard let port = UInt16(text) else {
            throw StartFailure("\(name) is '\(text)'; expected a port from 1 to 65535, or 0 for a free one")
        }
        return port
    }

    private static func megabytes(_ name: String, _ text: String?) throws(StartFailure) -> Int {
        guard let text else { return redisMegabytes }
        guard let megabytes = Int(text), redisMegabytesAllowed.contains(megabytes) else {
            throw StartFailure("\(name) is '\(text)'; expected megabytes from 16 to 65536")
        }
        return megabytes
    }

    private static func upstream(_ text: String?) throws(StartFailure) -> String? {
        guard let text else { return nil }
        // The gateway reads it whole, and says what it cannot take.
        guard ["http://", "https://", "unix:///"].contains(where: { text.hasPrefix($0) }) else {
            throw StartFailure(
                "LATCHKEY_UPSTREAM is '\(text)'; expected a URL such as http://127.0.0.1:3000 or unix:///run/api.sock")
        }
        return text
    }
}
