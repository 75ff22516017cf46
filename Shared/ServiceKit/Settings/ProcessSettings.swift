package import Configuration
package import Logging
package import Policies
import SettingNames

/// The settings that a process reads from its environment, once, at start.
package struct ProcessSettings: Sendable {
    /// The short name, e.g. `otp`; part of the names of its secrets.
    package let name: String
    package let environment: DeploymentEnvironment
    /// The name or path in `LATCHKEY_POLICY`.
    package let policyName: String
    package let policiesDirectory: String
    /// The app's name for a policy without one.
    package let appName: String?
    package let listen: ListenAddress
    /// Whether `LATCHKEY_LISTEN` is `none`; only some processes may have that.
    package let listensNowhere: Bool
    /// The addresses of health checks and metrics.
    package let operationsListen: [ListenAddress]
    /// The addresses of Redis or of its Sentinels; none if it has a socket file.
    let redisPeers: [ListenAddress]
    /// The folder of database files.
    package let dataDirectory: String
    /// Whether limits by IP address apply to loopback and private addresses too; always in production.
    package let limitsLocalAddresses: Bool
    package let logLevel: Logger.Level
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
        var report = SettingsReport()
        environment = try report.read { try reader.choice("LATCHKEY_ENV") } ?? .production
        policyName = reader.text("LATCHKEY_POLICY") ?? ""
        policiesDirectory = reader.text("LATCHKEY_POLICIES_DIR") ?? ""
        appName = reader.text("LATCHKEY_APP_NAME")
        listensNowhere = mayListenNowhere && reader.variable("LATCHKEY_LISTEN") == "none"
        let own = ListenAddress(host: "127.0.0.1", port: defaultPort)
        listen =
            listensNowhere
            ? own : try report.read { try reader.address("LATCHKEY_LISTEN", example: own.description) } ?? own
        let operations = Settings.all["LATCHKEY_OPS_LISTEN"].standard ?? ""
        operationsListen =
            try report.read { try reader.addresses("LATCHKEY_OPS_LISTEN", example: operations) }
            ?? [ListenAddress(parsing: operations) ?? own]
        redisPeers = reader.text("REDIS_URL").flatMap(RedisURL.init)?.hosts ?? []
        dataDirectory = reader.text("LATCHKEY_DATA_DIR") ?? ""
        let limitsLocal = try report.read { try reader.flag("LATCHKEY_LIMIT_LOCAL") } ?? true
        limitsLocalAddresses = environment == .production || limitsLocal
        logLevel = try report.read { try reader.choice("LATCHKEY_LOG_LEVEL") } ?? .info
        secretsDirectory = reader.text("LATCHKEY_SECRETS_DIR") ?? ""
        secrets = SecretsDirectory(directory: secretsDirectory, environment: reader)
        try report.finish()
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
}

extension ProcessSettings: VariableSource {
    package func variable(_ name: String) -> String? { reader.variable(name) }
}
