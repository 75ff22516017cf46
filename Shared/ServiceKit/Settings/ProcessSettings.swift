package import Configuration
package import Logging
package import Policies
import RedisClient

/// What a process reads from its environment, once, at start.
package struct ProcessSettings: Sendable {
    /// The short name, e.g. `otp`; part of the names of its secrets.
    package let name: String
    /// `LATCHKEY_ENV`: development (default), uat or production.
    package let environment: DeploymentEnvironment
    /// `LATCHKEY_POLICY`: a name in the policies folder or a path; default starter.
    package let policyName: String
    /// `LATCHKEY_POLICIES_DIR`: default deploy/policies.
    package let policiesDirectory: String
    /// `LATCHKEY_APP_NAME`: the app's name for a policy without one; default Latchkey.
    package let appName: String?
    /// `LATCHKEY_LISTEN`: host:port; default 127.0.0.1 and the process's own port.
    package let listen: ListenAddress
    /// `LATCHKEY_LISTEN=none`: it does not listen there; only where a process may.
    package let listensNowhere: Bool
    /// `LATCHKEY_OPS_LISTEN`: host:port of health checks and metrics; default 127.0.0.1:9090. The host `internal` stands for
    /// loopback and the address in the network of Redis.
    package let operationsListen: ListenAddress
    /// Where Redis is; loopback if it has a socket file.
    let redisPeer: ListenAddress
    /// `LATCHKEY_DATA_DIR`: folder of database files; default /data.
    package let dataDirectory: String
    /// `LATCHKEY_LIMIT_LOCAL=1`: per-address limits hold for loopback and private addresses too; always in production.
    package let limitsLocalAddresses: Bool
    /// `LATCHKEY_LOG_LEVEL`: trace, debug, info (default), notice, warning, error or critical.
    package let logLevel: Logger.Level
    /// `LATCHKEY_SECRETS_DIR`: default /run/secrets.
    package let secrets: SecretsDirectory
    /// `LATCHKEY_SECRETS_DIR` itself.
    let secretsDirectory: String
    /// The environment itself, for settings that one process alone has.
    package let reader: ConfigReader

    /// - Parameter mayListenNowhere: whether `LATCHKEY_LISTEN` may be `none`.
    package init(name: String, defaultPort: Int, reader: ConfigReader, mayListenNowhere: Bool = false) throws {
        self.name = name
        self.reader = reader
        environment = try Self.choice(reader, "latchkey.env", default: .development)
        policyName = reader.string(forKey: "latchkey.policy", default: Policy.defaultName)
        policiesDirectory = reader.string(forKey: "latchkey.policies.dir", default: "deploy/policies")
        appName = reader.string(forKey: "latchkey.app.name")
        listensNowhere = mayListenNowhere && reader.string(forKey: "latchkey.listen") == "none"
        let ownAddress = ListenAddress(host: "127.0.0.1", port: defaultPort)
        listen = listensNowhere ? ownAddress : try Self.address(reader, "latchkey.listen", default: "\(ownAddress)")
        operationsListen = try Self.address(reader, "latchkey.ops.listen", default: "127.0.0.1:9090")
        redisPeer = Self.redisPeer(reader)
        dataDirectory = reader.string(forKey: "latchkey.data.dir", default: "/data")
        limitsLocalAddresses = environment == .production || reader.string(forKey: "latchkey.limit.local") == "1"
        logLevel = try Self.choice(reader, "latchkey.log.level", default: .info)
        secretsDirectory = reader.string(forKey: "latchkey.secrets.dir", default: "/run/secrets")
        secrets = SecretsDirectory(directory: secretsDirectory, environment: reader)
    }

    private static func redisPeer(_ reader: ConfigReader) -> ListenAddress {
        guard case .tcp(let host, let port)? = reader.string(forKey: "redis.url").flatMap(RedisAddress.init(url:))
        else {
            return ListenAddress(host: "127.0.0.1", port: 6379)
        }
        return ListenAddress(host: host, port: port)
    }

    /// What production would refuse about the folders of secrets and data, one sentence each.
    func exposures() -> [String] {
        [secretsDirectory, dataDirectory].filter { !$0.hasPrefix("/run/secrets") }.flatMap(FileAccess.cautions)
    }

    /// The path of a database in `LATCHKEY_DATA_DIR`, which must be writable here. Other users must not be able to read or
    /// replace the database.
    package func databasePath(_ name: String) throws -> String {
        let setting = "LATCHKEY_DATA_DIR"
        try FileAccess.requireWritable(folder: dataDirectory, setting: setting)
        try FileAccess.requireOwn(dataDirectory, setting: setting, in: environment)
        let path = "\(dataDirectory)/\(name)"
        try FileAccess.requirePrivate(path, setting: setting, in: environment)
        return path
    }

    /// An environment variable that one process alone reads, e.g. `LATCHKEY_UPSTREAM`.
    package func variable(_ name: String) -> String? {
        reader.string(forKey: ConfigKey(name.lowercased().split(separator: "_").map(String.init)))
    }

    /// One of the names that a variable of one process alone may have.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: ConfigKey, default fallback: Value
    ) throws -> Value { try Self.choice(reader, key, default: fallback) }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ reader: ConfigReader, _ key: ConfigKey, default fallback: Value
    ) throws -> Value {
        guard let text = reader.string(forKey: key) else { return fallback }
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError(variable(key), "'\(text)' is not one of: \(allowed)")
        }
        return value
    }

    private static func address(
        _ reader: ConfigReader, _ key: ConfigKey, default fallback: String
    ) throws -> ListenAddress {
        let text = reader.string(forKey: key, default: fallback)
        guard let address = ListenAddress(parsing: text) else {
            throw SettingsError(variable(key), "'\(text)' is not host:port")
        }
        return address
    }

    private static func variable(_ key: ConfigKey) -> String {
        key.components.joined(separator: "_").uppercased()
    }
}
