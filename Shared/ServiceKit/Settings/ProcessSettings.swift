package import Configuration
package import Logging
package import Policies
import RedisClient

/// The settings that a process reads from its environment, once, at start.
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
    /// `LATCHKEY_LISTEN=none`: the process does not listen; only some processes may do that.
    package let listensNowhere: Bool
    /// `LATCHKEY_OPS_LISTEN`: host:port of health checks and metrics; default 127.0.0.1:9090. The host `internal` represents
    /// loopback and the address in the network of Redis.
    package let operationsListen: ListenAddress
    /// The address of Redis; loopback if it has a socket file.
    let redisPeer: ListenAddress
    /// `LATCHKEY_DATA_DIR`: folder of database files; default /data.
    package let dataDirectory: String
    /// `LATCHKEY_LIMIT_LOCAL=1`: limits by IP address apply to loopback and private addresses too; always in production.
    package let limitsLocalAddresses: Bool
    /// `LATCHKEY_LOG_LEVEL`: trace, debug, info (default), notice, warning, error or critical.
    package let logLevel: Logger.Level
    /// `LATCHKEY_SECRETS_DIR`: default /run/secrets.
    package let secrets: SecretsDirectory
    /// The value of `LATCHKEY_SECRETS_DIR`.
    let secretsDirectory: String
    /// The environment, for settings that only one process has.
    package let reader: ConfigReader

    /// Reads the variables that every process has.
    ///
    /// - Parameter mayListenNowhere: Whether `LATCHKEY_LISTEN` may be `none`.
    /// - Throws: `SettingsError` with a line for each wrong one.
    package init(name: String, defaultPort: Int, reader: ConfigReader, mayListenNowhere: Bool = false) throws {
        self.name = name
        self.reader = reader
        let source = VariableReader(reader)
        var report = SettingsReport()
        environment = try report.read { try source.choice("latchkey.env", default: .development) } ?? .production
        policyName = source.text("latchkey.policy") ?? Policy.defaultName
        policiesDirectory = source.text("latchkey.policies.dir") ?? Self.usualPoliciesDirectory
        appName = source.text("latchkey.app.name")
        listensNowhere = mayListenNowhere && source.text("latchkey.listen") == "none"
        let ownAddress = ListenAddress(host: "127.0.0.1", port: defaultPort)
        listen =
            listensNowhere
            ? ownAddress : try report.read { try source.address("latchkey.listen", default: ownAddress) } ?? ownAddress
        let loopback = ListenAddress(host: "127.0.0.1", port: 9090)
        operationsListen =
            try report.read { try source.address("latchkey.ops.listen", default: loopback) } ?? loopback
        redisPeer = Self.redisPeer(reader)
        dataDirectory = source.text("latchkey.data.dir") ?? "/data"
        let limitsLocal = try report.read { try source.flag("latchkey.limit.local") ?? false } ?? true
        limitsLocalAddresses = environment == .production || limitsLocal
        logLevel = try report.read { try source.choice("latchkey.log.level", default: .info) } ?? .info
        secretsDirectory = source.text("latchkey.secrets.dir") ?? "/run/secrets"
        secrets = SecretsDirectory(directory: secretsDirectory, environment: reader)
        try report.finish()
    }

    /// The policies folder if `LATCHKEY_POLICIES_DIR` is not set.
    package static let usualPoliciesDirectory = "deploy/policies"

    private static func redisPeer(_ reader: ConfigReader) -> ListenAddress {
        guard case .tcp(let host, let port)? = reader.string(forKey: "redis.url").flatMap(RedisAddress.init(url:))
        else {
            return ListenAddress(host: "127.0.0.1", port: 6379)
        }
        return ListenAddress(host: host, port: port)
    }

    /// Returns the problems of the folders of secrets and data that production would refuse, one sentence each.
    func exposures() -> [String] {
        [secretsDirectory, dataDirectory].filter { !$0.hasPrefix("/run/secrets") }.flatMap(FileAccess.cautions)
    }

    /// Returns the path of a database in `LATCHKEY_DATA_DIR`, which must be writable here. Other users must not be able to read
    /// or replace the database.
    package func databasePath(_ name: String) throws -> String {
        let setting = "LATCHKEY_DATA_DIR"
        try FileAccess.requireWritable(folder: dataDirectory, setting: setting)
        try FileAccess.requireOwn(dataDirectory, setting: setting, in: environment)
        let path = "\(dataDirectory)/\(name)"
        try FileAccess.requirePrivate(path, setting: setting, in: environment)
        return path
    }

    /// Returns an environment variable that only one process reads, e.g. `LATCHKEY_UPSTREAM`; `nil` if it is unset or empty.
    package func variable(_ name: String) -> String? {
        text(ConfigKey(name.lowercased().split(separator: "_").map(String.init)))
    }

    /// Returns the text of a variable; `nil` if it is unset or empty. Compose sets a variable without a value to the empty
    /// text.
    package func text(_ key: ConfigKey) -> String? { VariableReader(reader).text(key) }

    /// Returns one of the values that a variable may have.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: ConfigKey, default fallback: Value
    ) throws(SettingsError) -> Value { try VariableReader(reader).choice(key, default: fallback) }

    /// Returns the address in a variable, or `fallback` if it is unset.
    package func address(_ key: ConfigKey, default fallback: ListenAddress) throws(SettingsError) -> ListenAddress {
        try VariableReader(reader).address(key, default: fallback)
    }

    /// Returns whether a variable is 1; `nil` if it is unset.
    package func flag(_ key: ConfigKey) throws(SettingsError) -> Bool? { try VariableReader(reader).flag(key) }

    /// Returns the number in a variable, or `fallback` if it is unset.
    package func integer(
        _ key: ConfigKey, in range: ClosedRange<Int>, default fallback: Int
    ) throws(SettingsError) -> Int { try VariableReader(reader).integer(key, in: range, default: fallback) }
}
