import Policies
package import ServiceKit

extension PostgreSQLConfiguration {
    /// The values of `…_DATABASE_DURABILITY`.
    private enum DurabilityName: String { case settings, storage }

    /// Reads the settings of a service's database.
    ///
    /// - Parameter schema: The schema that contains its tables.
    /// - Throws: `SettingsError`.
    package init(_ settings: ProcessSettings, _ names: DatabaseSettings, schema: String) throws {
        let isProduction = settings.environment == .production
        let url = try Self.url(settings, names)
        let durability: DurabilityName? = try settings.choice(names.variable("DURABILITY"))
        let connections = try settings.integer(names.variable("CONNECTIONS"))
        let secrets = settings.secrets
        let password: @Sendable () throws -> String? = { try secrets.password(names.password)?.value }
        _ = try password()
        self.init(
            url: url, schema: schema, isProduction: isProduction,
            durability: isProduction && durability == .settings ? .settings : .storage, password: password)
        connectionCount = connections ?? connectionCount
        opensAllAtStart = true
    }

    /// Reads the address, which in production must contain no password and have the server's certificate checked.
    package static func url(_ settings: ProcessSettings, _ names: DatabaseSettings) throws -> DatabaseURL {
        guard let text = settings.variable(names.url) else {
            throw SettingsError.missing(
                names.url, because: "it names the database", use: "postgres://user@host/database")
        }
        return try url(text, of: names.url, settings, names)
    }

    /// Reads an address as the services read theirs.
    ///
    /// - Parameter origin: The variable or the option that contains it, for errors.
    package static func url(
        _ text: String, of origin: String, _ settings: ProcessSettings, _ names: DatabaseSettings
    ) throws -> DatabaseURL {
        do throws(DatabaseURL.Problem) {
            let url = try DatabaseURL(text)
            if settings.environment == .production { try url.requireProduction() }
            return url
        } catch {
            // The text may contain a password, so it is not shown.
            let secret = error == .passwordInURL ? " \(names.password)" : ""
            throw SettingsError(origin, "\(error)\(secret).")
        }
    }
}
