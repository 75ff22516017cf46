import ArgumentParser
import SQLiteStore
import Storage

/// `latchkeyctl audit verify [FILE|URL]`
struct AuditVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks that no audit row was changed, removed or inserted.",
        discussion: """
            Each row has a hash over the row before it and itself. A person who can write to the database can write a whole new \
            audit: to notice that, compare it with the hash of the newest row in the manifest of a backup, or in an earlier output \
            for PostgreSQL.

            Without an argument the databases in TOKEN_DATABASE_URL and USER_DATABASE_URL are checked. For a URL the password is \
            the secret of the role in it: token_database_password or user_database_password for a service's, and \
            database_admin_password for any other.
            """)

    @Argument(help: "tokens.sqlite or users.sqlite, in use or from a backup, or postgres://user@host/database.")
    var place: String?

    func run() async throws {
        guard let place, !AuditOfDatabase.isURL(place) else {
            for line in try AuditOfDatabase(place).verify() { print(line) }
            return
        }
        print(try Self.verify(place))
    }

    /// Returns the line to print.
    ///
    /// - Throws: `CommandFailure` that identifies the first bad row.
    static func verify(_ file: String) throws -> String {
        do { return "ok \(try AuditVerification.run(file: file).records) rows" } catch {
            throw CommandFailure(description: "\(file): \(error.message)")
        }
    }
}
