import ArgumentParser
import Configuration
import Policies
import PostgreSQL
import ServiceKit
import Storage
import TokenPostgres
import UserPostgres

/// `latchkeyctl database migrate [--admin ROLE]`
struct DatabaseMigrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Makes the schemas of this release, or adds what an earlier one lacks.",
        discussion: """
            Reads TOKEN_DATABASE_URL and USER_DATABASE_URL as the services do, and makes the schemas latchkey_token and \
            latchkey_user there, as the role that --admin names. The role in each URL gets the rights of a service, and is made if \
            it does not exist, with the password in the secret token_database_password or user_database_password. It can be run \
            at any time and again, also while the services run: it waits at most 2 s for a table that is in use, and then changes \
            nothing.
            """)

    @Option(
        help: """
            The role that owns the schemas; its password is the secret database_admin_password. In development the default is the \
            role in the URL.
            """)
    var admin: String?

    func run() async throws {
        let settings = try ProcessSettings(
            name: "control", defaultPort: 0, reader: ConfigReader(provider: EnvironmentVariablesProvider()))
        let given = MigratedSchema.all.filter { settings.variable($0.names.url) != nil }
        guard !given.isEmpty else {
            throw CommandFailure(
                description: "set TOKEN_DATABASE_URL, USER_DATABASE_URL or both, as for the services")
        }
        for schema in given {
            try schema.migrate(settings, admin: admin)
            print("\(schema.name): has all tables of this release")
        }
    }
}

/// The schema of one service.
private struct MigratedSchema {
    let name: String
    let names: DatabaseSettings
    let migrations: [Migration]
    let unchangedTables: [String]

    static let all = [
        MigratedSchema(
            name: TokenPostgres.schema, names: .token, migrations: TokenPostgres.migrations,
            unchangedTables: TokenPostgres.unchangedTables),
        MigratedSchema(
            name: UserPostgres.schema, names: .user, migrations: UserPostgres.migrations,
            unchangedTables: UserPostgres.unchangedTables),
    ]

    /// The secret with the password of the role that `--admin` names.
    private static let adminPassword = "database_admin_password"

    func migrate(_ settings: ProcessSettings, admin: String?) throws {
        let url = try PostgreSQLConfiguration.url(settings, names)
        let isProduction = settings.environment == .production
        let owner = admin ?? url.user
        guard !isProduction || owner != url.user else {
            throw CommandFailure(
                description:
                    "\(names.url): in production a service does not own its tables. Name another role with --admin.")
        }
        let own = try settings.secrets.password(names.password)?.value
        let isOwner = owner == url.user
        let password = isOwner ? own : try settings.secrets.password(Self.adminPassword)?.value
        let configuration = PostgreSQLConfiguration(
            url: isOwner ? url : url.with(user: owner), schema: name, isProduction: isProduction,
            durability: .unchecked,
            password: { password })
        let role = isOwner ? nil : ServiceRole(name: url.user, unchangedTables: unchangedTables, password: own)
        do throws(StorageError) { try Migration.run(migrations, configuration, service: role) } catch {
            throw CommandFailure(description: "\(names.url): \(error.message)")
        }
    }
}
