import ArgumentParser
import PostgreSQL
import ServiceKit
import Storage

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

    @OptionGroup var owner: OwnerOption

    func run() async throws {
        let settings = try DatabaseSchema.settings()
        let given = DatabaseSchema.given(in: settings)
        guard !given.isEmpty else {
            throw CommandFailure(
                description: "set TOKEN_DATABASE_URL, USER_DATABASE_URL or both, as for the services")
        }
        try requireTwoRoles(settings, given)
        for schema in given {
            try schema.migrate(settings, admin: owner.admin)
            print("\(schema.name): has all tables of this release")
        }
    }

    /// Refuses one role for both services, which would give each the rows of the other. In development an owner may be both.
    ///
    /// Only the names are compared, since one server has many addresses.
    private func requireTwoRoles(_ settings: ProcessSettings, _ given: [DatabaseSchema]) throws {
        let urls = try given.map { try PostgreSQLConfiguration.url(settings, $0.names) }
        guard urls.count == 2, urls[0].user == urls[1].user else { return }
        let isOwner = try given[0].owner(settings, admin: owner.admin).url.user == urls[0].user
        guard !isOwner else { return }
        throw CommandFailure(
            description: "TOKEN_DATABASE_URL and USER_DATABASE_URL name one role, \(urls[0].user). Name two, so that "
                + "neither service can read the other one's rows")
    }
}

/// The option of commands that run as the owner of the schemas.
struct OwnerOption: ParsableArguments {
    @Option(
        help: """
            The role that owns the schemas; its password is the secret database_admin_password. In development the default is the \
            role in the URL.
            """)
    var admin: String?
}

extension DatabaseSchema {
    fileprivate func migrate(_ settings: ProcessSettings, admin: String?) throws {
        let configuration = try owner(settings, admin: admin)
        let service = try PostgreSQLConfiguration.url(settings, names).user
        let role =
            try service == configuration.url.user
            ? nil
            : ServiceRole(
                name: service, unchangedTables: unchangedTables,
                password: settings.secrets.password(names.password)?.value)
        try failing { () throws(StorageError) in try Migration.run(migrations, configuration, service: role) }
    }
}
