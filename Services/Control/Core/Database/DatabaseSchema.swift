import Configuration
import Policies
import PostgreSQL
import ServiceKit
import Storage
import TokenTables
import UserTables

/// The schema of one service, as the operator's commands reach it.
struct DatabaseSchema {
    let name: String
    let names: DatabaseSettings
    let migrations: [Migration]
    let unchangedTables: [String]

    static let token = DatabaseSchema(
        name: TokenDatabase.schema, names: .token, migrations: TokenDatabase.schemaSteps,
        unchangedTables: TokenDatabase.unchangedTables)
    static let user = DatabaseSchema(
        name: UserDatabase.schema, names: .user, migrations: UserDatabase.schemaSteps,
        unchangedTables: UserDatabase.unchangedTables)

    /// The secret with the password of the role that `--admin` names.
    static let adminPassword = "database_admin_password"

    /// Reads the environment, in which commands find the same variables as the services.
    static func settings() throws -> ProcessSettings {
        try ProcessSettings(
            name: "control", defaultPort: 0, reader: ConfigReader(provider: EnvironmentVariablesProvider()))
    }

    /// Returns the schemas whose URLs are set.
    static func given(in settings: ProcessSettings) -> [DatabaseSchema] {
        [token, user].filter { settings.variable($0.names.url) != nil }
    }

    /// Returns the connection of the role that owns the schema.
    ///
    /// - Parameters:
    ///   - admin: That role; in development the default is the role in the URL.
    ///   - address: The service's URL in the option `--to`; `nil` for the one in its variable.
    /// - Throws: `CommandFailure` if it is the service's own role in production.
    func owner(
        _ settings: ProcessSettings, admin: String?, to address: String? = nil
    ) throws -> PostgreSQLConfiguration {
        let origin = address == nil ? names.url : "--to"
        let url =
            try address.map { try PostgreSQLConfiguration.url($0, of: origin, settings, names) }
            ?? PostgreSQLConfiguration.url(settings, names)
        let isProduction = settings.environment == .production
        let owner = admin ?? url.user
        guard !isProduction || owner != url.user else {
            throw CommandFailure(
                description:
                    "\(origin): in production a service does not own its tables. Name another role with --admin.")
        }
        let isService = owner == url.user
        let password = try settings.secrets.password(isService ? names.password : Self.adminPassword)?.value
        return PostgreSQLConfiguration(
            url: isService ? url : url.with(user: owner), schema: name, isProduction: isProduction,
            durability: .unchecked, password: { password })
    }

    /// Runs `body` and puts the variable before the message of its error.
    func failing<Value>(_ body: () throws(StorageError) -> Value) throws(CommandFailure) -> Value {
        do throws(StorageError) { return try body() } catch {
            throw CommandFailure(description: "\(names.url): \(error.message)")
        }
    }
}
